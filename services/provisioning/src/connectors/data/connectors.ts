import { SharedLookup, statement, stretchOf } from '@ostiary/database';
import type { IdPage, Key } from '@ostiary/service';
import type { Database, Prisma } from '../../database/data/database.ts';
import type { Connector, ConnectorToken, LiveToken } from '../domain/connector.ts';
import type { ConnectorFilter, ConnectorQueries } from '../domain/connector-queries.ts';
import { connectorTokenDigest } from '../domain/connector-token.ts';
import { connectorColumns, connectorFields, connectorOf } from './connector-row.ts';

const findLiveTokens = statement({
  name: 'connectors.findLiveTokens',
  reason: 'hot path',
  text: `SELECT ${connectorColumns}, t.id AS "tokenId", encode(t.digest, 'hex') AS digest
           FROM provisioning.connector_tokens t
           JOIN provisioning.connectors c ON c.tenant = t.tenant AND c.id = t.connector_id
           LEFT JOIN provisioning.tenants n ON n.id = t.tenant
          WHERE t.digest = ANY ($digests)
            AND t.revoked_at IS NULL
            AND (t.expires_at IS NULL OR t.expires_at > now())
            AND c.status = 'active'
            AND coalesce(n.status, 'active') = 'active'`,
  parameters: { digests: 'bytea[]' },
  columns: { ...connectorColumns.columns, tokenId: 'uuid', digest: 'text' },
});

const findByTokenIds = statement({
  name: 'connectors.findByTokenIds',
  reason: 'set',
  text: `SELECT a.key, ${connectorColumns}
           FROM unnest($keys::text[], $tenants::text[], $connectorIds::uuid[], $tokenIds::uuid[])
             AS a(key, tenant, connector_id, token_id)
           JOIN provisioning.connector_tokens t
             ON t.tenant = a.tenant AND t.connector_id = a.connector_id AND t.id = a.token_id
           JOIN provisioning.connectors c ON c.tenant = a.tenant AND c.id = a.connector_id
           LEFT JOIN provisioning.tenants n ON n.id = a.tenant
          WHERE t.revoked_at IS NULL
            AND (t.expires_at IS NULL OR t.expires_at > now())
            AND c.status = 'active'
            AND coalesce(n.status, 'active') = 'active'`,
  parameters: { keys: 'text[]', tenants: 'text[]', connectorIds: 'uuid[]', tokenIds: 'uuid[]' },
  columns: { ...connectorColumns.columns, key: 'text' },
});

const findByClients = statement({
  name: 'connectors.findByClients',
  reason: 'set',
  text: `SELECT a.key, coalesce(n.status, 'active') = 'active' AS open, ${connectorColumns}
           FROM unnest($keys::text[], $tenants::text[], $clientIds::text[]) AS a(key, tenant, client_id)
           JOIN provisioning.connectors c ON c.tenant = a.tenant AND c.client_id = a.client_id
           LEFT JOIN provisioning.tenants n ON n.id = a.tenant`,
  parameters: { keys: 'text[]', tenants: 'text[]', clientIds: 'text[]' },
  columns: { ...connectorColumns.columns, key: 'text', open: 'bool' },
});

const pruneTokens = statement({
  name: 'connectorTokens.prune',
  reason: 'set',
  text: `DELETE FROM provisioning.connector_tokens
          WHERE ctid IN (SELECT ctid FROM provisioning.connector_tokens
                          WHERE least(revoked_at, expires_at) < now() - interval '90 days' LIMIT 1000)`,
});

const touchTokens = statement({
  name: 'connectorTokens.touch',
  reason: 'set',
  // Rows locked by another transaction are skipped: it revokes them in an order of its own, and must not wait for
  // this one.
  text: `WITH used AS (
           SELECT t.tenant, t.id, u.at FROM unnest($tenants::text[], $ids::uuid[], $times::timestamptz[]) AS u(tenant, id, at)
             JOIN provisioning.connector_tokens t ON t.tenant = u.tenant AND t.id = u.id AND (t.last_used_at IS NULL OR t.last_used_at < u.at)
              FOR NO KEY UPDATE OF t SKIP LOCKED
         ) UPDATE provisioning.connector_tokens t SET last_used_at = used.at FROM used WHERE t.tenant = used.tenant AND t.id = used.id`,
  parameters: { tenants: 'text[]', ids: 'uuid[]', times: 'timestamptz[]' },
});

/** Maximum number of tokens returned for a user. */
const maxKnown = 500;

const matching = (tenant: string, { ownerId, hasOwner }: ConnectorFilter): Prisma.ConnectorWhereInput => ({
  tenant,
  status: { not: 'deleted' },
  AND: [
    ...(ownerId === undefined ? [] : [{ ownerId }]),
    ...(hasOwner === undefined ? [] : [{ ownerId: hasOwner ? { not: null } : null }]),
  ],
});

/** Queries of connectors and their tokens; `ConnectorAdministration` changes them. */
export class Connectors implements ConnectorQueries {
  readonly #database: Database;
  readonly #tokenKey: Key;
  readonly #liveTokens = new SharedLookup<LiveToken>((digests) => this.#findLive(digests));
  readonly #byTokenIds = new SharedLookup<Connector>((keys) => this.#findByTokenIds(keys));
  readonly #byClients = new SharedLookup<Connector>((keys) => this.#findByClients(keys));

  constructor(database: Database, tokenKey: Key) {
    this.#database = database;
    this.#tokenKey = tokenKey;
  }

  /**
   * Returns the connector of a live token; undefined when the token is unknown, expired or revoked, the connector
   * disabled or its tenant suspended. One indexed statement, shared by concurrent callers.
   */
  async byToken(token: string): Promise<LiveToken | undefined> {
    return this.#liveTokens.find(connectorTokenDigest(this.#tokenKey(), token).toString('hex'));
  }

  /** @param digests in hexadecimal */
  async #findLive(digests: readonly string[]): Promise<Map<string, LiveToken>> {
    const rows = await findLiveTokens.rows(this.#database.sql, {
      digests: digests.map((digest) => Buffer.from(digest, 'hex')),
    });
    return new Map(
      rows.map((row) => [row.digest, { connector: connectorOf(row), tokenId: row.tokenId }] as const),
    );
  }

  /**
   * Returns the current state of a connector that is still admitted with this token of its own. Called for each
   * operation of a Bulk, in one statement for concurrent callers.
   */
  byTokenId(tenant: string, connectorId: string, tokenId: string): Promise<Connector | undefined> {
    return this.#byTokenIds.find([tenant, connectorId, tokenId].join(' '));
  }

  /** @param keys tenant, connector and token, separated by spaces */
  async #findByTokenIds(keys: readonly string[]): Promise<Map<string, Connector>> {
    const parts = keys.map((key) => key.split(' '));
    const rows = await findByTokenIds.rows(this.#database.sql, {
      keys,
      tenants: parts.map(([tenant = '']) => tenant),
      connectorIds: parts.map(([, connectorId = '']) => connectorId),
      tokenIds: parts.map(([, , tokenId = '']) => tokenId),
    });
    return new Map(rows.map((row) => [row.key, connectorOf(row)] as const));
  }

  /** Returns the connector of an OAuth client, in any status; in a suspended tenant it counts as disabled. */
  byClient(tenant: string, clientId: string): Promise<Connector | undefined> {
    return this.#byClients.find(`${tenant} ${clientId}`);
  }

  /** @param keys tenant and client, separated by a space */
  async #findByClients(keys: readonly string[]): Promise<Map<string, Connector>> {
    const spaces = keys.map((key) => key.indexOf(' '));
    const rows = await findByClients.rows(this.#database.sql, {
      keys,
      tenants: keys.map((key, at) => key.slice(0, spaces[at])),
      clientIds: keys.map((key, at) => key.slice((spaces[at] ?? 0) + 1)),
    });
    return new Map(
      rows.map((row) => {
        const connector = connectorOf(row);
        return [row.key, row.open ? connector : { ...connector, status: 'disabled' }] as const;
      }),
    );
  }

  /** Returns all connectors of a tenant with these ids, including deleted ones. */
  async byIds(tenant: string, ids: readonly string[]): Promise<Connector[]> {
    const rows = await this.#database.prisma.connector.findMany({
      where: { tenant, id: { in: [...ids] } },
      select: connectorFields,
    });
    return rows.map(connectorOf);
  }

  /** Returns connectors in the order of creation, or backward from the newest, after the one with the id `position`. */
  async list(tenant: string, page: IdPage, filter: ConnectorFilter = {}): Promise<Connector[]> {
    const { beyond, orderBy, take } = stretchOf(page);
    const rows = await this.#database.prisma.connector.findMany({
      where: { ...matching(tenant, filter), ...beyond },
      select: connectorFields,
      orderBy,
      take,
    });
    return rows.map(connectorOf);
  }

  /** Counts the connectors of a tenant. */
  count(tenant: string, filter: ConnectorFilter = {}): Promise<number> {
    return this.#database.prisma.connector.count({ where: matching(tenant, filter) });
  }

  /** Returns live tokens of the connectors, newest first. */
  tokensOf(tenant: string, connectorIds: readonly string[]): Promise<ConnectorToken[]> {
    return this.#liveTokensOf({ tenant, connectorId: { in: [...connectorIds] } });
  }

  /** Returns live tokens of any connector that a user received, newest first; at most 500. */
  tokensKnownTo(tenant: string, userId: string): Promise<ConnectorToken[]> {
    const where = {
      knownTo: { array_contains: [{ id: userId }] },
      connector: { status: { not: 'deleted' } },
    };
    return this.#liveTokensOf({ tenant, ...where }, maxKnown);
  }

  async #liveTokensOf(where: Prisma.ConnectorTokenWhereInput, take?: number): Promise<ConnectorToken[]> {
    return this.#database.prisma.connectorToken.findMany({
      where: { ...where, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }] },
      omit: { digest: true, knownTo: true },
      orderBy: { id: 'desc' },
      ...(take !== undefined && { take }),
    });
  }

  /** Removes tokens that ended more than 90 days ago, at most 1000. @returns the number of removed tokens */
  pruneTokens(): Promise<number> {
    return pruneTokens.count(this.#database.sql);
  }

  /** Stores the collected times of the last use of tokens. */
  async touchTokens(used: ReadonlyMap<string, { tenant: string; at: Date }>): Promise<void> {
    const entries = [...used];
    await touchTokens.run(this.#database.sql, {
      tenants: entries.map(([, use]) => use.tenant),
      ids: entries.map(([id]) => id),
      times: entries.map(([, use]) => use.at),
    });
  }
}
