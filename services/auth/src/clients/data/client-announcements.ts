import { type Database, notify, type Sql } from '@ostiary/database';
import type { PrismaClient } from '../../platform/database/generated/client.ts';
import { clientKey } from '../domain/client.ts';

const channel = 'auth_clients';

/** Notifies every process that a client changed. */
export const announceClient = (sql: Sql, tenant: string, clientId: string): Promise<void> =>
  notify(sql, channel, clientKey({ tenant, clientId }));

/**
 * Notifies every process at commit that all clients of a tenant changed. Each process clears its whole client cache.
 */
export const announceClientsOf = (tx: Sql, tenant: string): Promise<void> => notify(tx, channel, tenant);

/**
 * Calls `listener` with the key of each client that this or another process changed; without one if any client may have
 * changed.
 * @returns function that stops it
 */
export const followClients = (
  database: Database<PrismaClient>,
  listener: (key: string | undefined) => void,
): Promise<() => Promise<void>> =>
  database.listen(channel, (key) => listener(key.includes('/') ? key : undefined));
