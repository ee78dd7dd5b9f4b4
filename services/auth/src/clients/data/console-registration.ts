import type { Revocation } from '@ostiary/access';
import { type Database, isUniqueViolation, statement } from '@ostiary/database';
import type { PrismaClient } from '../../database/data/index.ts';
import { setOwner } from '../../ownership/data/index.ts';
import type { RevocationFeed } from '../../subjects/index.ts';
import type { Client } from '../domain/client.ts';
import type { ClientRecord } from '../domain/clients.ts';
import {
  consoleClientId,
  consoleMetadata,
  consoleRegistration,
  isRegisteredAs,
} from '../domain/console-client.ts';
import type { ValidMetadata } from '../domain/valid-metadata.ts';
import { changeClient, type Departure, insertClient } from './client-changes.ts';

/** Who registers it, whoever's request was the first to ask for it. */
const itself = { kind: 'system', id: 'auth' } as const;

const holdActiveTenant = statement({
  name: 'clients.hold_active_tenant',
  reason: 'atomic',
  text: `SELECT id FROM auth.tenants WHERE id = $tenant AND status = 'active' FOR SHARE`,
  parameters: { tenant: 'text' },
  columns: { id: 'text' },
});

/**
 * Processes that are given different addresses would change it back and forth for as long as they run side by side: so it is changed once a
 * minute at most.
 */
const unchangedLately = statement({
  name: 'clients.unchanged_lately',
  reason: 'atomic',
  text: `SELECT client_id AS id FROM auth.clients
          WHERE tenant = $tenant AND client_id = $clientId AND (version = 1 OR updated_at < now() - interval '1 minute')
            FOR UPDATE`,
  parameters: { tenant: 'text', clientId: 'text' },
  columns: { id: 'text' },
});

export interface ConsoleRegistrationOptions {
  database: Pick<Database<PrismaClient>, 'transaction'>;
  /** Where the pages of the console are; undefined: this installation has none, so no tenant has the client. */
  url: string | undefined;
  /** What ends with a part of its registration. */
  departure: () => Departure;
  revocations: Pick<RevocationFeed, 'publish'>;
}

/** Sees to it that a tenant has the client of the console when somebody asks for it, registered as the release and the settings say. */
export class ConsoleRegistration {
  readonly #options: ConsoleRegistrationOptions;
  readonly #wanted: { url: string; registration: ValidMetadata } | undefined;

  /** @throws OAuthError for an address that nobody may be sent back to */
  constructor(options: ConsoleRegistrationOptions) {
    this.#options = options;
    const { url } = options;
    this.#wanted = url === undefined ? undefined : { url, registration: consoleRegistration(url) };
  }

  /**
   * The client of the console, made or brought up to date before it is given.
   * @param read reads what is registered now
   * @returns null where there is no console, or no active tenant
   */
  async settled(tenant: string, read: () => Promise<ClientRecord | null>): Promise<ClientRecord | null> {
    const wanted = this.#wanted;
    if (wanted === undefined) return null;
    const found = await read();
    if (found === null) return (await this.#register(tenant, wanted.registration)) ? read() : null;
    if (isRegisteredAs(found.client, wanted.registration)) return found;
    return (await this.#change(found.client, wanted.url)) ? read() : found;
  }

  /** Whether it is registered as this process would have it. */
  isSettled({ client }: ClientRecord): boolean {
    return this.#wanted !== undefined && isRegisteredAs(client, this.#wanted.registration);
  }

  /** @returns whether there is one now */
  async #register(tenant: string, registration: ValidMetadata): Promise<boolean> {
    try {
      return await this.#options.database.transaction(async (tx) => {
        if (!(await holdActiveTenant.first(tx, { tenant }))) return false;
        await insertClient(tx, tenant, consoleClientId, registration, { owner: null, actor: itself });
        return true;
      });
    } catch (error) {
      // Another request was first.
      if (isUniqueViolation(error)) return true;
      throw error;
    }
  }

  /** @returns whether it was changed */
  async #change({ tenant, clientId }: Client, url: string): Promise<boolean> {
    const { database, departure, revocations } = this.#options;
    const changed = await database.transaction(async (tx): Promise<Revocation[] | undefined> => {
      if (!(await unchangedLately.first(tx, { tenant, clientId }))) return undefined;
      const done = await changeClient(
        tx,
        { tenant, clientId },
        () => consoleMetadata(url),
        // What the tenant demands of its own clients isn't asked here, but wherever this one is used.
        { sector: undefined, byItself: false, rules: {}, actor: itself },
        departure(),
      );
      // One that an operator registered under this id in an earlier release was somebody's; the console is nobody's.
      await setOwner(tx, tenant, 'client', clientId, null);
      return done?.revocations;
    });
    if (changed === undefined) return false;
    await revocations.publish(changed);
    return true;
  }
}
