import { type Claim, type Database, isUniqueViolation } from '@ostiary/database';
import { type ServiceKit, uuidv7 } from '@ostiary/service';
import type { Knowers, OwnerToBe } from '../../access/index.ts';
import { record } from '../../platform/audit/security-log.data.ts';
import { unlessMissing } from '../../platform/database/data/missing.ts';
import type { PrismaClient } from '../../platform/database/generated/client.ts';
import {
  type ChangeTerms,
  invalidClientMetadata,
  LoadingCache,
  masked,
  type NewSecurityEvent,
  requireVersion,
  type TenantChanges,
} from '../../platform/index.ts';
import type { RevocationFeed } from '../../tenancy/index.ts';
import { heldScopesOfApis, scopesOfApis } from '../apis/data/apis.ts';
import {
  type Client,
  type ClientFilter,
  type ClientPage,
  type ClientStore,
  clientKey,
  idsOf,
  isAssignedClientId,
  isClientId,
  isOpenClientId,
} from '../domain/client.ts';
import { apiScopesIn, clientMetadata } from '../domain/client-metadata.ts';
import type {
  ClientMetadata,
  ClientRegistry,
  HandoverTerms,
  RegisteredClient,
} from '../domain/client-registry.ts';
import { type ClientRecord, checkClientMetadata, type RegistrationRules } from '../domain/clients.ts';
import { consoleClientId, requireChangeable, requireEditable } from '../domain/console-client.ts';
import { checkDocumentAddress } from '../domain/document-address.ts';
import { checkSector, type Sector } from '../domain/subject-identifier.ts';
import { announceClient, type ChangedClients, followClients } from './client-announcements.ts';
import {
  changeClient,
  type Departure,
  deleteClient,
  endClient,
  endConsents,
  holdClient,
  insertClient,
} from './client-changes.ts';
import { listClients } from './client-list.ts';
import { readRecord } from './client-record.ts';
import { toClient } from './client-row.ts';
import { type ClientSecrets, usesSecret } from './client-secrets.ts';
import type { SectorDocuments } from './sector-documents.ts';

/** Maximum milliseconds until a change by another process is visible without a notification. */
const freshMs = 1_000;

/** Creates or updates the console's client of a tenant before it is returned. */
interface ConsoleClients {
  settled(tenant: string, read: () => Promise<ClientRecord | null>): Promise<ClientRecord | null>;
  isSettled(record: ClientRecord): boolean;
}

export type ClientData = Database<PrismaClient>;

/** Registered clients, cached in memory. `platform` clients come from the environment and are never in the database. */
export class Clients implements ClientStore {
  readonly #database: ClientData;
  readonly #secrets: ClientSecrets;
  readonly #static: ReadonlyMap<string, ClientRecord>;
  readonly #console: () => ConsoleClients;
  readonly #records: LoadingCache<ClientRecord | null>;

  constructor(o: {
    database: ClientData;
    kit: ServiceKit;
    secrets: ClientSecrets;
    platform: readonly ClientRecord[];
    tenantChanges: TenantChanges;
    /** Resolved lazily: it depends on the components that use these clients. */
    console: () => ConsoleClients;
  }) {
    this.#database = o.database;
    this.#secrets = o.secrets;
    this.#console = o.console;
    this.#static = new Map(o.platform.map((record) => [clientKey(record.client), record]));
    this.#records = new LoadingCache({
      max: 50_000,
      freshMs,
      changes: {
        heard: o.tenantChanges,
        tenantOf: (key) => key.slice(0, key.indexOf('/')),
        // The console's client also depends on the settings, whose changes cause no notification.
        covers: (record) => record?.client.clientId !== consoleClientId || this.#console().isSettled(record),
      },
      clock: o.kit.clock,
      load: (key) => this.#load(key),
    });
  }

  /** Subscribes to changes by other processes. Returns a function that stops it. */
  async start(): Promise<() => Promise<void>> {
    return followClients(this.#database, (changed) => this.forget(changed));
  }

  async find(tenant: string, clientId: string): Promise<Client | null> {
    return (await this.record(tenant, clientId))?.client ?? null;
  }

  /** Returns a client with the digests of its live secrets, for authentication. */
  async record(tenant: string, clientId: string): Promise<ClientRecord | null> {
    if (!isClientId(clientId)) return null;
    if (tenant === 'platform') return this.#static.get(clientKey({ tenant, clientId })) ?? null;
    return this.#records.get(clientKey({ tenant, clientId }));
  }

  async list(
    tenant: string,
    page: ClientPage,
    filter: ClientFilter = {},
  ): Promise<{ clients: Client[]; total: number }> {
    return listClients(this.#database.sql, tenant, page, filter);
  }

  /**
   * Notifies every process that a client changed, this one immediately. Without the notification, others see the change
   * within a second.
   */
  async changed(tenant: string, clientId: string): Promise<void> {
    this.forget({ tenant, clientId });
    await announceClient(this.#database.sql, tenant, clientId).catch(() => {});
  }

  /** Invalidates what this process has cached of a client or of a tenant; without `changed` of all tenants. */
  forget(changed?: ChangedClients): void {
    const { tenant, clientId } = changed ?? {};
    if (tenant === undefined) this.#records.invalidate();
    else if (clientId === undefined) this.#records.invalidateMatching((key) => idsOf(key).tenant === tenant);
    else this.#records.invalidate(clientKey({ tenant, clientId }));
  }

  async #load(key: string): Promise<ClientRecord | null> {
    const { tenant, clientId } = idsOf(key);
    const read = () => readRecord(this.#database.sql, this.#secrets, { tenant, clientId });
    return clientId === consoleClientId ? this.#console().settled(tenant, read) : read();
  }
}

const switchEvent = (action: 'client.disabled' | 'client.enabled', clientId: string): NewSecurityEvent => ({
  action,
  resourceType: 'Client',
  resourceId: clientId,
  changes: { disabled: { before: action === 'client.enabled', after: action === 'client.disabled' } },
});

export class ClientRegistrations implements ClientRegistry {
  readonly #database: ClientData;
  readonly #clients: Clients;
  readonly #secrets: ClientSecrets;
  readonly #sectors: SectorDocuments;
  readonly #departure: () => Departure;
  readonly #knowers: Knowers;
  readonly #revocations: RevocationFeed;
  readonly #rulesOf: (tenant: string) => Promise<RegistrationRules>;
  readonly #publishKeys: (client: Client) => Promise<void>;

  constructor(o: {
    database: ClientData;
    clients: Clients;
    secrets: ClientSecrets;
    sectors: SectorDocuments;
    departure: () => Departure;
    knowers: Knowers;
    revocations: RevocationFeed;
    /** Requirements of the installation and the tenant for every client. */
    rulesOf: (tenant: string) => Promise<RegistrationRules>;
    /** Publishes the keys that sign responses to the client. */
    publishKeys: (client: Client) => Promise<void>;
  }) {
    this.#database = o.database;
    this.#clients = o.clients;
    this.#secrets = o.secrets;
    this.#sectors = o.sectors;
    this.#departure = o.departure;
    this.#knowers = o.knowers;
    this.#revocations = o.revocations;
    this.#rulesOf = o.rulesOf;
    this.#publishKeys = o.publishKeys;
  }

  async register(
    tenant: string,
    input: ClientMetadata,
    o: { clientId?: string; claim?: Claim | undefined; ownerToBe?: OwnerToBe } = {},
  ): Promise<RegisteredClient> {
    const names = apiScopesIn(input);
    const apiScopes = await scopesOfApis(this.#database.sql, tenant, names);
    const valid = checkClientMetadata(input, { ...(await this.#rulesOf(tenant)), apiScopes });
    const clientId = o.clientId ?? uuidv7();
    requireChangeable(clientId);
    if (!isAssignedClientId(clientId))
      throw invalidClientMetadata('client_id has characters that are not allowed.');
    if (isOpenClientId(clientId)) throw invalidClientMetadata('client_id is reserved for open registration.');
    checkSector(valid, await this.#sectorAt(valid.metadata.sector_identifier_uri));
    const method = valid.tokenEndpointAuthMethod;
    let registered: RegisteredClient;
    try {
      registered = await this.#database.transaction(async (tx) => {
        const held = await heldScopesOfApis(tx, tenant, names);
        await o.claim?.(tx, tenant, clientId);
        if (!names.every((name) => held.has(name)))
          throw invalidClientMetadata('scope names a scope whose API was deleted in the meantime.');
        const owner = (await o.ownerToBe?.(tx)) ?? null;
        const knownTo = await this.#knowers.holdKnowers(tx, tenant);
        const client = await insertClient(tx, tenant, clientId, valid, {
          owner,
          knownTo,
          knowers: this.#knowers,
        });
        const secret =
          usesSecret(method) && (await this.#secrets.insert(tx, { tenant, clientId, method }, knownTo));
        return { client, ...(secret && { clientSecret: secret }) };
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw invalidClientMetadata('client_id is taken.');
      throw error;
    }
    await this.#clients.changed(tenant, clientId);
    await this.#publishKeys(registered.client);
    return registered;
  }

  requireChangeable(clientId: string): void {
    requireChangeable(clientId);
  }

  changed(tenant: string, clientId: string): Promise<void> {
    return this.#clients.changed(tenant, clientId);
  }

  async rotateSecret(
    tenant: string,
    clientId: string,
    o: ChangeTerms & HandoverTerms & { overlapSeconds?: number; mayRotate?: (client: Client) => void } = {},
  ): Promise<{ client: Client; clientSecret: string } | null> {
    if (tenant === 'platform' || !isClientId(clientId)) return null;
    requireEditable(clientId);
    const rotated = await this.#database.transaction(async (tx) => {
      const knownTo = await this.#knowers.holdKnowers(tx, tenant);
      // Serializes changes of one client, so that two concurrent rotations cannot leave three live secrets.
      const prisma = await tx.prisma();
      const row = await unlessMissing(
        prisma.client.update({
          where: { tenant_clientId: { tenant, clientId } },
          data: { version: { increment: 1 }, updatedAt: new Date() },
        }),
      );
      if (!row) return null;
      const client = toClient(row);
      const { tokenEndpointAuthMethod: method, version } = client;
      o.mayRotate?.(client);
      await o.claim?.(tx, tenant, clientId);
      requireVersion(o, version - 1);
      if (!usesSecret(method)) {
        const why = method === 'none' ? 'A public client' : `A client that uses ${method}`;
        throw invalidClientMetadata(`${why} has no secret.`);
      }
      await record(tx, tenant, {
        action: 'client.secret_rotated',
        resourceType: 'Client',
        resourceId: clientId,
        changes: {
          client_secret: { before: masked, after: masked },
          ...(!o.keepsConsents?.(client) && (await endConsents(tx, { tenant, clientId }))),
        },
      });
      const target = { tenant, clientId, method };
      return { client, clientSecret: await this.#secrets.rotate(tx, target, knownTo, o.overlapSeconds) };
    });
    if (rotated) await this.#clients.changed(tenant, clientId);
    return rotated;
  }

  async disable(tenant: string, clientId: string, terms: ChangeTerms = {}): Promise<boolean> {
    if (!isClientId(clientId)) return false;
    // Creates the console's client first, so that it can be disabled before its first use.
    if (clientId === consoleClientId) await this.#clients.find(tenant, clientId);
    const published = await this.#database.transaction(async (tx) => {
      const held = await holdClient(tx, tenant, clientId);
      if (!held) return null;
      await terms.claim?.(tx, tenant, clientId);
      requireVersion(terms, held.version);
      const now = new Date();
      const { epoch } = await (await tx.prisma()).client.update({
        where: { tenant_clientId: { tenant, clientId } },
        data: {
          disabledAt: held.disabledAt ?? now,
          epoch: { increment: 1 },
          version: { increment: 1 },
          updatedAt: now,
        },
        select: { epoch: true },
      });
      if (held.disabledAt === null) await record(tx, tenant, switchEvent('client.disabled', clientId));
      return endClient(tx, { tenant, clientId, epoch }, this.#departure(), 'client_disabled');
    });
    if (published === null) return false;
    await Promise.all([this.#clients.changed(tenant, clientId), this.#revocations.publish(published)]);
    return true;
  }

  async enable(
    tenant: string,
    clientId: string,
    mayEnable: (client: Client) => void,
    terms: ChangeTerms = {},
  ): Promise<boolean> {
    if (tenant === 'platform' || !isClientId(clientId)) return false;
    const found = await this.#database.transaction(async (tx) => {
      const held = await holdClient(tx, tenant, clientId);
      if (!held) return false;
      mayEnable(toClient(held));
      await terms.claim?.(tx, tenant, clientId);
      requireVersion(terms, held.version);
      if (held.disabledAt === null) return true;
      // The epoch stays, so everything issued before the client was disabled remains invalid.
      await (await tx.prisma()).client.update({
        where: { tenant_clientId: { tenant, clientId } },
        data: { disabledAt: null, version: { increment: 1 }, updatedAt: new Date() },
        select: { clientId: true },
      });
      await record(tx, tenant, switchEvent('client.enabled', clientId));
      return true;
    });
    if (found) await this.#clients.changed(tenant, clientId);
    return found;
  }

  async update(
    tenant: string,
    clientId: string,
    change: (current: ClientMetadata) => ClientMetadata,
    { byItself = false, ...terms }: ChangeTerms & HandoverTerms & { byItself?: boolean } = {},
  ): Promise<RegisteredClient | null> {
    if (tenant === 'platform' || !isClientId(clientId)) return null;
    requireEditable(clientId);
    const current = await this.#clients.find(tenant, clientId);
    // Fetched before the transaction: a slow response must not hold a lock.
    const asked = current && change(clientMetadata(current));
    const sector = asked && (await this.#sectorAt(asked.sector_identifier_uri));
    const rules = await this.#rulesOf(tenant);
    // A client adds no scope of an API to its own registration.
    const names = asked && !byItself ? apiScopesIn(asked) : [];
    const changed = await this.#database.transaction(async (tx) => {
      const apiScopes = await heldScopesOfApis(tx, tenant, names);
      return changeClient(
        tx,
        { tenant, clientId },
        change,
        { sector: sector ?? undefined, byItself, rules: { ...rules, apiScopes }, ...terms },
        this.#departure(),
      );
    });
    if (!changed) return null;
    await Promise.all([
      this.#clients.changed(tenant, clientId),
      this.#revocations.publish(changed.revocations),
    ]);
    const { client, clientSecret } = changed;
    await this.#publishKeys(client);
    return clientSecret === undefined ? { client } : { client, clientSecret };
  }

  async delete(
    tenant: string,
    clientId: string,
    { byItself = false, ...terms }: ChangeTerms & { byItself?: boolean } = {},
  ): Promise<boolean> {
    if (tenant === 'platform' || !isClientId(clientId)) return false;
    requireChangeable(clientId);
    const published = await this.#database.transaction((tx) =>
      deleteClient(
        tx,
        { tenant, clientId },
        this.#departure(),
        byItself ? { kind: 'client', id: clientId } : undefined,
        terms,
      ),
    );
    if (published === null) return false;
    await Promise.all([this.#clients.changed(tenant, clientId), this.#revocations.publish(published)]);
    return true;
  }

  async #sectorAt(uri: string | undefined): Promise<Sector | undefined> {
    if (uri === undefined) return undefined;
    return this.#sectors.get(checkDocumentAddress('sector_identifier_uri', uri));
  }
}
