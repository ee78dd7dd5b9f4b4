import { type Database, fragment, type RowOf, statement, typed } from '@ostiary/database';
import { isUuid } from '@ostiary/service';
import { fromGrantOfToken, grantAndUserLive } from '../../access/grants/data/grant-conditions.ts';
import { fromLiveFamily } from '../../access/grants/data/grant-store.ts';
import type { AccessTokenClaims, RefreshTokenParts, ReleasedClaims } from '../../access/index.ts';
import { sessionEnded } from '../../identity/sessions/data/session-conditions.ts';
import type { PrismaClient } from '../../platform/database/generated/client.ts';
import type { SubjectProfile } from '../../tenancy/index.ts';
import { noRevocation } from '../../tenancy/users/data/revocations.ts';
import { fromSubject, isActive } from '../../tenancy/users/data/subject-conditions.ts';
import type { TokenHolder, TokenLiveness } from '../domain/liveness.ts';
import { lineageStatus, programLives } from './token-lineage.ts';

export interface LiveRefreshToken {
  clientId: string;
  subjectId: string;
  userName: string;
  grantId: string;
  scopes: string[];
  clientEpoch: number;
  /** Unix seconds. */
  issuedAt: number;
  /** Unix seconds. */
  expiresAt: number;
}

const callerLives = `(NOT $registeredClient::boolean OR ${programLives('$clientId', '$clientEpoch::int')})`;

// Two separate conditions: with one combined condition PostgreSQL reads all revocations of the tenant while there are
// few.
const notRevoked = `${noRevocation('jti', '$jti')} AND ${noRevocation('tenant', '$tenant')}`;

const tokenParameters = {
  tenant: 'text',
  jti: 'text',
  clientId: 'text',
  clientEpoch: 'int4',
  registeredClient: 'bool',
} as const;

const clientToken = statement({
  name: 'oauth.client_token',
  reason: 'hot path',
  text: `SELECT ${callerLives} AND ${notRevoked} AS live`,
  parameters: tokenParameters,
  columns: { live: 'bool' },
});

/** Columns of a token's user `s`. */
const holder = fragment(
  's.id AS "holderId", s.user_name AS "userName", s.epoch, s.version::text AS version, s.profile',
  {
    holderId: 'uuid',
    userName: 'text',
    epoch: 'int4',
    version: 'text',
    profile: typed<SubjectProfile>('jsonb'),
  },
);

const findHolder = statement({
  name: 'oauth.token_holder',
  reason: 'hot path',
  text: `SELECT ${holder} ${fromSubject('s', '$tenant', '= $id')} AND ${isActive('s')}`,
  parameters: { tenant: 'text', id: 'uuid' },
  columns: holder.columns,
});

const userToken = statement({
  name: 'oauth.user_token',
  reason: 'hot path',
  text: `
SELECT ${callerLives} AND ${notRevoked} AND ${grantAndUserLive} AND s.epoch <= $subjectEpoch::int
  AND NOT ${sessionEnded('$sessionId::uuid')} AS live, g.claims AS released, ${holder}
${fromGrantOfToken}`,
  parameters: {
    ...tokenParameters,
    subjectId: 'uuid?',
    subjectEpoch: 'int4',
    grantId: 'uuid',
    sessionId: 'uuid?',
  },
  columns: { live: 'bool', released: typed<ReleasedClaims>('jsonb?'), ...holder.columns },
});

const refreshToken = statement({
  name: 'oauth.refresh_token',
  reason: 'hot path',
  text: `SELECT f.client_id AS "clientId", g.subject_id AS "subjectId", s.user_name AS "userName", g.id AS "grantId", g.scopes,
              g.client_epoch AS "clientEpoch",
              floor(extract(epoch FROM COALESCE(f.rotated_at, f.created_at)))::float8 AS "issuedAt",
              floor(extract(epoch FROM f.idle_expires_at))::float8 AS "expiresAt"
       ${fromLiveFamily}
         AND f.tenant = $tenant AND f.id = $familyId AND f.salt = $salt AND f.generation = $generation`,
  parameters: { tenant: 'text', familyId: 'uuid', salt: 'bytea', generation: 'int4' },
  columns: {
    clientId: 'text',
    subjectId: 'uuid',
    userName: 'text',
    grantId: 'uuid',
    scopes: 'text[]!',
    clientEpoch: 'int4',
    issuedAt: 'float8',
    expiresAt: 'float8',
  },
});

/** Returns the status of tokens from the database, without a list or cache that may be stale. */
export class TokenStatus {
  readonly #database: Database<PrismaClient>;

  constructor(database: Database<PrismaClient>) {
    this.#database = database;
  }

  /** Reports whether the user, client, grant and session of a token are active and the token is not revoked. */
  async accessToken(
    tenant: string,
    claims: AccessTokenClaims,
    o: { registeredClient: boolean },
  ): Promise<TokenLiveness> {
    if (claims.derived_from !== undefined) return this.#derived(tenant, claims, o);
    const { sql } = this.#database;
    const { grant_id: grantId } = claims;
    if (grantId === undefined) return { live: await this.#clientToken(tenant, claims, o) };
    if (!isUuid(grantId)) return { live: false };
    const row = await userToken.first(sql, {
      ...tokenValues(tenant, claims, o),
      // A pairwise identifier does not lead to a user; the grant has the subject.
      subjectId: isUuid(claims.sub) ? claims.sub : null,
      subjectEpoch: claims.sub_epoch ?? -1,
      grantId,
      sessionId: claims.sid,
    });
    if (!row?.live) return { live: false };
    const { released } = row;
    return { live: true, holder: toHolder(tenant, row), ...(released === null ? {} : { released }) };
  }

  /** Returns an active user as the holder of a token, or null. */
  async holder(tenant: string, id: string): Promise<TokenHolder | null> {
    const row = isUuid(id) ? await findHolder.first(this.#database.sql, { tenant, id }) : undefined;
    return row ? toHolder(tenant, row) : null;
  }

  async #clientToken(
    tenant: string,
    claims: AccessTokenClaims,
    o: { registeredClient: boolean },
  ): Promise<boolean> {
    const row = await clientToken.first(this.#database.sql, tokenValues(tenant, claims, o));
    return row?.live === true;
  }

  /** Reports the status of an exchanged token: active while its client and every token ancestor are active. */
  async #derived(
    tenant: string,
    claims: AccessTokenClaims,
    o: { registeredClient: boolean },
  ): Promise<TokenLiveness> {
    if (!(await this.#clientToken(tenant, claims, o))) return { live: false };
    const { live, userName } = await lineageStatus(this.#database.sql, tenant, claims);
    if (!live || userName === undefined) return { live };
    const person = await this.holder(tenant, claims.sub);
    return person ? { live, holder: person } : { live: false };
  }

  /** Returns the current token of an active refresh family; null for any other token, including replaced ones. */
  async refreshToken(tenant: string, token: RefreshTokenParts): Promise<LiveRefreshToken | null> {
    return (await refreshToken.first(this.#database.sql, { tenant, ...token })) ?? null;
  }

  /** Returns the client and grant of a refresh token in any state, or null if it does not exist. */
  async grantOf(
    tenant: string,
    token: RefreshTokenParts,
  ): Promise<{ clientId: string; grantId: string } | null> {
    const prisma = await this.#database.sql.prisma();
    return prisma.refreshFamily.findUnique({
      where: { tenant_id: { tenant, id: token.familyId }, salt: new Uint8Array(token.salt) },
      select: { clientId: true, grantId: true },
    });
  }
}

const toHolder = (tenant: string, row: RowOf<typeof holder.columns>): TokenHolder => ({
  tenant,
  id: row.holderId,
  userName: row.userName,
  epoch: row.epoch,
  version: BigInt(row.version),
  profile: row.profile,
});

const tokenValues = (
  tenant: string,
  { jti, client_id: clientId, client_epoch: clientEpoch }: AccessTokenClaims,
  { registeredClient }: { registeredClient: boolean },
) => ({ tenant, jti, clientId, clientEpoch, registeredClient });
