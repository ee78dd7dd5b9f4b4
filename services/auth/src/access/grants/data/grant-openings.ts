import {
  type Database,
  type RowOf,
  type SeparationReason,
  SharedWrite,
  statement,
  typed,
  type ValuesOf,
} from '@ostiary/database';
import { isActive, subjectAs } from '../../../tenancy/users/data/subject-conditions.ts';
import { rolesHeld } from '../../roles/data/roles-held.ts';
import type { ReleasedClaims } from '../domain/claims-request.ts';

/** Position of a value in a statement: a parameter, or a column of a batch. */
type Place = (name: keyof typeof members) => string;

/** Columns of a grant and its preconditions. */
const members = {
  tenant: 'text',
  grantId: 'uuid',
  clientId: 'text',
  subjectId: 'uuid',
  sessionId: 'uuid?',
  subjectEpoch: 'int4',
  clientEpoch: 'int4',
  scopes: 'text[]',
  resources: 'text[]',
  authTime: 'float8?',
  amr: 'text[]',
  acr: 'text?',
  lifetimeSeconds: 'float8',
  familyId: 'uuid?',
  // Hexadecimal digits, because a batch is passed as JSON, which has no bytes.
  salt: 'text?',
  idleSeconds: 'float8',
  dpopJkt: 'text?',
  claims: typed<ReleasedClaims>('jsonb?'),
  withdrawals: 'int4',
  notifiedOfLogout: 'bool',
} as const;

export type NewGrant = ValuesOf<typeof members>;

const columns = {
  subjectEpoch: 'int4',
  opened: 'bool',
  expiresAt: 'float8',
  roles: 'text[]',
  carriedRoles: 'text[]?',
} as const;
export type OpenedRow = RowOf<typeof columns>;

/** Subject, session and client, each found by its key, if they are unchanged since the consent. */
const foundation = (
  at: Place,
): string => `auth.sessions o JOIN ${subjectAs('s', at('tenant'), at('subjectId'))}, auth.clients c
  WHERE ${isActive('s')} AND s.epoch = ${at('subjectEpoch')}
    AND COALESCE((s.withdrawals->>${at('clientId')}::text)::int, 0) = ${at('withdrawals')}
    AND c.tenant = ${at('tenant')} AND c.client_id = ${at('clientId')} AND c.disabled_at IS NULL AND c.epoch = ${at('clientEpoch')}
    AND o.tenant = ${at('tenant')} AND o.id = ${at('sessionId')} AND o.subject_id IS NOT DISTINCT FROM s.id AND o.revoked_at IS NULL
  FOR SHARE OF s, o`;

const grantColumns = `tenant, id, client_id, subject_id, session_id, subject_epoch, client_epoch, scopes, resources,
    auth_time, amr, acr, claims, expires_at, carried_roles`;
/** @param carried expression for the roles of the session, which come from its row and not from the caller */
const grantValues = (
  at: Place,
  carried: string,
): string => `${at('tenant')}, ${at('grantId')}, ${at('clientId')}, ${at('subjectId')},
    ${at('sessionId')}, ${at('subjectEpoch')}, ${at('clientEpoch')}, ${at('scopes')}, ${at('resources')},
    to_timestamp(${at('authTime')}), ${at('amr')}, ${at('acr')}, ${at('claims')}::jsonb,
    now() + ${at('lifetimeSeconds')} * interval '1 second', ${carried}`;

const familyColumns = 'tenant, id, grant_id, client_id, salt, dpop_jkt, idle_expires_at, absolute_expires_at';
const familyValues = (
  at: Place,
): string => `${at('tenant')}, ${at('familyId')}::uuid, opened.id, ${at('clientId')},
    decode(${at('salt')}, 'hex'), ${at('dpopJkt')}::text,
    LEAST(now() + ${at('idleSeconds')} * interval '1 second', opened.expires_at), opened.expires_at`;

const parameter: Place = (name) => `$${name}`;

/**
 * Reads subject, session and client and writes grant and family, in one statement. Without a row in `allowed`, nothing
 * is written. The locks on subject and session serialize the statement with a concurrent offboarding or sign-out:
 * either that one sees the grant, or this statement sees its result. An existing grant is the tombstone of a parallel
 * replay.
 */
const openGrant = statement({
  name: 'grants.open',
  reason: 'atomic',
  text: `
WITH allowed AS (
  SELECT s.epoch, o.carried_roles FROM ${foundation(parameter)}
), opened AS (
  INSERT INTO auth.grants (${grantColumns}) SELECT ${grantValues(parameter, 'allowed.carried_roles')} FROM allowed
  ON CONFLICT (tenant, id) DO NOTHING
  RETURNING id, expires_at
), family AS (
  INSERT INTO auth.refresh_families (${familyColumns})
  SELECT ${familyValues(parameter)} FROM opened WHERE $familyId::uuid IS NOT NULL
), noted AS (
  INSERT INTO auth.session_clients (tenant, session_id, client_id)
  SELECT $tenant, $sessionId, $clientId FROM opened WHERE $notifiedOfLogout::boolean
  ON CONFLICT DO NOTHING
)
SELECT allowed.epoch AS "subjectEpoch", EXISTS (SELECT 1 FROM opened) AS opened,
  extract(epoch FROM now() + $lifetimeSeconds * interval '1 second')::float8 AS "expiresAt",
  ARRAY(${rolesHeld('$tenant', '$subjectId')}) AS roles, allowed.carried_roles AS "carriedRoles"
FROM allowed`,
  parameters: members,
  columns,
});

/** Maximum time in milliseconds that a batch waits for a lock. */
const lockMs = 100;

const asked: Place = (name) => `asked."${name}"`;

/** Column definitions of the records in the parameter. */
const recordOf = Object.entries(members)
  .map(([name, type]) => `"${name}" ${(typeof type === 'string' ? type : type.token).replace(/[?!]$/, '')}`)
  .join(', ');

/**
 * Opens many grants in one statement. The rows of each grant are found and locked in a subquery that can use only the
 * keys. Grants whose rows an offboarding has locked are skipped, and `alone` waits for them. A batch that waits for a
 * concurrent replay of one of its codes fails after `lockMs`; then each grant is written separately.
 */
const openGrants = statement({
  name: 'grants.open_together',
  reason: 'atomic',
  text: `
WITH asked AS (
  SELECT asked.*, live.epoch, live.carried_roles
  FROM jsonb_to_recordset($grants) AS asked(${recordOf})
  CROSS JOIN LATERAL (SELECT s.epoch, o.carried_roles FROM ${foundation(asked)} SKIP LOCKED) live
  WHERE set_config('lock_timeout', '${lockMs}ms', true) IS NOT NULL
), opened AS (
  INSERT INTO auth.grants (${grantColumns}) SELECT ${grantValues(asked, 'asked.carried_roles')} FROM asked
  ON CONFLICT (tenant, id) DO NOTHING
  RETURNING tenant, id, expires_at
), family AS (
  INSERT INTO auth.refresh_families (${familyColumns})
  SELECT ${familyValues(asked)} FROM asked JOIN opened ON opened.tenant = asked.tenant AND opened.id = asked."grantId"
   WHERE asked."familyId" IS NOT NULL
), noted AS (
  INSERT INTO auth.session_clients (tenant, session_id, client_id)
  SELECT asked.tenant, asked."sessionId", asked."clientId"
    FROM asked JOIN opened ON opened.tenant = asked.tenant AND opened.id = asked."grantId" WHERE asked."notifiedOfLogout"
  ON CONFLICT DO NOTHING
)
SELECT asked.tenant, asked."grantId", asked.epoch AS "subjectEpoch", opened.id IS NOT NULL AS opened,
  extract(epoch FROM now() + asked."lifetimeSeconds" * interval '1 second')::float8 AS "expiresAt",
  ARRAY(${rolesHeld('asked.tenant', 'asked."subjectId"')}) AS roles, asked.carried_roles AS "carriedRoles"
FROM asked LEFT JOIN opened ON opened.tenant = asked.tenant AND opened.id = asked."grantId"`,
  parameters: { grants: typed<readonly NewGrant[]>('jsonb') },
  columns: { tenant: 'text', grantId: 'uuid', ...columns },
});

const keyOf = ({ tenant, grantId }: { tenant: string; grantId: string }): string => `${tenant} ${grantId}`;

/** Writes concurrent grants with one statement and one commit. */
export class GrantOpenings {
  readonly #writes: SharedWrite<NewGrant, OpenedRow | null>;

  /** @param onSeparated called for each grant that was in a batch and is written separately */
  constructor({ sql }: Database<unknown>, onSeparated?: (reason: SeparationReason) => void) {
    this.#writes = new SharedWrite<NewGrant, OpenedRow | null>({
      keyOf,
      together: async (grants) =>
        new Map((await openGrants.rows(sql, { grants })).map((row) => [keyOf(row), row])),
      alone: async (grant) => (await openGrant.first(sql, grant)) ?? null,
      ...(onSeparated && { onSeparated }),
    });
  }

  /** @returns null when the user, the session or the client has changed since the consent */
  open(grant: NewGrant): Promise<OpenedRow | null> {
    return this.#writes.write(grant);
  }
}
