import { type Claim, type Database, type IdPage, type Sql, wayOf } from '@ostiary/database';
import { type Key, uuidv7 } from '@ostiary/service';
import { record, recordClause } from '../../audit/data/index.ts';
import { changesBetween } from '../../audit/index.ts';
import { equalDigests, keyedDigest, randomSecret } from '../../keys/index.ts';
import { ownerOfInitialAccessToken, setOwner } from '../../ownership/data/index.ts';
import type { Owners, OwnerToBe } from '../../ownership/index.ts';
import { NoSuchOwner } from '../../protocol/index.ts';
import type { Client } from '../domain/client.ts';
import { isClientId } from '../domain/clients.ts';
import type {
  InitialAccessToken,
  RegisteredItself,
  RegistrationStore,
} from '../domain/dynamic-registration.ts';
import { checkSector } from '../domain/subject-identifier.ts';
import type { ValidMetadata } from '../domain/valid-metadata.ts';
import { insertClient } from './client-changes.ts';
import { type ClientSecrets, usesSecret } from './client-secrets.ts';
import type { Clients } from './clients.ts';
import type { SectorDocuments } from './sector-documents.ts';

const columns = `id, name, scopes, uses_left AS "usesLeft", created_at AS "createdAt", expires_at AS "expiresAt"`;
const live = 'uses_left > 0 AND expires_at > now()';

/** Initial access tokens, and the registration access tokens of the clients registered with them; both as digests. */
export class DynamicRegistrations implements RegistrationStore {
  readonly #database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  readonly #clients: Clients;
  readonly #secrets: ClientSecrets;
  readonly #sectors: SectorDocuments;
  readonly #key: Key;

  constructor(o: {
    database: Pick<Database<unknown>, 'sql' | 'transaction'>;
    clients: Clients;
    secrets: ClientSecrets;
    sectors: SectorDocuments;
    /** Of the digests of the tokens. */
    key: Key;
  }) {
    this.#database = o.database;
    this.#clients = o.clients;
    this.#secrets = o.secrets;
    this.#sectors = o.sectors;
    this.#key = o.key;
  }

  async createToken(
    tenant: string,
    o: { name: string; scopes: readonly string[]; uses: number; lifetimeSeconds: number },
    claim?: Claim,
    ownerToBe?: OwnerToBe,
  ): Promise<{ token: string; initialAccessToken: InitialAccessToken }> {
    const token = randomSecret('oit_');
    const id = uuidv7();
    const { name, scopes, uses, lifetimeSeconds } = o;
    const event = recordClause(
      tenant,
      {
        action: 'initial_access_token.created',
        resourceType: 'InitialAccessToken',
        resourceId: id,
        changes: changesBetween(undefined, { name, scopes, uses, lifetimeSeconds }),
      },
      { firstParameter: 8 },
    );
    const insert = (sql: Sql) =>
      sql.query<InitialAccessToken>(
        `WITH ${event.text}
         INSERT INTO auth.initial_access_tokens (tenant, id, name, digest, scopes, uses_left, expires_at)
         VALUES ($1, $2, $3, $4, $5, $6, now() + $7 * interval '1 second') RETURNING ${columns}`,
        [tenant, id, name, this.#digest(tenant, token), scopes, uses, lifetimeSeconds, ...event.values],
      );
    const { rows } = await this.#database.transaction(async (tx) => {
      const owner = (await ownerToBe?.(tx)) ?? null;
      await claim?.(tx, tenant, id);
      if (owner) await setOwner(tx, tenant, 'initial_access_token', id, owner);
      return insert(tx);
    });
    return { token, initialAccessToken: rows[0] as InitialAccessToken };
  }

  async listTokens(tenant: string, page: IdPage): Promise<InitialAccessToken[]> {
    const { beyond, order } = wayOf(page, { newestFirst: true });
    const { rows } = await this.#database.sql.query<InitialAccessToken>(
      `SELECT ${columns} FROM auth.initial_access_tokens
       WHERE tenant = $1 AND ${live} AND ($2::uuid IS NULL OR id ${beyond} $2::uuid) ORDER BY id ${order} LIMIT $3`,
      [tenant, page.position ?? null, page.limit],
    );
    return rows;
  }

  async countTokens(tenant: string): Promise<number> {
    const { rows } = await this.#database.sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM auth.initial_access_tokens WHERE tenant = $1 AND ${live}`,
      [tenant],
    );
    return rows[0]?.total ?? 0;
  }

  async tokenOf(tenant: string, id: string): Promise<InitialAccessToken | undefined> {
    const { rows } = await this.#database.sql.query<InitialAccessToken>(
      `SELECT ${columns} FROM auth.initial_access_tokens WHERE tenant = $1 AND id = $2 AND ${live}`,
      [tenant, id],
    );
    return rows[0];
  }

  async tokensOf(tenant: string, ids: readonly string[]): Promise<InitialAccessToken[]> {
    const { rows } = await this.#database.sql.query<InitialAccessToken>(
      `SELECT ${columns} FROM auth.initial_access_tokens WHERE tenant = $1 AND id = ANY($2::uuid[]) AND ${live}`,
      [tenant, [...ids]],
    );
    return rows;
  }

  async revokeToken(tenant: string, id: string, claim?: Claim): Promise<boolean> {
    return this.#database.transaction(async (tx) => {
      const { rows } = await tx.query<{ name: string }>(
        'DELETE FROM auth.initial_access_tokens WHERE tenant = $1 AND id = $2 RETURNING name',
        [tenant, id],
      );
      if (!rows[0]) return false;
      await setOwner(tx, tenant, 'initial_access_token', id.toLowerCase(), null);
      await claim?.(tx, tenant, id);
      await record(tx, tenant, {
        action: 'initial_access_token.revoked',
        resourceType: 'InitialAccessToken',
        resourceId: id.toLowerCase(),
        changes: changesBetween({ name: rows[0].name }, undefined),
      });
      return true;
    });
  }

  async findToken(tenant: string, token: string): Promise<InitialAccessToken | null> {
    const { rows } = await this.#database.sql.query<InitialAccessToken>(
      `SELECT ${columns} FROM auth.initial_access_tokens WHERE tenant = $1 AND digest = $2 AND ${live}`,
      [tenant, this.#digest(tenant, token)],
    );
    return rows[0] ?? null;
  }

  async register(
    tenant: string,
    token: string,
    valid: ValidMetadata,
    owners: Pick<Owners, 'hold'>,
  ): Promise<RegisteredItself | null> {
    const { sector_identifier_uri: sectorUri } = valid.metadata;
    if (sectorUri !== undefined) checkSector(valid, await this.#sectors.get(sectorUri));
    const clientId = uuidv7();
    const method = valid.tokenEndpointAuthMethod;
    const registrationAccessToken = randomSecret('oct_');
    const registration = this.#database.transaction(async (tx) => {
      // What is made with somebody's token is theirs. They are held before the token, as by their departure, which takes it away.
      const owner = await ownerOfInitialAccessToken(tx, tenant, this.#digest(tenant, token));
      if (owner) await owners.hold(tx, tenant, 'client', owner);
      const used = await this.#use(tx, tenant, token);
      if (!used) return null;
      // Whoever holds the initial access token: nobody knows more of them.
      await insertClient(tx, tenant, clientId, valid, owner, {
        kind: 'client',
        id: clientId,
        onBehalfOf: used.id,
      });
      await tx.query(
        `INSERT INTO auth.client_registrations (tenant, client_id, digest, scopes, initial_access_token_id)
         VALUES ($1, $2, $3, $4, $5)`,
        [tenant, clientId, this.#digest(tenant, registrationAccessToken), used.scopes, used.id],
      );
      const secret = usesSecret(method) && (await this.#secrets.insert(tx, { tenant, clientId, method }));
      return secret ? { clientSecret: secret } : {};
    });
    const registered = await registration.catch((error: unknown) => {
      if (error instanceof NoSuchOwner) return null;
      throw error;
    });
    if (!registered) return null;
    await this.#clients.changed(tenant, clientId);
    const client = await this.#clients.find(tenant, clientId);
    if (!client) throw new Error('a client disappeared right after its registration');
    return { client, registrationAccessToken, ...registered };
  }

  async findRegistration(
    tenant: string,
    clientId: string,
    registrationAccessToken: string,
  ): Promise<{ client: Client; scopes: string[] } | null> {
    if (!isClientId(clientId)) return null;
    const { rows } = await this.#database.sql.query<{ digest: Buffer; scopes: string[] }>(
      'SELECT digest, scopes FROM auth.client_registrations WHERE tenant = $1 AND client_id = $2',
      [tenant, clientId],
    );
    const registration = rows[0];
    if (!registration || !equalDigests(registration.digest, this.#digest(tenant, registrationAccessToken))) {
      return null;
    }
    const client = await this.#clients.find(tenant, clientId);
    return client && !client.disabled ? { client, scopes: registration.scopes } : null;
  }

  /** Takes one use, if one is left: the row's lock makes parallel registrations queue here. */
  async #use(tx: Sql, tenant: string, token: string): Promise<{ id: string; scopes: string[] } | undefined> {
    const { rows } = await tx.query<{ id: string; scopes: string[] }>(
      `UPDATE auth.initial_access_tokens SET uses_left = uses_left - 1
       WHERE tenant = $1 AND digest = $2 AND ${live} RETURNING id, scopes`,
      [tenant, this.#digest(tenant, token)],
    );
    return rows[0];
  }

  #digest(tenant: string, token: string): Buffer {
    return keyedDigest(this.#key(), `${tenant}\0${token}`);
  }
}
