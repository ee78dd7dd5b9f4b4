import { SharedLookup, wayOf } from '@ostiary/database';
import type { IdPage, Key } from '@ostiary/service';
import type { Database } from '../../database/data/index.ts';
import type { Connector, ConnectorToken, LiveToken } from '../domain/connector.ts';
import type { ConnectorFilter, ConnectorQueries } from '../domain/connector-queries.ts';
import { connectorTokenDigest } from '../domain/connector-token.ts';
import { type ConnectorRow, columns, connectorOf } from './connector-row.ts';

const matching = `c.tenant = $1 AND c.status <> 'deleted' AND ($2::uuid IS NULL OR c.owner_id = $2::uuid)
  AND ($3::boolean IS NULL OR (c.owner_id IS NOT NULL) = $3::boolean)`;

const valuesOf = (tenant: string, { ownerId, hasOwner }: ConnectorFilter): unknown[] => [
  tenant,
  ownerId ?? null,
  hasOwner ?? null,
];

/** Connectors and their tokens, as they are; `ConnectorAdministration` changes them. */
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
   * The connector a live token belongs to; nothing when the token is unknown, expired or revoked, the connector
   * disabled or its tenant suspended. One indexed statement, shared by those who ask at the same time.
   */
  async byToken(token: string): Promise<LiveToken | undefined> {
    return this.#liveTokens.find(connectorTokenDigest(this.#tokenKey(), token).toString('hex'));
  }

  /** @param digests in hexadecimal */
  async #findLive(digests: readonly string[]): Promise<Map<string, LiveToken>> {
    const { rows } = await this.#database.sql.query<ConnectorRow & { token_id: string; digest: string }>(
      `SELECT ${columns}, t.id AS token_id, encode(t.digest, 'hex') AS digest
         FROM provisioning.connector_tokens t
         JOIN provisioning.connectors c ON c.tenant = t.tenant AND c.id = t.connector_id
         LEFT JOIN provisioning.tenants n ON n.id = t.tenant
        WHERE t.digest = ANY ($1::bytea[])
          AND t.revoked_at IS NULL
          AND (t.expires_at IS NULL OR t.expires_at > now())
          AND c.status = 'active'
          AND coalesce(n.status, 'active') = 'active'`,
      [digests.map((digest) => `\\x${digest}`)],
    );
    return new Map(
      rows.map((row) => [row.digest, { connector: connectorOf(row), tokenId: row.token_id }] as const),
    );
  }

  /**
   * A connector as it is now, if it is still admitted with this token of its own: asked again for each operation of a Bulk, in one
   * statement for those who ask at the same time.
   */
  byTokenId(tenant: string, connectorId: string, tokenId: string): Promise<Connector | undefined> {
    return this.#byTokenIds.find([tenant, connectorId, tokenId].join(' '));
  }

  /** @param keys tenant, connector and token, with spaces between them */
  async #findByTokenIds(keys: readonly string[]): Promise<Map<string, Connector>> {
    const parts = keys.map((key) => key.split(' '));
    const { rows } = await this.#database.sql.query<ConnectorRow & { key: string }>(
      `SELECT a.key, ${columns}
         FROM unnest($1::text[], $2::text[], $3::uuid[], $4::uuid[]) AS a(key, tenant, connector_id, token_id)
         JOIN provisioning.connector_tokens t
           ON t.tenant = a.tenant AND t.connector_id = a.connector_id AND t.id = a.token_id
         JOIN provisioning.connectors c ON c.tenant = a.tenant AND c.id = a.connector_id
         LEFT JOIN provisioning.tenants n ON n.id = a.tenant
        WHERE t.revoked_at IS NULL
          AND (t.expires_at IS NULL OR t.expires_at > now())
          AND c.status = 'active'
          AND coalesce(n.status, 'active') = 'active'`,
      [keys, ...[0, 1, 2].map((part) => parts.map((of) => of[part]))],
    );
    return new Map(rows.map((row) => [row.key, connectorOf(row)] as const));
  }

  /** The connector that an OAuth client speaks for, in whatever status; in a tenant that is suspended it counts as disabled. */
  byClient(tenant: string, clientId: string): Promise<Connector | undefined> {
    return this.#byClients.find(`${tenant} ${clientId}`);
  }

  /** @param keys tenant and client, with a space between them */
  async #findByClients(keys: readonly string[]): Promise<Map<string, Connector>> {
    const spaces = keys.map((key) => key.indexOf(' '));
    const { rows } = await this.#database.sql.query<ConnectorRow & { key: string; open: boolean }>(
      `SELECT a.key, coalesce(n.status, 'active') = 'active' AS open, ${columns}
         FROM unnest($1::text[], $2::text[], $3::text[]) AS a(key, tenant, client_id)
         JOIN provisioning.connectors c ON c.tenant = a.tenant AND c.client_id = a.client_id
         LEFT JOIN provisioning.tenants n ON n.id = a.tenant`,
      [
        keys,
        keys.map((key, at) => key.slice(0, spaces[at])),
        keys.map((key, at) => key.slice((spaces[at] ?? 0) + 1)),
      ],
    );
    return new Map(
      rows.map((row) => {
        const connector = connectorOf(row);
        return [row.key, row.open ? connector : { ...connector, status: 'disabled' }] as const;
      }),
    );
  }

  /** All connectors of a tenant with these ids, also deleted ones. */
  async byIds(tenant: string, ids: readonly string[]): Promise<Connector[]> {
    const { rows } = await this.#database.sql.query<ConnectorRow>(
      `SELECT ${columns} FROM provisioning.connectors c WHERE c.tenant = $1 AND c.id = ANY($2::uuid[])`,
      [tenant, ids],
    );
    return rows.map(connectorOf);
  }

  /** Connectors in the order they were made, or backward from the newest; behind the one with the id `position` that way. */
  async list(tenant: string, page: IdPage, filter: ConnectorFilter = {}): Promise<Connector[]> {
    const { beyond, order } = wayOf(page);
    const { rows } = await this.#database.sql.query<ConnectorRow>(
      `SELECT ${columns} FROM provisioning.connectors c
        WHERE ${matching} AND ($4::uuid IS NULL OR c.id ${beyond} $4::uuid) ORDER BY c.id ${order} LIMIT $5`,
      [...valuesOf(tenant, filter), page.position ?? null, page.limit],
    );
    return rows.map(connectorOf);
  }

  /** How many a tenant has. */
  async count(tenant: string, filter: ConnectorFilter = {}): Promise<number> {
    const { rows } = await this.#database.sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM provisioning.connectors c WHERE ${matching}`,
      valuesOf(tenant, filter),
    );
    return rows[0]?.total ?? 0;
  }

  /** Live tokens of the connectors, newest first. */
  async tokensOf(tenant: string, connectorIds: readonly string[]): Promise<ConnectorToken[]> {
    const rows = await this.#database.prisma.connectorToken.findMany({
      where: {
        tenant,
        connectorId: { in: [...connectorIds] },
        revokedAt: null,
        OR: [{ expiresAt: null }, { expiresAt: { gt: new Date() } }],
      },
      omit: { digest: true },
      orderBy: { id: 'desc' },
    });
    return rows;
  }

  /** Removes tokens that ended more than 90 days ago, in steps of 1000. @returns how many */
  async pruneTokens(): Promise<number> {
    const { rowCount } = await this.#database.sql.query(
      `DELETE FROM provisioning.connector_tokens
        WHERE ctid IN (SELECT ctid FROM provisioning.connector_tokens
                        WHERE least(revoked_at, expires_at) < now() - interval '90 days' LIMIT 1000)`,
    );
    return rowCount;
  }

  /** Notes when tokens were last used; called now and then with what has gathered. */
  async touchTokens(used: ReadonlyMap<string, { tenant: string; at: Date }>): Promise<void> {
    const entries = [...used];
    await this.#database.sql.query(
      `UPDATE provisioning.connector_tokens t SET last_used_at = u.at
         FROM unnest($1::text[], $2::uuid[], $3::timestamptz[]) AS u(tenant, id, at)
        WHERE t.tenant = u.tenant AND t.id = u.id AND (t.last_used_at IS NULL OR t.last_used_at < u.at)`,
      [entries.map(([, use]) => use.tenant), entries.map(([id]) => id), entries.map(([, use]) => use.at)],
    );
  }
}
