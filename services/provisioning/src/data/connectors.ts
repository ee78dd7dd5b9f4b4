import { createSecretKey, type KeyObject } from 'node:crypto';
import { isUniqueViolation, SharedLookup, type Sql } from '@ostiary/database';
import { uuidv7 } from '@ostiary/service';
import { isProfile, type Profile, type Quirks, readQuirks } from '../domain/compatibility/profiles.ts';
import {
  type Connector,
  type ConnectorLimits,
  type ConnectorRules,
  type ConnectorToken,
  readLimits,
  readRules,
} from '../domain/connector.ts';
import { connectorTokenDigest, newConnectorToken } from '../domain/connector-token.ts';
import type { Database } from './database.ts';

export interface NewConnector {
  name: string;
  profile: Profile;
  clientId: string | null;
  limits?: ConnectorLimits;
  rules?: ConnectorRules;
  quirks?: Partial<Quirks>;
}

/** What of a connector changes; the rest stays. */
export type ConnectorChanges = Partial<Omit<NewConnector, 'rules'>> & { rules?: Partial<ConnectorRules> };

/** Thrown when another connector of the tenant already speaks for the OAuth client. */
export class ClientTaken extends Error {}

/** A token that works, and whose it is. */
export interface LiveToken {
  connector: Connector;
  tokenId: string;
}

interface ConnectorRow {
  tenant: string;
  id: string;
  name: string;
  profile: string;
  client_id: string | null;
  status: string;
  limits: unknown;
  rules: unknown;
  quirks: unknown;
  created_at: Date;
}

const columnNames = [
  'tenant',
  'id',
  'name',
  'profile',
  'client_id',
  'status',
  'limits',
  'rules',
  'quirks',
  'created_at',
];
const columns = columnNames.map((name) => `c.${name}`).join(', ');

/**
 * Connectors and their tokens. Only digests of tokens are stored: a token is readable once, in the answer that
 * creates it.
 */
export class Connectors {
  readonly #database: Database;
  /** A prepared key: preparing it costs more than a digest. */
  readonly #tokenKey: KeyObject;
  readonly #liveTokens = new SharedLookup<LiveToken>((digests) => this.#findLive(digests));

  constructor(database: Database, tokenKey: Uint8Array) {
    this.#database = database;
    this.#tokenKey = createSecretKey(tokenKey);
  }

  /**
   * The connector a live token belongs to; nothing when the token is unknown, expired or revoked, the connector
   * disabled or its tenant suspended. One indexed statement, shared by those who ask at the same time.
   */
  byToken(token: string): Promise<LiveToken | undefined> {
    return this.#liveTokens.find(connectorTokenDigest(this.#tokenKey, token).toString('hex'));
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

  /** The connector that an OAuth client speaks for, in whatever status. */
  async byClient(tenant: string, clientId: string): Promise<Connector | undefined> {
    const { rows } = await this.#database.sql.query<ConnectorRow>(
      `SELECT ${columns} FROM provisioning.connectors c WHERE c.tenant = $1 AND c.client_id = $2`,
      [tenant, clientId],
    );
    return rows[0] && connectorOf(rows[0]);
  }

  /** All connectors of a tenant with these ids, also deleted ones. */
  async byIds(tenant: string, ids: readonly string[]): Promise<Connector[]> {
    const { rows } = await this.#database.sql.query<ConnectorRow>(
      `SELECT ${columns} FROM provisioning.connectors c WHERE c.tenant = $1 AND c.id = ANY($2::uuid[])`,
      [tenant, ids],
    );
    return rows.map(connectorOf);
  }

  /** Connectors in the order they were made, after the one with the id `after`. */
  async list(tenant: string, page: { limit: number; after?: string }): Promise<Connector[]> {
    const { rows } = await this.#database.sql.query<ConnectorRow>(
      `SELECT ${columns} FROM provisioning.connectors c
        WHERE c.tenant = $1 AND c.status <> 'deleted' AND ($2::uuid IS NULL OR c.id > $2::uuid) ORDER BY c.id LIMIT $3`,
      [tenant, page.after ?? null, page.limit],
    );
    return rows.map(connectorOf);
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

  /**
   * Makes a connector with its first token.
   * @throws ClientTaken
   */
  async create(tenant: string, input: NewConnector): Promise<{ connector: Connector; token: string }> {
    const token = newConnectorToken();
    return this.#claiming(tenant, input.clientId, async (tx) => {
      const { rows } = await tx.query<ConnectorRow>(
        `WITH c AS (
           INSERT INTO provisioning.connectors (tenant, id, name, profile, client_id, limits, rules, quirks)
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
           RETURNING ${columnNames.join(', ')}
         ), t AS (
           INSERT INTO provisioning.connector_tokens (tenant, id, connector_id, digest)
           SELECT c.tenant, $9, c.id, $10 FROM c
         )
         SELECT ${columns} FROM c`,
        [
          tenant,
          uuidv7(),
          input.name,
          input.profile,
          input.clientId,
          JSON.stringify(input.limits ?? {}),
          JSON.stringify(input.rules ?? {}),
          JSON.stringify(input.quirks ?? {}),
          uuidv7(),
          connectorTokenDigest(this.#tokenKey, token),
        ],
      );
      return { connector: connectorOf(rows[0] as ConnectorRow), token };
    });
  }

  /**
   * Changes a connector; it counts from the next request on.
   * @returns nothing when there is no such connector
   * @throws ClientTaken
   */
  async update(tenant: string, id: string, changes: ConnectorChanges): Promise<Connector | undefined> {
    const { name, profile, clientId, limits, rules, quirks } = changes;
    const json = (value: object | undefined): string | null => (value ? JSON.stringify(value) : null);
    return this.#claiming(tenant, clientId, async (tx) => {
      const { rows } = await tx.query<ConnectorRow>(
        `UPDATE provisioning.connectors c
            SET name = coalesce($3, c.name), profile = coalesce($4, c.profile),
                client_id = CASE WHEN $5::bool THEN $6 ELSE c.client_id END,
                limits = coalesce($7::jsonb, c.limits), rules = c.rules || coalesce($8::jsonb, '{}'),
                quirks = coalesce($9::jsonb, c.quirks), updated_at = now()
          WHERE c.tenant = $1 AND c.id = $2 AND c.status <> 'deleted' RETURNING ${columns}`,
        [
          tenant,
          id,
          name ?? null,
          profile ?? null,
          clientId !== undefined,
          clientId ?? null,
          json(limits),
          json(rules),
          json(quirks),
        ],
      );
      return rows[0] && connectorOf(rows[0]);
    });
  }

  /** A client may go over from a connector that was deleted. @throws ClientTaken when another one has it */
  async #claiming<T>(
    tenant: string,
    clientId: string | null | undefined,
    work: (tx: Sql) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.#database.transaction(async (tx) => {
        if (typeof clientId === 'string') {
          await tx.query(
            `UPDATE provisioning.connectors SET client_id = NULL
              WHERE tenant = $1 AND client_id = $2 AND status = 'deleted'`,
            [tenant, clientId],
          );
        }
        return work(tx);
      });
    } catch (error) {
      if (isUniqueViolation(error)) throw new ClientTaken();
      throw error;
    }
  }

  /**
   * Gives the connector another token. The newest of its live tokens works for `overlapSeconds` more, older ones
   * stop at once: never more than two are live.
   * @returns nothing when there is no such connector
   */
  async rotateToken(
    tenant: string,
    connectorId: string,
    overlapSeconds: number,
  ): Promise<{ connector: Connector; token: string; previousExpiresAt: Date | null } | undefined> {
    const token = newConnectorToken();
    return this.#database.transaction(async (tx) => {
      const found = await tx.query<ConnectorRow>(
        `SELECT ${columns} FROM provisioning.connectors c WHERE c.tenant = $1 AND c.id = $2 AND c.status <> 'deleted' FOR UPDATE`,
        [tenant, connectorId],
      );
      const row = found.rows[0];
      if (!row) return undefined;
      const kept = await tx.query<{ expires_at: Date }>(
        `WITH live AS (
           SELECT id, row_number() OVER (ORDER BY id DESC) AS age FROM provisioning.connector_tokens
            WHERE tenant = $1 AND connector_id = $2 AND revoked_at IS NULL
              AND (expires_at IS NULL OR expires_at > now())
         ), revoked AS (
           UPDATE provisioning.connector_tokens t SET revoked_at = now()
             FROM live WHERE t.tenant = $1 AND t.id = live.id AND (live.age > 1 OR $3::int = 0)
         )
         UPDATE provisioning.connector_tokens t
            SET expires_at = least(t.expires_at, now() + make_interval(secs => $3::int))
           FROM live WHERE t.tenant = $1 AND t.id = live.id AND live.age = 1 AND $3::int > 0
         RETURNING t.expires_at`,
        [tenant, connectorId, overlapSeconds],
      );
      await tx.query(
        `INSERT INTO provisioning.connector_tokens (tenant, id, connector_id, digest) VALUES ($1, $2, $3, $4)`,
        [tenant, uuidv7(), connectorId, connectorTokenDigest(this.#tokenKey, token)],
      );
      return { connector: connectorOf(row), token, previousExpiresAt: kept.rows[0]?.expires_at ?? null };
    });
  }

  /** Ends one token. @returns the connector; nothing when it has no such live token */
  async revokeToken(tenant: string, connectorId: string, tokenId: string): Promise<Connector | undefined> {
    const { rows } = await this.#database.sql.query<ConnectorRow>(
      `WITH t AS (
         UPDATE provisioning.connector_tokens SET revoked_at = now()
          WHERE tenant = $1 AND connector_id = $2 AND id = $3 AND revoked_at IS NULL
            AND (expires_at IS NULL OR expires_at > now())
         RETURNING connector_id
       )
       SELECT ${columns} FROM t JOIN provisioning.connectors c ON c.tenant = $1 AND c.id = t.connector_id
        WHERE c.status <> 'deleted'`,
      [tenant, connectorId, tokenId],
    );
    return rows[0] && connectorOf(rows[0]);
  }

  /** Disables or enables a connector. Its tokens follow at the next request. */
  async setStatus(tenant: string, id: string, status: 'active' | 'disabled'): Promise<Connector | undefined> {
    const { rows } = await this.#database.sql.query<ConnectorRow>(
      `UPDATE provisioning.connectors c SET status = $3, updated_at = now()
        WHERE c.tenant = $1 AND c.id = $2 AND c.status <> 'deleted' RETURNING ${columns}`,
      [tenant, id, status],
    );
    return rows[0] && connectorOf(rows[0]);
  }

  /**
   * Deletes a connector and revokes its tokens. The row stays: the log keeps its name, and its OAuth client does not fall
   * back to the rights of a client without a connector.
   * @returns whether there was one
   */
  async remove(tenant: string, id: string): Promise<boolean> {
    const { rowCount } = await this.#database.sql.query(
      `WITH t AS (
         UPDATE provisioning.connector_tokens SET revoked_at = now()
          WHERE tenant = $1 AND connector_id = $2 AND revoked_at IS NULL
       )
       UPDATE provisioning.connectors SET status = 'deleted', updated_at = now()
        WHERE tenant = $1 AND id = $2 AND status <> 'deleted'`,
      [tenant, id],
    );
    return rowCount > 0;
  }

  /** Forgets tokens that ended more than 90 days ago, in steps of 1000. @returns how many */
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

const connectorOf = (row: ConnectorRow): Connector => ({
  tenant: row.tenant,
  id: row.id,
  name: row.name,
  profile: isProfile(row.profile) ? row.profile : 'auto',
  clientId: row.client_id,
  status: row.status === 'active' || row.status === 'deleted' ? row.status : 'disabled',
  limits: readLimits(row.limits),
  rules: readRules(row.rules),
  quirks: readQuirks(row.quirks),
  createdAt: row.created_at,
});
