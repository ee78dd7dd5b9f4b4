import type { Database, Sql } from '@ostiary/database';
import { isUuid } from '@ostiary/service';
import type { NewRevocation } from '../../subjects/index.ts';
import type { GrantSummary, Grants } from '../domain/grant-revocation.ts';

const offlineAccess = 'offline_access';

/** Holds a grant until the transaction ends. False when it has been revoked: what is made under it must not outlive that. */
export async function holdGrant(tx: Sql, tenant: string, grantId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'SELECT 1 FROM auth.grants WHERE tenant = $1 AND id = $2 AND revoked_at IS NULL FOR SHARE',
    [tenant, grantId],
  );
  return rowCount > 0;
}

/** Revokes the personal access tokens that apps made under these grants; returns their ids. */
export type RevokeTokensOfGrants = (
  tx: Sql,
  tenant: string,
  grantIds: readonly string[],
) => Promise<string[]>;

/** Revocation and listing of grants. A malformed id matches nothing. */
export class PostgresGrants implements Grants {
  readonly #sql: Sql;
  readonly #clock: () => number;
  readonly #tokenLifetime: number;
  readonly #revokeTokensOfGrants: RevokeTokensOfGrants;

  constructor(o: {
    database: Pick<Database<unknown>, 'sql'>;
    /** Milliseconds. */
    clock: () => number;
    /** Seconds for which an access token of a grant may still be around. */
    tokenLifetime: number;
    revokeTokensOfGrants: RevokeTokensOfGrants;
  }) {
    this.#sql = o.database.sql;
    this.#clock = o.clock;
    this.#tokenLifetime = o.tokenLifetime;
    this.#revokeTokensOfGrants = o.revokeTokensOfGrants;
  }

  async revokeBySession(
    tx: Sql,
    tenant: string,
    sessionId: string,
    o: { keepOffline?: boolean } = {},
  ): Promise<NewRevocation[]> {
    if (!isUuid(sessionId)) return none;
    if (o.keepOffline) {
      await tx.query(
        `UPDATE auth.grants SET session_id = NULL
         WHERE tenant = $1 AND session_id = $2 AND revoked_at IS NULL AND scopes @> ARRAY[$3]`,
        [tenant, sessionId, offlineAccess],
      );
    }
    return this.#revoke(tx, tenant, 'session_id = $2', [sessionId]);
  }

  revokeByClient(tx: Sql, tenant: string, clientId: string): Promise<NewRevocation[]> {
    return this.#revoke(tx, tenant, 'client_id = $2', [clientId]);
  }

  revokeByConsent(tx: Sql, tenant: string, subjectId: string, clientId: string): Promise<NewRevocation[]> {
    if (!isUuid(subjectId)) return none;
    return this.#revoke(tx, tenant, 'subject_id = $2 AND client_id = $3', [subjectId, clientId]);
  }

  revoke(tx: Sql, tenant: string, grantId: string): Promise<NewRevocation[]> {
    if (!isUuid(grantId)) return none;
    return this.#revoke(tx, tenant, 'id = $2', [grantId]);
  }

  async ownerOf(
    sql: Sql,
    tenant: string,
    grantId: string,
  ): Promise<{ subjectId: string; clientId: string } | undefined> {
    if (!isUuid(grantId)) return undefined;
    const { rows } = await sql.query<{ subjectId: string; clientId: string }>(
      `SELECT subject_id AS "subjectId", client_id AS "clientId" FROM auth.grants
        WHERE tenant = $1 AND id = $2 AND revoked_at IS NULL AND expires_at > now()`,
      [tenant, grantId],
    );
    return rows[0];
  }

  async grantsOfRoleHolders(
    tx: Sql,
    tenant: string,
    o: { scopes: readonly string[]; otherThan: readonly string[] },
  ): Promise<string[]> {
    const { rows } = await tx.query<{ id: string }>(
      `SELECT g.id FROM auth.grants g
        WHERE g.tenant = $1 AND g.revoked_at IS NULL AND g.expires_at > now()
          AND g.subject_id IN (SELECT subject_id FROM auth.role_assignments WHERE tenant = $1
                               UNION SELECT subject_id FROM auth.group_role_holders WHERE tenant = $1)
          AND g.scopes && $2::text[] AND (g.acr IS NULL OR g.acr <> ALL($3::text[]))
        ORDER BY g.id`,
      [tenant, [...o.scopes], [...o.otherThan]],
    );
    return rows.map(({ id }) => id);
  }

  async listBySubjects(
    tenant: string,
    subjectIds: readonly string[],
    most?: number,
  ): Promise<GrantSummary[]> {
    const { rows } = await this.#sql.query<GrantSummary>(
      `SELECT g.* FROM unnest($2::uuid[]) AS person CROSS JOIN LATERAL (
         SELECT id, client_id AS "clientId", subject_id AS "subjectId", session_id AS "sessionId", scopes,
                created_at AS "createdAt", expires_at AS "expiresAt"
         FROM auth.grants
         WHERE tenant = $1 AND subject_id = person AND revoked_at IS NULL AND expires_at > now()
         ORDER BY created_at DESC, id DESC LIMIT $3) g
       ORDER BY g."createdAt" DESC, g.id DESC`,
      [tenant, subjectIds.filter(isUuid), most ?? null],
    );
    return rows;
  }

  /** The entry that kills a grant's access tokens; it may lapse once none can be alive any more. */
  revocation(tenant: string, grantId: string): NewRevocation {
    const expiresAt = Math.ceil(this.#clock() / 1000) + this.#tokenLifetime;
    return { tenant, kind: 'grant', key: grantId, expiresAt };
  }

  /** With the tokens that apps made under it. Brings the expiry forward too, which is what retention goes by. */
  async #revoke(
    tx: Sql,
    tenant: string,
    condition: string,
    values: readonly string[],
  ): Promise<NewRevocation[]> {
    const { rows } = await tx.query<{ id: string }>(
      `WITH revoked AS (
         UPDATE auth.grants SET revoked_at = now(), expires_at = LEAST(expires_at, now() + interval '1 day')
         WHERE tenant = $1 AND ${condition} AND revoked_at IS NULL RETURNING id
       ), families AS (
         UPDATE auth.refresh_families SET revoked_at = now()
         WHERE tenant = $1 AND grant_id IN (SELECT id FROM revoked) AND revoked_at IS NULL
       )
       SELECT id FROM revoked`,
      [tenant, ...values],
    );
    if (rows.length === 0) return [];
    const grantIds = rows.map(({ id }) => id);
    // A statement of its own: a token that was being made while the grant's row was waited for can only be seen by the next one.
    const tokens = await this.#revokeTokensOfGrants(tx, tenant, grantIds);
    return [
      ...grantIds.map((id) => this.revocation(tenant, id)),
      ...tokens.map((id) => ({ ...this.revocation(tenant, id), kind: 'jti' as const })),
    ];
  }
}

const none: Promise<NewRevocation[]> = Promise.resolve([]);
