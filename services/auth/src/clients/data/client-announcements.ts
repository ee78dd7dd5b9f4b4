import { type Database, notify, type Sql } from '@ostiary/database';
import type { PrismaClient } from '../../platform/database/generated/client.ts';
import { clientKey, idsOf } from '../domain/client.ts';

const channel = 'auth_clients';

/** Notifies every process that a client changed. */
export const announceClient = (sql: Sql, tenant: string, clientId: string): Promise<void> =>
  notify(sql, channel, clientKey({ tenant, clientId }));

/** Notifies every process at commit that all clients of a tenant may have changed. */
export const announceClientsOf = (tx: Sql, tenant: string): Promise<void> => notify(tx, channel, tenant);

/** A changed client, or all clients of a tenant. */
export interface ChangedClients {
  tenant: string;
  clientId?: string;
}

/**
 * Calls `listener` with the clients that this or another process changed; without any if every client may have changed.
 * @returns function that stops it
 */
export const followClients = (
  database: Database<PrismaClient>,
  listener: (changed: ChangedClients | undefined) => void,
): Promise<() => Promise<void>> =>
  database.listen(channel, (payload) => {
    if (payload === '') listener(undefined);
    else listener(payload.includes('/') ? idsOf(payload) : { tenant: payload });
  });
