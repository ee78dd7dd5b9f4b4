import {
  type Claim,
  type Database,
  isUniqueViolation,
  type RowOf,
  type Sql,
  statement,
  typed,
} from '@ostiary/database';
import { type ServiceKit, uuidv7 } from '@ostiary/service';
import { record } from '../../audit/data/index.ts';
import { masked, type NewSecurityEvent } from '../../audit/index.ts';
import { notify, type PrismaClient, unlessMissing } from '../../database/data/index.ts';
import type { Grants } from '../../grants/index.ts';
import { LoadingCache } from '../../keys/index.ts';
import type { OwnerToBe } from '../../ownership/index.ts';
import { type ChangeTerms, invalidClientMetadata, requireVersion } from '../../protocol/index.ts';
import type { RevocationFeed } from '../../subjects/index.ts';
import type { Client, ClientFilter, ClientPage, ClientStore } from '../domain/client.ts';
import { clientMetadata } from '../domain/client-metadata.ts';
import type { ClientMetadata, ClientRegistry, RegisteredClient } from '../domain/client-registry.ts';
import {
  type ClientRecord,
  checkClientMetadata,
  isClientId,
  type RegistrationRules,
} from '../domain/clients.ts';
import { checkDocumentAddress } from '../domain/document-address.ts';
import { checkSector, type Sector } from '../domain/subject-identifier.ts';
import { changeClient, deleteClient, endClient, holdClient, insertClient } from './client-changes.ts';
import { listClients } from './client-list.ts';
import { clientColumns, toClient } from './client-row.ts';
import { type ClientSecrets, usesSecret } from './client-secrets.ts';
import type { SectorDocuments } from './sector-documents.ts';

const channel = 'auth_clients';
/** Without a notification, another process's change is seen after this long. */
const freshMs = 1_000;

/** Tells every process that all clients of a tenant changed, as soon as the transaction commits; all of them forget all clients. */
export async function announceClientsOf(tx: Sql, tenant: string): Promise<void> {
  await notify(tx, channel, tenant);
}

export type ClientData = Pick<Database<PrismaClient>, 'sql' | 'transaction' | 'listen' | 'prisma'>;

/**
 * One round trip for a client and its live secrets: a miss of the cache is on the way of a token request. A suspension of the
 * tenant ends one epoch and begins the next, so whoever sees the new epoch has to see the suspension too, however lately
 * they asked about the tenant.
 */
const findRecord = statement({
  name: 'clients.record',
  reason: 'hot path',
  text: `
SELECT ${clientColumns},
  EXISTS (SELECT 1 FROM auth.tenants n WHERE n.id = c.tenant AND n.status = 'suspended') AS suspended,
  COALESCE((SELECT jsonb_agg(jsonb_build_object(
              'id', s.id, 'digest', encode(s.digest, 'hex'), 'sealed', encode(s.sealed, 'hex'), 'expiresAt', extract(epoch FROM s.expires_at) * 1000))
            FROM auth.client_secrets s
            WHERE s.tenant = c.tenant AND s.client_id = c.client_id AND (s.expires_at IS NULL OR s.expires_at > now())),
           '[]') AS secrets
FROM auth.clients c WHERE c.tenant = $tenant AND c.client_id = $clientId`,
  parameters: { tenant: 'text', clientId: 'text' },
  columns: {
    ...clientColumns.columns,
    suspended: 'bool',
    secrets:
      typed<{ id: string; digest: string; sealed: string | null; expiresAt: number | null }[]>('jsonb'),
  },
});

/** Registered clients, kept in memory; `platform` ones come from the environment and are never in the database. */
export class Clients implements ClientStore {
  readonly #database: ClientData;
  readonly #secrets: ClientSecrets;
  readonly #static: ReadonlyMap<string, ClientRecord>;
  readonly #records: LoadingCache<ClientRecord | null>;

  constructor(o: {
    database: ClientData;
    kit: ServiceKit;
    secrets: ClientSecrets;
    platform: readonly ClientRecord[];
  }) {
    this.#database = o.database;
    this.#secrets = o.secrets;
    this.#static = new Map(
      o.platform.map((record) => [cacheKey('platform', record.client.clientId), record]),
    );
    this.#records = new LoadingCache({
      max: 50_000,
      freshMs,
      clock: o.kit.clock,
      load: (key) => this.#load(key),
    });
  }

  /** Follows changes made by other processes. Resolves to the function that stops it. */
  async start(): Promise<() => Promise<void>> {
    return this.#database.listen(channel, (key) =>
      this.#records.invalidate(key.includes('/') ? key : undefined),
    );
  }

  async find(tenant: string, clientId: string): Promise<Client | null> {
    return (await this.record(tenant, clientId))?.client ?? null;
  }

  /** A client with the digests of its live secrets, for authentication. */
  async record(tenant: string, clientId: string): Promise<ClientRecord | null> {
    if (!isClientId(clientId)) return null;
    if (tenant === 'platform') return this.#static.get(cacheKey(tenant, clientId)) ?? null;
    return this.#records.get(cacheKey(tenant, clientId));
  }

  async list(
    tenant: string,
    page: ClientPage,
    filter: ClientFilter = {},
  ): Promise<{ clients: Client[]; total: number }> {
    return listClients(this.#database.sql, tenant, page, filter);
  }

  /** Tells every process that a client changed; this one at once. Others see it within a second anyway. */
  async changed(tenant: string, clientId: string): Promise<void> {
    const key = cacheKey(tenant, clientId);
    this.#records.invalidate(key);
    await notify(this.#database.sql, channel, key).catch(() => {});
  }

  async #load(key: string): Promise<ClientRecord | null> {
    const slash = key.indexOf('/');
    const tenant = key.slice(0, slash);
    const row = await findRecord.first(this.#database.sql, { tenant, clientId: key.slice(slash + 1) });
    return row ? toRecord(row, this.#secrets) : null;
  }
}

// A tenant's slug has no slash, so the first one separates.
const cacheKey = (tenant: string, clientId: string): string => `${tenant}/${clientId}`;

const toRecord = (row: RowOf<typeof findRecord.columns>, secrets: ClientSecrets): ClientRecord => ({
  client: row.suspended ? { ...toClient(row), disabled: true, suspended: true } : toClient(row),
  secrets: row.secrets.map(({ id, digest, sealed, expiresAt }) => ({
    digest: Buffer.from(digest, 'hex'),
    expiresAt,
    ...(sealed === null
      ? {}
      : { reveal: () => secrets.reveal(row.tenant, row.clientId, id, Buffer.from(sealed, 'hex')) }),
  })),
});

const switchEvent = (action: 'client.disabled' | 'client.enabled', clientId: string): NewSecurityEvent => ({
  action,
  resourceType: 'Client',
  resourceId: clientId,
  changes: { disabled: { before: action === 'client.enabled', after: action === 'client.disabled' } },
});

/** Registration, secret rotation and disabling of clients. */
export class ClientRegistrations implements ClientRegistry {
  readonly #database: ClientData;
  readonly #clients: Clients;
  readonly #secrets: ClientSecrets;
  readonly #sectors: SectorDocuments;
  readonly #grants: Grants;
  readonly #revocations: RevocationFeed;
  readonly #tokenLifetimeSeconds: number;
  readonly #rulesOf: (tenant: string) => Promise<RegistrationRules>;
  readonly #publishKeys: (client: Client) => Promise<void>;
  readonly #clock: () => number;

  constructor(o: {
    database: ClientData;
    clients: Clients;
    secrets: ClientSecrets;
    sectors: SectorDocuments;
    grants: Grants;
    revocations: RevocationFeed;
    /** How long the longest-lived access token may still be around. */
    tokenLifetimeSeconds: number;
    /** What the installation and the tenant demand of every client. */
    rulesOf: (tenant: string) => Promise<RegistrationRules>;
    /** Sees to it that the keys which answers to the client are signed with are published. */
    publishKeys: (client: Client) => Promise<void>;
    clock: () => number;
  }) {
    this.#database = o.database;
    this.#clients = o.clients;
    this.#secrets = o.secrets;
    this.#sectors = o.sectors;
    this.#grants = o.grants;
    this.#revocations = o.revocations;
    this.#tokenLifetimeSeconds = o.tokenLifetimeSeconds;
    this.#rulesOf = o.rulesOf;
    this.#publishKeys = o.publishKeys;
    this.#clock = o.clock;
  }

  async register(
    tenant: string,
    input: ClientMetadata,
    o: { clientId?: string; claim?: Claim | undefined; ownerToBe?: OwnerToBe } = {},
  ): Promise<RegisteredClient> {
    const valid = checkClientMetadata(input, await this.#rulesOf(tenant));
    const clientId = o.clientId ?? uuidv7();
    if (!isClientId(clientId)) throw invalidClientMetadata('client_id has characters that are not allowed.');
    checkSector(valid, await this.#sectorAt(valid.metadata.sector_identifier_uri));
    const method = valid.tokenEndpointAuthMethod;
    let clientSecret: string | undefined;
    try {
      clientSecret = await this.#database.transaction(async (tx) => {
        await o.claim?.(tx, tenant, clientId);
        const owner = (await o.ownerToBe?.(tx)) ?? null;
        await insertClient(tx, tenant, clientId, valid, owner);
        return usesSecret(method) ? this.#secrets.insert(tx, { tenant, clientId, method }) : undefined;
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw invalidClientMetadata('client_id is taken.');
      throw error;
    }
    await this.#clients.changed(tenant, clientId);
    const client = await this.#clients.find(tenant, clientId);
    if (!client) throw new Error('a client disappeared right after its registration');
    await this.#publishKeys(client);
    return clientSecret === undefined ? { client } : { client, clientSecret };
  }

  changed(tenant: string, clientId: string): Promise<void> {
    return this.#clients.changed(tenant, clientId);
  }

  async rotateSecret(
    tenant: string,
    clientId: string,
    o: ChangeTerms & { overlapSeconds?: number; mayRotate?: (scopes: readonly string[]) => void } = {},
  ): Promise<{ client: Client; clientSecret: string } | null> {
    if (tenant === 'platform' || !isClientId(clientId)) return null;
    const rotated = await this.#database.transaction(async (tx) => {
      // Serializes changes of one client, so that two rotations at once can't leave three live secrets.
      const prisma = await tx.prisma();
      const row = await unlessMissing(
        prisma.client.update({
          where: { tenant_clientId: { tenant, clientId } },
          data: { version: { increment: 1 }, updatedAt: new Date() },
        }),
      );
      if (!row) return null;
      const client = toClient(row);
      const { tokenEndpointAuthMethod: method, scopes, version } = client;
      o.mayRotate?.(scopes);
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
        changes: { client_secret: { before: masked, after: masked } },
      });
      const target = { tenant, clientId, method };
      return { client, clientSecret: await this.#secrets.rotate(tx, target, o.overlapSeconds) };
    });
    if (rotated) await this.#clients.changed(tenant, clientId);
    return rotated;
  }

  async disable(tenant: string, clientId: string, terms: ChangeTerms = {}): Promise<boolean> {
    if (!isClientId(clientId)) return false;
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
      return endClient(tx, { tenant, clientId, epoch }, this.#departure, 'client_disabled');
    });
    if (published === null) return false;
    await Promise.all([this.#clients.changed(tenant, clientId), this.#revocations.publish(published)]);
    return true;
  }

  async enable(
    tenant: string,
    clientId: string,
    mayEnable: (scopes: readonly string[]) => void,
    terms: ChangeTerms = {},
  ): Promise<boolean> {
    if (tenant === 'platform' || !isClientId(clientId)) return false;
    const found = await this.#database.transaction(async (tx) => {
      const held = await holdClient(tx, tenant, clientId);
      if (!held) return false;
      mayEnable(held.scopes);
      await terms.claim?.(tx, tenant, clientId);
      requireVersion(terms, held.version);
      if (held.disabledAt === null) return true;
      // The epoch stays where disabling left it: what was issued before it remains worthless.
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
    { byItself = false, ...terms }: ChangeTerms & { byItself?: boolean } = {},
  ): Promise<RegisteredClient | null> {
    if (tenant === 'platform' || !isClientId(clientId)) return null;
    const current = await this.#clients.find(tenant, clientId);
    // Before the transaction: somebody else's slow answer must not hold a lock.
    const sector = current && (await this.#sectorAt(change(clientMetadata(current)).sector_identifier_uri));
    const rules = await this.#rulesOf(tenant);
    const changed = await this.#database.transaction((tx) =>
      changeClient(
        tx,
        { tenant, clientId },
        change,
        { sector: sector ?? undefined, byItself, rules, ...terms },
        this.#departure,
      ),
    );
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
    const published = await this.#database.transaction((tx) =>
      deleteClient(
        tx,
        { tenant, clientId },
        this.#departure,
        byItself ? { kind: 'client', id: clientId } : undefined,
        terms,
      ),
    );
    if (published === null) return false;
    await Promise.all([this.#clients.changed(tenant, clientId), this.#revocations.publish(published)]);
    return true;
  }

  async #sectorAt(uri: string | undefined): Promise<Sector | undefined> {
    return uri === undefined
      ? undefined
      : this.#sectors.get(checkDocumentAddress('sector_identifier_uri', uri));
  }

  get #departure() {
    return {
      secrets: this.#secrets,
      grants: this.#grants,
      revocations: this.#revocations,
      /** Unix seconds when the last token issued until now has expired. */
      expiresAt: Math.ceil(this.#clock() / 1000) + this.#tokenLifetimeSeconds,
    };
  }
}
