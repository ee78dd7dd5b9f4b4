import { type Database, isUniqueViolation, type Sql } from '@ostiary/database';
import { type ServiceKit, uuidv7 } from '@ostiary/service';
import { type ClientRecord, checkClientMetadata, isClientId, type ValidMetadata } from '../domain/clients.ts';
import { invalidClientMetadata } from '../domain/errors.ts';
import type {
  Client,
  ClientMetadata,
  ClientRegistry,
  ClientStore,
  Grants,
  RegisteredClient,
  RevocationFeed,
} from '../domain/ports.ts';
import { keyedDigest, randomSecret } from '../domain/secret.ts';
import type { PrismaClient } from './generated/client.ts';
import type { ClientModel } from './generated/models.ts';
import { LoadingCache } from './loading-cache.ts';

const channel = 'auth_clients';
/** Without a notification, another process's change is seen after this long. */
const freshMs = 1_000;
const day = 86_400;

/** The columns a client is made from, named as Prisma names them. */
type ClientColumns = Omit<ClientModel, 'updatedAt'>;

interface RecordRow extends ClientColumns {
  secrets: { digest: string; expires_at: number | null }[];
}

type Data = Pick<Database<PrismaClient>, 'sql' | 'transaction' | 'listen' | 'prisma'>;

/** One round trip for a client and its live secrets: a miss of the cache is on the way of a token request. */
const recordStatement = `
SELECT c.tenant, c.client_id AS "clientId", c.name, c.type, c.token_endpoint_auth_method AS "tokenEndpointAuthMethod",
  c.redirect_uris AS "redirectUris", c.grant_types AS "grantTypes", c.response_types AS "responseTypes", c.scopes,
  c.resources, c.metadata, c.epoch, c.disabled_at AS "disabledAt", c.created_at AS "createdAt",
  COALESCE((SELECT jsonb_agg(jsonb_build_object(
              'digest', encode(s.digest, 'hex'), 'expires_at', extract(epoch FROM s.expires_at) * 1000))
            FROM auth.client_secrets s
            WHERE s.tenant = c.tenant AND s.client_id = c.client_id AND (s.expires_at IS NULL OR s.expires_at > now())),
           '[]') AS secrets
FROM auth.clients c WHERE c.tenant = $1 AND c.client_id = $2`;

/** Registered clients, kept in memory; `platform` ones come from the environment and are never in the database. */
export class Clients implements ClientStore {
  readonly #database: Data;
  readonly #static: ReadonlyMap<string, ClientRecord>;
  readonly #records: LoadingCache<ClientRecord | null>;

  constructor(o: { database: Data; kit: ServiceKit; platform: readonly ClientRecord[] }) {
    this.#database = o.database;
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
    page: { first: number; after?: string },
  ): Promise<{ clients: Client[]; total: number }> {
    const { prisma } = this.#database;
    const [rows, total] = await Promise.all([
      prisma.client.findMany({
        where: { tenant },
        orderBy: [{ createdAt: 'asc' }, { clientId: 'asc' }],
        take: page.first,
        ...(page.after === undefined
          ? {}
          : { cursor: { tenant_clientId: { tenant, clientId: page.after } }, skip: 1 }),
      }),
      prisma.client.count({ where: { tenant } }),
    ]);
    return { clients: rows.map(toClient), total };
  }

  /** Tells every process that a client changed; this one at once. Others see it within a second anyway. */
  async changed(tenant: string, clientId: string): Promise<void> {
    const key = cacheKey(tenant, clientId);
    this.#records.invalidate(key);
    await this.#database.sql.query('SELECT pg_notify($1, $2)', [channel, key]).catch(() => {});
  }

  async #load(key: string): Promise<ClientRecord | null> {
    const slash = key.indexOf('/');
    const { rows } = await this.#database.sql.query<RecordRow>(recordStatement, [
      key.slice(0, slash),
      key.slice(slash + 1),
    ]);
    return rows[0] ? toRecord(rows[0]) : null;
  }
}

// A tenant's slug has no slash, so the first one separates.
const cacheKey = (tenant: string, clientId: string): string => `${tenant}/${clientId}`;

function toClient(row: ClientColumns): Client {
  const metadata = row.metadata as Partial<ValidMetadata['metadata']>;
  return Object.freeze({
    tenant: row.tenant,
    clientId: row.clientId,
    name: row.name,
    type: row.type as Client['type'],
    tokenEndpointAuthMethod: row.tokenEndpointAuthMethod as Client['tokenEndpointAuthMethod'],
    redirectUris: row.redirectUris,
    postLogoutRedirectUris: metadata.post_logout_redirect_uris ?? [],
    grantTypes: row.grantTypes,
    responseTypes: row.responseTypes,
    scopes: row.scopes,
    resources: row.resources,
    epoch: row.epoch,
    disabled: row.disabledAt !== null,
    idTokenSignedResponseAlg: metadata.id_token_signed_response_alg ?? 'RS256',
    requireConsent: metadata.require_consent ?? true,
    clientUri: metadata.client_uri ?? null,
    logoUri: metadata.logo_uri ?? null,
    metadata,
    createdAt: row.createdAt,
  });
}

const toRecord = (row: RecordRow): ClientRecord => ({
  client: toClient(row),
  secrets: row.secrets.map((secret) => ({
    digest: Buffer.from(secret.digest, 'hex'),
    expiresAt: secret.expires_at,
  })),
});

/** Registration, secret rotation and disabling of clients. */
export class ClientRegistrations implements ClientRegistry {
  readonly #database: Data;
  readonly #clients: Clients;
  readonly #secretKey: Buffer;
  readonly #grants: Grants;
  readonly #revocations: RevocationFeed;
  readonly #tokenLifetimeSeconds: number;
  readonly #clock: () => number;

  constructor(o: {
    database: Data;
    clients: Clients;
    /** Key of the client secrets' digests. */
    secretKey: Buffer;
    grants: Grants;
    revocations: RevocationFeed;
    /** How long the longest-lived access token may still be around. */
    tokenLifetimeSeconds: number;
    clock: () => number;
  }) {
    this.#database = o.database;
    this.#clients = o.clients;
    this.#secretKey = o.secretKey;
    this.#grants = o.grants;
    this.#revocations = o.revocations;
    this.#tokenLifetimeSeconds = o.tokenLifetimeSeconds;
    this.#clock = o.clock;
  }

  async register(
    tenant: string,
    input: ClientMetadata,
    o: { clientId?: string } = {},
  ): Promise<RegisteredClient> {
    const valid = checkClientMetadata(input);
    const clientId = o.clientId ?? uuidv7();
    if (!isClientId(clientId)) throw invalidClientMetadata('client_id has characters that are not allowed.');
    const clientSecret = valid.type === 'confidential' ? newClientSecret() : undefined;
    try {
      await this.#database.transaction(async (tx) => {
        await insertClient(tx, tenant, clientId, valid);
        if (clientSecret) await this.#insertSecret(tx, tenant, clientId, clientSecret);
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw invalidClientMetadata('client_id is taken.');
      throw error;
    }
    await this.#clients.changed(tenant, clientId);
    const client = await this.#clients.find(tenant, clientId);
    if (!client) throw new Error('a client disappeared right after its registration');
    return clientSecret === undefined ? { client } : { client, clientSecret };
  }

  async rotateSecret(
    tenant: string,
    clientId: string,
    o: { overlapSeconds?: number } = {},
  ): Promise<{ client: Client; clientSecret: string } | null> {
    const client = await this.#clients.find(tenant, clientId);
    if (!client || tenant === 'platform') return null;
    if (client.type === 'public') throw invalidClientMetadata('A public client has no secret.');
    const clientSecret = newClientSecret();
    await this.#database.transaction(async (tx) => {
      // Serializes rotations of one client, so that two at once can't leave three live secrets.
      await tx.query('SELECT 1 FROM auth.clients WHERE tenant = $1 AND client_id = $2 FOR UPDATE', [
        tenant,
        clientId,
      ]);
      // Only the newest of the older ones may overlap with the new one.
      await tx.query(
        `DELETE FROM auth.client_secrets WHERE tenant = $1 AND client_id = $2 AND id NOT IN
           (SELECT id FROM auth.client_secrets WHERE tenant = $1 AND client_id = $2 ORDER BY created_at DESC, id DESC LIMIT 1)`,
        [tenant, clientId],
      );
      await tx.query(
        `UPDATE auth.client_secrets SET expires_at = LEAST(expires_at, now() + $3 * interval '1 second')
         WHERE tenant = $1 AND client_id = $2`,
        [tenant, clientId, o.overlapSeconds ?? day],
      );
      await this.#insertSecret(tx, tenant, clientId, clientSecret);
    });
    await this.#clients.changed(tenant, clientId);
    return { client, clientSecret };
  }

  async disable(tenant: string, clientId: string): Promise<boolean> {
    if (!isClientId(clientId)) return false;
    const published = await this.#database.transaction(async (tx) => {
      const { rows } = await tx.query<{ epoch: number }>(
        `UPDATE auth.clients SET disabled_at = COALESCE(disabled_at, now()), epoch = epoch + 1, updated_at = now()
         WHERE tenant = $1 AND client_id = $2 RETURNING epoch`,
        [tenant, clientId],
      );
      const epoch = rows[0]?.epoch;
      if (epoch === undefined) return null;
      await this.#grants.revokeByClient(tx, tenant, clientId);
      const expiresAt = Math.ceil(this.#clock() / 1000) + this.#tokenLifetimeSeconds;
      return this.#revocations.append(
        tx,
        [{ tenant, kind: 'client', key: clientId, epoch, expiresAt }],
        'client_disabled',
      );
    });
    if (published === null) return false;
    await Promise.all([this.#clients.changed(tenant, clientId), this.#revocations.publish(published)]);
    return true;
  }

  async #insertSecret(tx: Sql, tenant: string, clientId: string, secret: string): Promise<void> {
    await tx.query(
      'INSERT INTO auth.client_secrets (tenant, id, client_id, digest) VALUES ($1, $2, $3, $4)',
      [tenant, uuidv7(), clientId, keyedDigest(this.#secretKey, secret)],
    );
  }
}

const newClientSecret = (): string => randomSecret('ocs_');

async function insertClient(tx: Sql, tenant: string, clientId: string, valid: ValidMetadata): Promise<void> {
  await tx.query(
    `INSERT INTO auth.clients (tenant, client_id, name, type, token_endpoint_auth_method, redirect_uris, grant_types,
       response_types, scopes, resources, metadata)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
    [
      tenant,
      clientId,
      valid.name,
      valid.type,
      valid.tokenEndpointAuthMethod,
      valid.redirectUris,
      valid.grantTypes,
      valid.responseTypes,
      valid.scopes,
      valid.resources,
      JSON.stringify(valid.metadata),
    ],
  );
}
