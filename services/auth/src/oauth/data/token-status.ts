import type { Database } from '@ostiary/database';
import { isUuid } from '@ostiary/service';
import { lineageStatus } from '../../grants/data/index.ts';
import type { AccessTokenClaims, RefreshTokenParts, ReleasedClaims } from '../../grants/index.ts';
import type { TokenLiveness } from '../domain/introspection.ts';

export interface LiveRefreshToken {
  clientId: string;
  subjectId: string;
  userName: string;
  grantId: string;
  scopes: string[];
  /** Unix seconds. */
  issuedAt: number;
  /** Unix seconds. */
  expiresAt: number;
}

/** Whether tokens are alive, asked of the database itself: no list to be stale, no cache. */
export class TokenStatus {
  readonly #database: Pick<Database<unknown>, 'sql'>;

  constructor(database: Pick<Database<unknown>, 'sql'>) {
    this.#database = database;
  }

  /** Whether the owner, client, grant and session of a token all live, and it wasn't revoked itself. */
  async accessToken(
    tenant: string,
    claims: AccessTokenClaims,
    o: { registeredClient: boolean },
  ): Promise<TokenLiveness> {
    if (claims.derived_from !== undefined) return this.#derived(tenant, claims, o);
    const isUser = claims.grant_id !== undefined;
    if (isUser && !isUuid(claims.grant_id ?? '')) return { live: false };
    // A pairwise identifier leads to nobody: the grant knows whose it is.
    const subjectId = isUuid(claims.sub) ? claims.sub : null;
    const { rows } = await this.#database.sql.query<{
      live: boolean;
      user_name: string | null;
      subject_id: string | null;
      released: ReleasedClaims | null;
    }>(isUser ? userTokenStatement : clientTokenStatement, [
      tenant,
      claims.jti,
      claims.client_id,
      claims.client_epoch,
      o.registeredClient,
      ...(isUser ? [subjectId, claims.sub_epoch ?? -1, claims.grant_id, claims.sid ?? null] : []),
    ]);
    const row = rows[0];
    if (!row?.live) return { live: false };
    return {
      live: true,
      ...(row.user_name === null ? {} : { userName: row.user_name }),
      ...(row.subject_id === null ? {} : { subjectId: row.subject_id }),
      ...(row.released === null ? {} : { released: row.released }),
    };
  }

  /** An exchanged token lives while its own client does, and every token it was exchanged for. */
  async #derived(
    tenant: string,
    claims: AccessTokenClaims,
    o: { registeredClient: boolean },
  ): Promise<{ live: boolean; userName?: string }> {
    const { jti, client_id: clientId, client_epoch: clientEpoch } = claims;
    const own = [tenant, jti, clientId, clientEpoch, o.registeredClient];
    const { rows } = await this.#database.sql.query<{ live: boolean }>(clientTokenStatement, own);
    return rows[0]?.live ? lineageStatus(this.#database.sql, tenant, claims) : { live: false };
  }

  /** The current token of a live refresh family; null for everything else, replaced tokens included. */
  async refreshToken(tenant: string, token: RefreshTokenParts): Promise<LiveRefreshToken | null> {
    const { rows } = await this.#database.sql.query<LiveRefreshToken>(
      `SELECT f.client_id AS "clientId", g.subject_id AS "subjectId", s.user_name AS "userName", g.id AS "grantId", g.scopes,
              floor(extract(epoch FROM COALESCE(f.rotated_at, f.created_at)))::float8 AS "issuedAt",
              floor(extract(epoch FROM f.idle_expires_at))::float8 AS "expiresAt"
       FROM auth.refresh_families f
       JOIN auth.grants g ON g.tenant = f.tenant AND g.id = f.grant_id
       JOIN auth.subjects s ON s.tenant = g.tenant AND s.id = g.subject_id
       JOIN auth.clients c ON c.tenant = g.tenant AND c.client_id = g.client_id
       WHERE f.tenant = $1 AND f.id = $2 AND f.salt = $3 AND f.generation = $4
         AND f.revoked_at IS NULL AND f.idle_expires_at > now() AND f.absolute_expires_at > now()
         AND g.revoked_at IS NULL AND g.expires_at > now()
         AND s.active AND NOT s.deleted AND s.epoch = g.subject_epoch
         AND c.disabled_at IS NULL AND c.epoch = g.client_epoch`,
      [tenant, token.familyId, token.salt, token.generation],
    );
    return rows[0] ?? null;
  }

  /** The client and grant a refresh token of ours belongs to, whatever its state. */
  async grantOf(
    tenant: string,
    token: RefreshTokenParts,
  ): Promise<{ clientId: string; grantId: string } | null> {
    const { rows } = await this.#database.sql.query<{ clientId: string; grantId: string }>(
      `SELECT client_id AS "clientId", grant_id AS "grantId" FROM auth.refresh_families
       WHERE tenant = $1 AND id = $2 AND salt = $3`,
      [tenant, token.familyId, token.salt],
    );
    return rows[0] ?? null;
  }
}

const clientLives = `(NOT $5::boolean OR EXISTS (
  SELECT 1 FROM auth.clients c
  WHERE c.tenant = $1 AND c.client_id = $3 AND c.disabled_at IS NULL AND c.epoch <= $4::int)
  OR EXISTS (
  SELECT 1 FROM auth.service_accounts a
  WHERE a.tenant = $1 AND a.disabled_at IS NULL AND a.epoch <= $4::int
    AND a.id = CASE WHEN $3 ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' THEN $3::uuid END))`;

const noRevocation = (kind: string, key: string): string => `NOT EXISTS (
  SELECT 1 FROM auth.revocations r
  WHERE r.tenant = $1 AND r.kind = '${kind}' AND r.key = ${key} AND r.expires_at > now())`;

// Two questions of one key each: asked as one, while there are few, PostgreSQL would read all of the tenant's.
const notRevoked = `${noRevocation('jti', '$2')} AND ${noRevocation('tenant', '$1')}`;

const clientTokenStatement = `SELECT ${clientLives} AND ${notRevoked} AS live, NULL AS user_name, NULL AS subject_id, NULL AS released`;

/** The grant is found by its key and the subject from it: other ways are closed, as they are for refreshing (grant-store.ts). */
const userTokenStatement = `
SELECT ${clientLives} AND ${notRevoked} AND s.active AND NOT s.deleted AND s.epoch <= $7::int
  AND g.revoked_at IS NULL AND g.expires_at > now()
  AND NOT EXISTS (SELECT 1 FROM auth.sessions o WHERE o.tenant = $1 AND o.id = $9::uuid AND o.revoked_at IS NOT NULL)
    AS live, s.user_name, s.id AS subject_id, g.claims AS released
FROM auth.grants g JOIN auth.subjects s ON s.tenant = g.tenant || '' AND s.id = g.subject_id
WHERE g.tenant = $1 AND g.id = $8::uuid AND g.client_id || '' = $3 AND ($6::uuid IS NULL OR g.subject_id = $6)`;
