import { isUniqueViolation } from '@ostiary/database';
import { uuidv7 } from '@ostiary/service';
import { isProfile, type Profile } from '../domain/compatibility/profiles.ts';
import type { Connector, ConnectorLimits, ConnectorToken } from '../domain/connector.ts';
import { connectorTokenDigest, newConnectorToken } from '../domain/connector-token.ts';
import type { Database } from './database.ts';

export interface NewConnector {
  name: string;
  profile: Profile;
  clientId: string | null;
}

/** Thrown when another connector of the tenant already speaks for the OAuth client. */
export class ClientTaken extends Error {}

interface ConnectorRow {
  tenant: string;
  id: string;
  name: string;
  profile: string;
  client_id: string | null;
  status: string;
  limits: unknown;
  created_at: Date;
}

const columns = 'c.tenant, c.id, c.name, c.profile, c.client_id, c.status, c.limits, c.created_at';

/**
 * Connectors and their tokens. Only digests of tokens are stored: a token is readable once, in the answer that
 * creates it.
 */
export class Connectors {
  readonly #database: Database;
  readonly #tokenKey: Uint8Array;

  constructor(database: Database, tokenKey: Uint8Array) {
    this.#database = database;
    this.#tokenKey = tokenKey;
  }

  /**
   * The connector a live token belongs to; nothing when the token is unknown, expired or revoked, the connector
   * disabled or its tenant suspended. One indexed statement.
   */
  async byToken(token: string): Promise<{ connector: Connector; tokenId: string } | undefined> {
    const { rows } = await this.#database.sql.query<ConnectorRow & { token_id: string }>(
      `SELECT ${columns}, t.id AS token_id
         FROM provisioning.connector_tokens t
         JOIN provisioning.connectors c ON c.tenant = t.tenant AND c.id = t.connector_id
         LEFT JOIN provisioning.tenants n ON n.id = t.tenant
        WHERE t.digest = $1
          AND t.revoked_at IS NULL
          AND (t.expires_at IS NULL OR t.expires_at > now())
          AND c.status = 'active'
          AND coalesce(n.status, 'active') = 'active'`,
      [connectorTokenDigest(this.#tokenKey, token)],
    );
    const row = rows[0];
    return row && { connector: connectorOf(row), tokenId: row.token_id };
  }

  /** The connector that an OAuth client speaks for, in whatever status. */
  async byClient(tenant: string, clientId: string): Promise<Connector | undefined> {
    const { rows } = await this.#database.sql.query<ConnectorRow>(
      `SELECT ${columns} FROM provisioning.connectors c WHERE c.tenant = $1 AND c.client_id = $2`,
      [tenant, clientId],
    );
    return rows[0] && connectorOf(rows[0]);
  }

  /** All connectors of a tenant with these ids. */
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
        WHERE c.tenant = $1 AND ($2::uuid IS NULL OR c.id > $2::uuid) ORDER BY c.id LIMIT $3`,
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
    const id = uuidv7();
    try {
      const { rows } = await this.#database.sql.query<ConnectorRow>(
        `WITH c AS (
           INSERT INTO provisioning.connectors (tenant, id, name, profile, client_id)
           VALUES ($1, $2, $3, $4, $5)
           RETURNING tenant, id, name, profile, client_id, status, limits, created_at
         ), t AS (
           INSERT INTO provisioning.connector_tokens (tenant, id, connector_id, digest)
           SELECT c.tenant, $6, c.id, $7 FROM c
         )
         SELECT ${columns} FROM c`,
        [
          tenant,
          id,
          input.name,
          input.profile,
          input.clientId,
          uuidv7(),
          connectorTokenDigest(this.#tokenKey, token),
        ],
      );
      return { connector: connectorOf(rows[0] as ConnectorRow), token };
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
        `SELECT ${columns} FROM provisioning.connectors c WHERE c.tenant = $1 AND c.id = $2 FOR UPDATE`,
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

  /** Disables or enables a connector. Its tokens follow at the next request. */
  async setStatus(tenant: string, id: string, status: Connector['status']): Promise<Connector | undefined> {
    const { rows } = await this.#database.sql.query<ConnectorRow>(
      `UPDATE provisioning.connectors c SET status = $3, updated_at = now()
        WHERE c.tenant = $1 AND c.id = $2 RETURNING ${columns}`,
      [tenant, id, status],
    );
    return rows[0] && connectorOf(rows[0]);
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
  status: row.status === 'active' ? 'active' : 'disabled',
  limits: limitsOf(row.limits),
  createdAt: row.created_at,
});

function limitsOf(stored: unknown): ConnectorLimits {
  const pageSize = (stored as { pageSize?: unknown } | null)?.pageSize;
  return typeof pageSize === 'number' && pageSize > 0 ? { pageSize } : {};
}
