import {
  type Database,
  fragment,
  type RowOf,
  type SeparationReason,
  type Sql,
  statement,
  typed,
} from '@ostiary/database';
import type { PrismaClient } from '../../../platform/database/generated/client.ts';
import { type RevocationFeed, separateRoles } from '../../../tenancy/index.ts';
import { isActive, subjectAs } from '../../../tenancy/users/data/subject-conditions.ts';
import { rolesHeld } from '../../roles/data/roles-held.ts';
import type { ReleasedClaims } from '../domain/claims-request.ts';
import { endGrantIn, type GrantEndingPorts } from '../domain/grant-ending.ts';
import type { GrantContent, GrantStore, LiveGrant, Opening, Rotation } from '../domain/grants.ts';
import { type InspectedFamily, isUsable, outcomeOf } from '../domain/refresh-reuse.ts';
import type { RefreshTokenParts } from '../domain/refresh-token.ts';
import { GrantOpenings } from './grant-openings.ts';
import type { PostgresGrants } from './grants.ts';

/** Columns from grants `g` and subjects `s`. */
const liveGrant = fragment(
  `g.id AS "grantId", g.subject_id AS "subjectId", s.epoch AS "subjectEpoch", g.session_id AS "sessionId", g.scopes, g.resources,
  g.carried_roles AS "carriedRoles",
  extract(epoch FROM g.auth_time)::float8 AS "authTime", g.amr, g.acr, g.claims,
  extract(epoch FROM g.expires_at)::float8 AS "expiresAt",
  ARRAY(${rolesHeld('g.tenant', 'g.subject_id')}) AS roles`,
  {
    grantId: 'uuid',
    subjectId: 'uuid',
    subjectEpoch: 'int4',
    sessionId: 'uuid?',
    scopes: 'text[]!',
    resources: 'text[]!',
    authTime: 'float8?',
    amr: 'text[]!',
    acr: 'text?',
    claims: typed<ReleasedClaims>('jsonb?'),
    expiresAt: 'float8',
    roles: 'text[]',
    carriedRoles: 'text[]?',
  },
);

/** Condition that family `f`, grant `g`, subject `s` and client `c` are live. */
const alive = `f.revoked_at IS NULL AND f.idle_expires_at > now() AND f.absolute_expires_at > now()
  AND g.client_id || '' = f.client_id AND g.revoked_at IS NULL AND g.expires_at > now()
  AND ${isActive('s')} AND s.epoch = g.subject_epoch
  AND c.disabled_at IS NULL AND c.epoch = g.client_epoch`;

/**
 * Rows that belong to family `f`, each found by its key. The expressions (`|| ''`) exclude other indexes: for small
 * tables PostgreSQL would also read all rows of the tenant or the client, and a prepared statement would keep that plan
 * while they grow.
 */
const related = `auth.grants g JOIN ${subjectAs('s', "g.tenant || ''", 'g.subject_id')}, auth.clients c`;
const byKey = `g.tenant = f.tenant || '' AND g.id = f.grant_id AND c.tenant = f.tenant AND c.client_id = f.client_id`;

/** Beginning of a query of a live family `f` and its rows: FROM and conditions. */
export const fromLiveFamily = `FROM auth.refresh_families f, ${related} WHERE ${byKey} AND ${alive}`;

/** Compares and sets the generation: of concurrent requests with one token, exactly one gets the next. */
const rotateToken = statement({
  name: 'grants.rotate_refresh_token',
  reason: 'atomic',
  text: `
UPDATE auth.refresh_families f
SET generation = f.generation + $step::int, rotated_at = CASE WHEN $step::int = 0 THEN f.rotated_at ELSE now() END,
    dpop_jkt = COALESCE(f.dpop_jkt, $dpopJkt::text),
    idle_expires_at = LEAST(now() + $idleSeconds * interval '1 second', f.absolute_expires_at)
FROM ${related}
WHERE f.tenant = $tenant AND f.id = $familyId AND f.salt = $salt AND f.generation = $generation AND f.client_id = $clientId
  AND ${byKey} AND ${alive}
  AND (f.dpop_jkt IS NULL OR f.dpop_jkt = $dpopJkt::text)
  AND ($scopes::text[] IS NULL OR g.scopes @> $scopes) AND ($resources::text[] IS NULL OR g.resources @> $resources)
RETURNING ${liveGrant}`,
  parameters: {
    tenant: 'text',
    familyId: 'uuid',
    salt: 'bytea',
    generation: 'int4',
    clientId: 'text',
    idleSeconds: 'float8',
    scopes: 'text[]?',
    resources: 'text[]?',
    dpopJkt: 'text?',
    step: 'int4',
  },
  columns: liveGrant.columns,
});

/**
 * Reads the state of a family that was not rotated, in one snapshot, which distinguishes a replay from a concurrent
 * end.
 */
const inspectFamily = statement({
  name: 'grants.inspect_refresh_family',
  reason: 'atomic',
  text: `
SELECT f.generation, ${alive} AS live, f.revoked_at IS NOT NULL OR g.revoked_at IS NOT NULL AS revoked,
  COALESCE(f.rotated_at > now() - $retryWindowSeconds * interval '1 second', false) AS "inRetryWindow",
  f.dpop_jkt AS "dpopJkt", ${liveGrant}
FROM auth.refresh_families f, ${related}
WHERE f.tenant = $tenant AND f.id = $familyId AND f.salt = $salt AND f.client_id = $clientId
  AND ${byKey}`,
  parameters: {
    tenant: 'text',
    familyId: 'uuid',
    salt: 'bytea',
    clientId: 'text',
    retryWindowSeconds: 'float8',
  },
  columns: {
    generation: 'int4',
    live: 'bool',
    revoked: 'bool',
    inRetryWindow: 'bool',
    dpopJkt: 'text?',
    ...liveGrant.columns,
  },
});

/** Conflicts with a concurrent redemption of the same code: exactly one of the two writes the grant. */
const insertTombstone = statement({
  name: 'grants.insert_tombstone',
  reason: 'atomic',
  text: `INSERT INTO auth.grants (tenant, id, client_id, subject_id, session_id, subject_epoch, client_epoch, scopes, resources,
           amr, expires_at, revoked_at)
         VALUES ($tenant, $grantId, $clientId, $subjectId, $sessionId, $subjectEpoch, 0, $scopes, $resources, $amr,
           now() + interval '1 day', now())
         ON CONFLICT (tenant, id) DO NOTHING`,
  parameters: {
    tenant: 'text',
    grantId: 'uuid',
    clientId: 'text',
    subjectId: 'uuid',
    sessionId: 'uuid?',
    subjectEpoch: 'int4',
    scopes: 'text[]',
    resources: 'text[]',
    amr: 'text[]',
  },
});

const rolesNow = statement({
  name: 'grants.roles_now',
  reason: 'hot path',
  text: `SELECT ARRAY(${rolesHeld('$tenant', '$subjectId')}) AS roles`,
  parameters: { tenant: 'text', subjectId: 'uuid' },
  columns: { roles: 'text[]' },
});

export class PostgresGrantStore implements GrantStore {
  readonly #database: Database<PrismaClient>;
  readonly #grants: PostgresGrants;
  readonly #revocations: RevocationFeed;
  readonly #ending: GrantEndingPorts;
  readonly #openings: GrantOpenings;

  constructor(
    o: GrantEndingPorts & {
      database: Database<PrismaClient>;
      grants: PostgresGrants;
      revocations: RevocationFeed;
      /** Called for each grant that was in a batch and is written separately. */
      onSeparated?: (reason: SeparationReason) => void;
    },
  ) {
    this.#ending = o;
    this.#database = o.database;
    this.#grants = o.grants;
    this.#revocations = o.revocations;
    this.#openings = new GrantOpenings(o.database, o.onSeparated);
  }

  async open(
    content: GrantContent,
    o: {
      family?: { id: string; salt: Buffer; idleSeconds: number; dpopJkt?: string | undefined };
      lifetimeSeconds: number;
      notifiedOfLogout?: boolean;
    },
  ): Promise<Opening> {
    const row = await this.#openings.open({
      tenant: content.tenant,
      grantId: content.grantId,
      clientId: content.clientId,
      subjectId: content.subjectId,
      sessionId: content.sessionId,
      subjectEpoch: content.subjectEpoch,
      clientEpoch: content.clientEpoch,
      withdrawals: content.withdrawals,
      scopes: content.scopes,
      resources: content.resources,
      authTime: content.authTime,
      amr: content.amr,
      acr: content.acr,
      claims: content.claims,
      lifetimeSeconds: o.lifetimeSeconds,
      familyId: o.family?.id,
      salt: o.family?.salt.toString('hex'),
      idleSeconds: o.family?.idleSeconds ?? 0,
      dpopJkt: o.family?.dpopJkt,
      notifiedOfLogout: o.notifiedOfLogout ?? false,
    });
    if (!row) return { outcome: 'refused' };
    const held = separateRoles(row.roles);
    const grant: LiveGrant = {
      grantId: content.grantId,
      subjectId: content.subjectId,
      subjectEpoch: row.subjectEpoch,
      sessionId: content.sessionId,
      scopes: [...content.scopes],
      resources: [...content.resources],
      authTime: content.authTime,
      amr: [...content.amr],
      acr: content.acr ?? null,
      claims: content.claims ?? null,
      expiresAt: Math.floor(row.expiresAt),
      roles: held.roles,
      apiRoles: held.apiRoles.length === 0 ? [] : await this.#apiRolesNow(content),
      carriedRoles: row.carriedRoles,
    };
    if (row.opened) return { outcome: 'opened', grant };
    return (await this.#wasOpened(content)) ? { outcome: 'refused' } : { outcome: 'stillborn', grant };
  }

  /**
   * Reads the roles of APIs again after the grant is written. A removal that committed while the grant waited for the
   * user's lock is visible only now, and every later one finds the grant and revokes it.
   */
  async #apiRolesNow({ tenant, subjectId }: GrantContent): Promise<string[]> {
    const found = await rolesNow.first(this.#database.sql, { tenant, subjectId });
    return separateRoles(found?.roles ?? []).apiRoles;
  }

  /**
   * Reports whether the grant of a code was written before. Redis consumes a code once, so a repeated code was restored
   * there by an attacker: nothing is issued, and the grant is revoked (RFC 6749 §4.1.2). Returns false for the
   * tombstone that a parallel replay left.
   */
  async #wasOpened(content: GrantContent): Promise<boolean> {
    const { tenant, grantId } = content;
    const prisma = await this.#database.sql.prisma();
    const found = await prisma.grant.findUnique({
      where: { tenant_id: { tenant, id: grantId } },
      select: { createdAt: true, revokedAt: true },
    });
    if (found?.revokedAt === null) await this.killReplayed(tenant, { grantId });
    // In a tombstone both are the time of the statement that wrote it.
    const isTombstone = found !== null && found.revokedAt?.getTime() === found.createdAt.getTime();
    return !isTombstone;
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
    const { familyId, generation, salt } = token;
    const rotated = await rotateToken.first(this.#database.sql, {
      tenant,
      familyId,
      salt,
      generation,
      clientId,
      idleSeconds: o.idleSeconds,
      scopes: o.scopes,
      resources: o.resources,
      dpopJkt: o.dpopJkt,
      step: o.keep ? 0 : 1,
    });
    const grant = rotated && toGrant(rotated);
    if (grant) return o.keep ? { outcome: 'kept', grant } : { outcome: 'rotated', grant, next };

    return outcomeOf(await this.#inspect(tenant, clientId, token, o), token, o);
  }

  async peek(
    tenant: string,
    clientId: string,
    token: RefreshTokenParts,
    o: { retryWindowSeconds: number },
  ): Promise<LiveGrant | undefined> {
    const family = await this.#inspect(tenant, clientId, token, o);
    return family && isUsable(family, token) ? family.grant : undefined;
  }

  async #inspect(
    tenant: string,
    clientId: string,
    { familyId, salt }: RefreshTokenParts,
    { retryWindowSeconds }: { retryWindowSeconds: number },
  ): Promise<InspectedFamily | undefined> {
    const target = { tenant, familyId, salt, clientId, retryWindowSeconds };
    const family = await inspectFamily.first(this.#database.sql, target);
    return family && inspected(family);
  }

  async killReplayed(tenant: string, target: { grantId: string; content?: GrantContent }): Promise<void> {
    const revocations = await this.#database.transaction(async (tx) => {
      const { content } = target;
      const tombstone = content !== undefined && (await buried(tx, content));
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

/** Returns true if the grant did not exist and is now written as revoked. */
const buried = async (tx: Sql, content: GrantContent): Promise<boolean> =>
  (await insertTombstone.count(tx, content)) === 1;

const inspected = (row: RowOf<typeof inspectFamily.columns>): InspectedFamily => ({
  generation: row.generation,
  live: row.live,
  revoked: row.revoked,
  inRetryWindow: row.inRetryWindow,
  dpopJkt: row.dpopJkt,
  grant: toGrant(row),
});

const toGrant = (row: RowOf<typeof liveGrant.columns>): LiveGrant => ({
  grantId: row.grantId,
  subjectId: row.subjectId,
  subjectEpoch: row.subjectEpoch,
  sessionId: row.sessionId,
  scopes: row.scopes,
  resources: row.resources,
  authTime: row.authTime === null ? null : Math.floor(row.authTime),
  amr: row.amr,
  acr: row.acr,
  claims: row.claims,
  expiresAt: Math.floor(row.expiresAt),
  ...separateRoles(row.roles),
  carriedRoles: row.carriedRoles,
});
