import type { Revocation } from '@ostiary/access';
import { type Database, isUniqueViolation, statement } from '@ostiary/database';
import { setOwner } from '../../access/ownership/data/credential-owners.ts';
import type { PrismaClient } from '../../platform/database/generated/client.ts';
import type { RevocationFeed } from '../../tenancy/index.ts';
import { holdingActiveTenant } from '../../tenancy/tenants/data/tenant-conditions.ts';
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

/** Actor of the registration, regardless of the request that triggered it. */
const itself = { kind: 'system', id: 'auth' } as const;

const holdActiveTenant = statement({
  name: 'clients.hold_active_tenant',
  reason: 'atomic',
  text: holdingActiveTenant,
  parameters: { tenant: 'text' },
  columns: { id: 'text' },
});

/**
 * Limits changes to one per minute: processes with different console URLs would overwrite each other while they run
 * side by side.
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
  database: Database<PrismaClient>;
  /** URL of the console's pages; undefined when the installation has no console, and no tenant has the client. */
  url: string | undefined;
  departure: () => Departure;
  revocations: RevocationFeed;
}

/** Registers the console's client of a tenant on its first use, as this release and the settings define it. */
export class ConsoleRegistration {
  readonly #options: ConsoleRegistrationOptions;
  readonly #wanted: { url: string; registration: ValidMetadata } | undefined;

  /** @throws OAuthError for a URL that is not allowed as a redirect URI */
  constructor(options: ConsoleRegistrationOptions) {
    this.#options = options;
    const { url } = options;
    this.#wanted = url === undefined ? undefined : { url, registration: consoleRegistration(url) };
  }

  /**
   * Returns the console's client after creating or updating it.
   * @param read reads the current registration
   * @returns null without console or active tenant
   */
  async settled(tenant: string, read: () => Promise<ClientRecord | null>): Promise<ClientRecord | null> {
    const wanted = this.#wanted;
    if (wanted === undefined) return null;
    const found = await read();
    if (found === null) return (await this.#register(tenant, wanted.registration)) ? read() : null;
    if (isRegisteredAs(found.client, wanted.registration)) return found;
    return (await this.#change(found.client, wanted.url)) ? read() : found;
  }

  /** Reports whether the registration is as this process requires. */
  isSettled({ client }: ClientRecord): boolean {
    return this.#wanted !== undefined && isRegisteredAs(client, this.#wanted.registration);
  }

  /** @returns whether the client exists now */
  async #register(tenant: string, registration: ValidMetadata): Promise<boolean> {
    try {
      return await this.#options.database.transaction(async (tx) => {
        if (!(await holdActiveTenant.first(tx, { tenant }))) return false;
        await insertClient(tx, tenant, consoleClientId, registration, {
          owner: null,
          knowers: this.#options.departure().knowers,
          actor: itself,
        });
        return true;
      });
    } catch (error) {
      // A concurrent request was first.
      if (isUniqueViolation(error)) return true;
      throw error;
    }
  }

  /** @returns whether the client was changed */
  async #change({ tenant, clientId }: Client, url: string): Promise<boolean> {
    const { database, departure, revocations } = this.#options;
    const changed = await database.transaction(async (tx): Promise<Revocation[] | undefined> => {
      if (!(await unchangedLately.first(tx, { tenant, clientId }))) return undefined;
      const done = await changeClient(
        tx,
        { tenant, clientId },
        () => consoleMetadata(url),
        // The tenant's requirements for its own clients are not applied here, but where this client is used.
        { sector: undefined, byItself: false, rules: {}, actor: itself },
        departure(),
      );
      // A client that an operator registered under this id in an earlier release had an owner; the console has none.
      await setOwner(tx, tenant, 'client', clientId, null);
      return done?.revocations;
    });
    if (changed === undefined) return false;
    await revocations.publish(changed);
    return true;
  }
}
