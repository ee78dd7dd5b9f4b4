import type { Database, Sql } from '@ostiary/database';
import { rolesHeld } from '../../subjects/data/index.ts';
import type { RevocationFeed } from '../../subjects/index.ts';
import type { ReleasedClaims } from '../domain/claims-request.ts';
import { endGrantIn, type GrantEndingPorts } from '../domain/grant-ending.ts';
import type { GrantContent, GrantStore, LiveGrant, Opening, Rotation } from '../domain/grants.ts';
import { type InspectedFamily, outcomeOf } from '../domain/refresh-reuse.ts';
import type { RefreshTokenParts } from '../domain/refresh-token.ts';
import type { PostgresGrants } from './grants.ts';

interface GrantRow {
  grant_id: string;
  subject_id: string;
  subject_epoch: number;
  session_id: string | null;
  scopes: string[];
  resources: string[];
  auth_time: number | null;
  amr: string[];
  acr: string | null;
  claims: ReleasedClaims | null;
  expires_at: number;
  roles: string[];
}

interface FamilyRow extends GrantRow {
  generation: number;
  live: boolean;
  revoked: boolean;
  in_window: boolean;
  dpop_jkt: string | null;
}

/** Selected from grants `g` and subjects `s`. */
const grantColumns = `g.id AS grant_id, g.subject_id, s.epoch AS subject_epoch, g.session_id, g.scopes, g.resources,
  extract(epoch FROM g.auth_time)::float8 AS auth_time, g.amr, g.acr, g.claims,
  extract(epoch FROM g.expires_at)::float8 AS expires_at,
  ARRAY(${rolesHeld('g.tenant', 'g.subject_id')}) AS roles`;

/** Family `f`, grant `g`, subject `s` and client `c` all alive. */
const alive = `f.revoked_at IS NULL AND f.idle_expires_at > now() AND f.absolute_expires_at > now()
  AND g.client_id || '' = f.client_id AND g.revoked_at IS NULL AND g.expires_at > now()
  AND s.active AND NOT s.deleted AND s.epoch = g.subject_epoch
  AND c.disabled_at IS NULL AND c.epoch = g.client_epoch`;

/**
 * What belongs to family `f`, one found from the other by its key. No index answers to an expression (`|| ''`), so there is no other
 * way: for tables with few rows PostgreSQL would as well read all of the tenant or of the client, and a prepared statement
 * keeps such a plan while they grow.
 */
const related = 'auth.grants g, auth.subjects s, auth.clients c';
const byKey = `g.tenant = f.tenant || '' AND g.id = f.grant_id AND s.tenant = g.tenant || '' AND s.id = g.subject_id
  AND c.tenant = f.tenant AND c.client_id = f.client_id`;

const rotateStatement = `
UPDATE auth.refresh_families f
SET generation = f.generation + $10::int, rotated_at = CASE WHEN $10::int = 0 THEN f.rotated_at ELSE now() END, dpop_jkt = COALESCE(f.dpop_jkt, $9::text),
    idle_expires_at = LEAST(now() + $6 * interval '1 second', f.absolute_expires_at)
FROM ${related}
WHERE f.tenant = $1 AND f.id = $2 AND f.salt = $3 AND f.generation = $4 AND f.client_id = $5
  AND ${byKey} AND ${alive}
  AND (f.dpop_jkt IS NULL OR f.dpop_jkt = $9::text)
  AND ($7::text[] IS NULL OR g.scopes @> $7) AND ($8::text[] IS NULL OR g.resources @> $8)
RETURNING ${grantColumns}`;

const inspectStatement = `
SELECT f.generation, ${alive} AS live, f.revoked_at IS NOT NULL OR g.revoked_at IS NOT NULL AS revoked,
  COALESCE(f.rotated_at > now() - $5 * interval '1 second', false) AS in_window,
  f.dpop_jkt, ${grantColumns}
FROM auth.refresh_families f, ${related}
WHERE f.tenant = $1 AND f.id = $2 AND f.salt = $3 AND f.client_id = $4
  AND ${byKey}`;

/**
 * Subject, session and client are read, each by its key, grant and family written, by one statement. Without a row in
 * `allowed` nothing is written. Subject and session are locked against a departure or sign-out at the same time: it either sees the
 * grant, or is seen by it. A grant that exists already is the tombstone of a parallel replay.
 */
const openStatement = `
WITH allowed AS (
  SELECT s.epoch FROM auth.subjects s, auth.sessions o, auth.clients c
  WHERE s.tenant = $1 AND s.id = $4 AND s.active AND NOT s.deleted AND s.epoch = $6
    AND COALESCE((s.withdrawals->>$3::text)::int, 0) = $19
    AND c.tenant = $1 AND c.client_id = $3 AND c.disabled_at IS NULL AND c.epoch = $7
    AND o.tenant = $1 AND o.id = $5 AND o.subject_id IS NOT DISTINCT FROM s.id AND o.revoked_at IS NULL
  FOR SHARE OF s, o
), opened AS (
  INSERT INTO auth.grants (tenant, id, client_id, subject_id, session_id, subject_epoch, client_epoch, scopes, resources,
    auth_time, amr, acr, claims, expires_at)
  SELECT $1, $2, $3, $4, $5, $6, $7, $8, $9, to_timestamp($10), $11, $12, $18::jsonb, now() + $13 * interval '1 second'
  FROM allowed
  ON CONFLICT (tenant, id) DO NOTHING
  RETURNING id, expires_at
), family AS (
  INSERT INTO auth.refresh_families (tenant, id, grant_id, client_id, salt, dpop_jkt, idle_expires_at, absolute_expires_at)
  SELECT $1, $14::uuid, opened.id, $3, $15::bytea, $17::text, LEAST(now() + $16 * interval '1 second', opened.expires_at), opened.expires_at
  FROM opened WHERE $14::uuid IS NOT NULL
), noted AS (
  INSERT INTO auth.session_clients (tenant, session_id, client_id)
  SELECT $1, $5, $3 FROM opened WHERE $20::boolean
  ON CONFLICT DO NOTHING
)
SELECT allowed.epoch AS subject_epoch, EXISTS (SELECT 1 FROM opened) AS opened,
  extract(epoch FROM now() + $13 * interval '1 second')::float8 AS expires_at,
  ARRAY(${rolesHeld('$1', '$4')}) AS roles
FROM allowed`;

export class PostgresGrantStore implements GrantStore {
  readonly #database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  readonly #grants: PostgresGrants;
  readonly #revocations: RevocationFeed;
  readonly #ending: GrantEndingPorts;

  constructor(
    o: GrantEndingPorts & {
      database: Pick<Database<unknown>, 'sql' | 'transaction'>;
      grants: PostgresGrants;
      revocations: RevocationFeed;
    },
  ) {
    this.#ending = o;
    this.#database = o.database;
    this.#grants = o.grants;
    this.#revocations = o.revocations;
  }

  async open(
    content: GrantContent,
    o: {
      family?: { id: string; salt: Buffer; idleSeconds: number; dpopJkt?: string | undefined };
      lifetimeSeconds: number;
      toldOfLogout?: boolean;
    },
  ): Promise<Opening> {
    const { rows } = await this.#database.sql.query<{
      subject_epoch: number;
      opened: boolean;
      expires_at: number;
      roles: string[];
    }>(openStatement, [
      content.tenant,
      content.grantId,
      content.clientId,
      content.subjectId,
      content.sessionId,
      content.subjectEpoch,
      content.clientEpoch,
      content.scopes,
      content.resources,
      content.authTime,
      content.amr,
      content.acr ?? null,
      o.lifetimeSeconds,
      o.family?.id ?? null,
      o.family?.salt ?? null,
      o.family?.idleSeconds ?? 0,
      o.family?.dpopJkt ?? null,
      content.claims === undefined ? null : JSON.stringify(content.claims),
      content.withdrawals,
      o.toldOfLogout ?? false,
    ]);
    const row = rows[0];
    if (!row) return { outcome: 'refused' };
    const grant: LiveGrant = {
      grantId: content.grantId,
      subjectId: content.subjectId,
      subjectEpoch: row.subject_epoch,
      sessionId: content.sessionId,
      scopes: [...content.scopes],
      resources: [...content.resources],
      authTime: content.authTime,
      amr: [...content.amr],
      acr: content.acr ?? null,
      claims: content.claims ?? null,
      expiresAt: Math.floor(row.expires_at),
      roles: row.roles,
    };
    if (row.opened) return { outcome: 'opened', grant };
    return (await this.#wasOpened(content)) ? { outcome: 'refused' } : { outcome: 'stillborn', grant };
  }

  /**
   * Whether the grant of a code was written before. Redis lets a code be consumed once; so somebody has put it back there, and
   * holds it: nothing is issued, and the grant dies (RFC 6749 §4.1.2). False for the tombstone that a parallel replay left.
   */
  async #wasOpened(content: GrantContent): Promise<boolean> {
    const { rows } = await this.#database.sql.query<{ live: boolean; tombstone: boolean }>(
      `SELECT revoked_at IS NULL AS live, revoked_at IS NOT DISTINCT FROM created_at AS tombstone
         FROM auth.grants WHERE tenant = $1 AND id = $2`,
      [content.tenant, content.grantId],
    );
    if (rows[0]?.live) await this.killReplayed(content.tenant, { grantId: content.grantId });
    return !rows[0]?.tombstone;
  }

  async rotate(
    tenant: string,
    clientId: string,
    token: RefreshTokenParts,
    o: {
      scopes?: readonly string[];
      resources?: readonly string[];
      dpopJkt?: string | undefined;
      keep?: boolean;
      idleSeconds: number;
      retryWindowSeconds: number;
    },
  ): Promise<Rotation> {
    const next = { ...token, generation: token.generation + 1 };
    const rotated = await this.#database.sql.query<GrantRow>(rotateStatement, [
      tenant,
      token.familyId,
      token.salt,
      token.generation,
      clientId,
      o.idleSeconds,
      o.scopes ?? null,
      o.resources ?? null,
      o.dpopJkt ?? null,
      o.keep ? 0 : 1,
    ]);
    const grant = rotated.rows[0] && toGrant(rotated.rows[0]);
    if (grant) return o.keep ? { outcome: 'kept', grant } : { outcome: 'rotated', grant, next };

    const { rows } = await this.#database.sql.query<FamilyRow>(inspectStatement, [
      tenant,
      token.familyId,
      token.salt,
      clientId,
      o.retryWindowSeconds,
    ]);
    const [family] = rows;
    return outcomeOf(family && inspected(family), token, o);
  }

  async killReplayed(tenant: string, target: { grantId: string; content?: GrantContent }): Promise<void> {
    const revocations = await this.#database.transaction(async (tx) => {
      const { content } = target;
      const tombstone = content !== undefined && (await insertTombstone(tx, content));
      const revoked = tombstone
        ? [this.#grants.revocation(tenant, target.grantId)]
        : await endGrantIn(this.#ending, tx, tenant, target.grantId, {
            reason: 'replay',
            actor: { kind: 'system', id: 'auth' },
          });
      return revoked.length === 0 ? [] : this.#revocations.append(tx, revoked, 'replay');
    });
    await this.#revocations.publish(revocations);
  }
}

/** True when the grant wasn't there yet: now it is, and dead. */
async function insertTombstone(tx: Sql, content: GrantContent): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO auth.grants (tenant, id, client_id, subject_id, session_id, subject_epoch, client_epoch, scopes, resources,
       amr, expires_at, revoked_at)
     VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $8, $9, now() + interval '1 day', now())
     ON CONFLICT (tenant, id) DO NOTHING`,
    [
      content.tenant,
      content.grantId,
      content.clientId,
      content.subjectId,
      content.sessionId,
      content.subjectEpoch,
      content.scopes,
      content.resources,
      content.amr,
    ],
  );
  return rowCount === 1;
}

const inspected = (row: FamilyRow): InspectedFamily => ({
  generation: row.generation,
  live: row.live,
  revoked: row.revoked,
  inRetryWindow: row.in_window,
  dpopJkt: row.dpop_jkt,
  grant: toGrant(row),
});

const toGrant = (row: GrantRow): LiveGrant => ({
  grantId: row.grant_id,
  subjectId: row.subject_id,
  subjectEpoch: row.subject_epoch,
  sessionId: row.session_id,
  scopes: row.scopes,
  resources: row.resources,
  authTime: row.auth_time === null ? null : Math.floor(row.auth_time),
  amr: row.amr,
  acr: row.acr,
  claims: row.claims,
  expiresAt: Math.floor(row.expires_at),
  roles: row.roles,
});
