import { composedStatement, type Flaw, fragment, type Scan, type Sql, statement } from '@ostiary/database';
import { outwardScans } from '../../../signals/data/invariants.ts';
import { endedScans } from './ended-invariants.ts';

export interface Key {
  tenant: string;
  id: string;
}

export interface SubjectFact extends Key {
  active: boolean;
  deleted: boolean;
  version: number;
  userName: string;
}

const subjectKey = [
  ['tenant', 'text'],
  ['id', 'uuid'],
] as const;

// Incrementing the epoch revokes all of this in the same transaction, so a live row of an earlier epoch is a violation.
const gone = '(NOT s.active OR s.deleted)';
const subjectOfPage = 'JOIN auth.subjects s ON s.tenant = page.tenant AND s.id = page.subject_id';

/** Invariants of objects issued to users. */
const issuedScans = (): Scan[] => [
  {
    name: 'sessions',
    says: 'An offboarded user has no active session; a reactivated user has none from before the offboarding.',
    table: 'auth.sessions',
    key: subjectKey,
    flaws: `SELECT page.tenant, page.id::text AS id, 'session of ' || s.id AS detail FROM page ${subjectOfPage}
             WHERE page.revoked_at IS NULL AND page.expires_at > now()
               AND (${gone} OR EXISTS (
                 SELECT FROM auth.security_log l
                  WHERE l.tenant = page.tenant AND l.subject_id = page.subject_id AND l.action = 'user.departed'
                    AND l.occurred_at > page.created_at))`,
  },
  {
    name: 'grants',
    says: 'An offboarded user has no active grant or refresh token; a reactivated user has none from before the offboarding.',
    table: 'auth.grants',
    key: subjectKey,
    flaws: `SELECT page.tenant, page.id::text AS id, 'grant of ' || s.id AS detail FROM page ${subjectOfPage}
             WHERE page.revoked_at IS NULL AND page.expires_at > now() AND (page.subject_epoch < s.epoch OR ${gone})`,
  },
  {
    name: 'personal access tokens',
    says: 'An offboarded user has no active personal access token; a reactivated user has none from before the offboarding.',
    table: 'auth.api_tokens',
    key: subjectKey,
    flaws: `SELECT page.tenant, page.id::text AS id, 'personal access token of ' || s.id AS detail FROM page ${subjectOfPage}
             WHERE page.revoked_at IS NULL AND page.expires_at > now() AND (page.owner_epoch < s.epoch OR ${gone})`,
  },
  {
    name: 'invitations',
    says: 'An offboarded user has no invitation that a reactivation would make valid.',
    table: 'auth.invitations',
    key: subjectKey,
    // An invitation of an earlier epoch is invalid, and stays until it is pruned.
    flaws: `SELECT page.tenant, page.id::text AS id, 'invitation of ' || s.id AS detail FROM page ${subjectOfPage}
             WHERE page.used_at IS NULL AND page.expires_at > now() AND page.subject_epoch >= s.epoch AND ${gone}`,
  },
  {
    name: 'grants and sessions',
    says: 'A grant and its session belong to the same user.',
    table: 'auth.grants',
    key: subjectKey,
    flaws: `SELECT page.tenant, page.id::text AS id, 'grant of ' || page.subject_id || ', session of ' || o.subject_id AS detail
              FROM page JOIN auth.sessions o ON o.tenant = page.tenant AND o.id = page.session_id
             WHERE o.subject_id <> page.subject_id`,
  },
];

/** Invariants of objects that end together. */
const endedTogetherScans = (): Scan[] => [
  {
    name: 'refresh tokens and grants',
    says: 'A refresh token and its grant belong to the same client.',
    table: 'auth.refresh_families',
    key: subjectKey,
    flaws: `SELECT page.tenant, page.id::text AS id, 'refresh token of ' || page.client_id || ', grant of ' || g.client_id AS detail
              FROM page JOIN auth.grants g ON g.tenant = page.tenant AND g.id = page.grant_id
             WHERE g.client_id <> page.client_id`,
  },
  {
    name: 'offboardings in the revocation feed',
    says: 'Each offboarding is in the revocation feed once, and the last one with the current epoch of the user.',
    table: 'auth.revocations',
    key: [['seq', 'bigint']],
    flaws: `SELECT page.tenant, page.key AS id,
                   CASE WHEN page.epoch > coalesce(s.epoch, -1) THEN 'the feed is ahead: epoch ' || page.epoch
                        WHEN double.seq IS NOT NULL THEN 'epoch ' || page.epoch || ' twice'
                        ELSE 'the feed ends with epoch ' || page.epoch || ', the person is in ' || s.epoch END AS detail
              FROM page
              LEFT JOIN auth.subjects s ON s.tenant = page.tenant
                AND s.id = CASE WHEN page.kind = 'subject' AND page.key ~ '^[0-9a-f-]{36}$' THEN page.key::uuid END
              LEFT JOIN LATERAL (
                SELECT max(r.epoch) AS epoch FROM auth.revocations r
                 WHERE r.tenant = page.tenant AND r.kind = 'subject' AND r.key = page.key
              ) newest ON true
              LEFT JOIN LATERAL (
                SELECT r.seq FROM auth.revocations r
                 WHERE r.tenant = page.tenant AND r.kind = 'subject' AND r.key = page.key AND r.epoch = page.epoch
                   AND r.seq < page.seq LIMIT 1
              ) double ON true
             WHERE page.kind = 'subject' AND page.epoch IS NOT NULL
               AND (page.epoch > coalesce(s.epoch, -1) OR double.seq IS NOT NULL
                    OR (newest.epoch = page.epoch AND s.epoch > page.epoch))`,
  },
];

/** Invariants of work that follows from recorded changes. */
const followingScans = (waitingSeconds: number): Scan[] => [
  {
    name: 'queries about groups',
    says: 'Membership of groups with roles is checked without delay: no user keeps the role of a group after leaving it.',
    table: 'auth.membership_checks',
    key: [['id', 'uuid']],
    parameter: waitingSeconds,
    flaws: `SELECT page.tenant, page.id::text AS id, 'since ' || page.created_at AS detail FROM page
             WHERE page.created_at < now() - $1::float8 * interval '1 second'`,
  },
  {
    name: 'queries about owners',
    says: 'Groups that own credentials are checked for members without delay: no user keeps access through a group without members.',
    table: 'auth.owner_checks',
    key: [
      ['tenant', 'text'],
      ['id', 'uuid'],
    ],
    parameter: waitingSeconds,
    flaws: `SELECT page.tenant, page.id::text AS id, 'since ' || page.created_at AS detail FROM page
             WHERE page.created_at < now() - $1::float8 * interval '1 second'`,
  },
  {
    name: 'live events of auth',
    says: 'Live events of auth are published without delay.',
    table: 'auth.live_events',
    key: [['id', 'uuid']],
    parameter: waitingSeconds,
    flaws: `SELECT page.tenant, page.id::text AS id, page.type || ' since ' || page.occurred_at AS detail FROM page
             WHERE page.occurred_at < now() - $1::float8 * interval '1 second'`,
  },
];

/** Invariants of this service's own tables. @param waitingSeconds maximum time that an effect may be pending */
export const scans = (waitingSeconds: number): Scan[] => [
  ...issuedScans(),
  ...endedTogetherScans(),
  ...followingScans(waitingSeconds),
  ...endedScans,
  ...outwardScans(waitingSeconds),
];

/** Role of a user through a group. */
export interface HoldingFact extends Key {
  groupId: string;
  role: string;
}

const holding = fragment('h.tenant, h.subject_id::text AS id, h.group_id::text AS "groupId", h.role', {
  tenant: 'text',
  id: 'text',
  groupId: 'text',
  role: 'text',
});

const listHoldings = composedStatement({
  name: 'upkeep.holdings-after',
  reason: 'set',
  columns: holding.columns,
  compose: ({ after, limit }: { after: HoldingFact | undefined; limit: number }) => ({
    text: `SELECT ${holding} FROM auth.group_role_holders h
      ${after === undefined ? '' : 'WHERE (h.tenant, h.subject_id, h.group_id, h.role) > ($2, $3::uuid, $4::uuid, $5)'}
      ORDER BY h.tenant, h.subject_id, h.group_id, h.role LIMIT $1`,
    values: [limit, ...(after === undefined ? [] : [after.tenant, after.id, after.groupId, after.role])],
  }),
  examples: () => [
    { after: undefined, limit: 1 },
    { after: { tenant: 'demo', id: '', groupId: '', role: '' }, limit: 1 },
  ],
});

/** Returns a page of roles through groups, in the order of their keys. */
export const holdingsAfter = (
  sql: Sql,
  after: HoldingFact | undefined,
  limit: number,
): Promise<HoldingFact[]> => listHoldings.rows(sql, { after, limit });

const findHoldings = statement({
  name: 'upkeep.holdings-of',
  reason: 'set',
  text: `SELECT DISTINCT ${holding} FROM unnest($tenants::text[], $ids::uuid[], $groupIds::uuid[]) AS k (tenant, id, group_id)
       JOIN auth.group_role_holders h ON h.tenant = k.tenant AND h.subject_id = k.id AND h.group_id = k.group_id`,
  parameters: { tenants: 'text[]', ids: 'uuid[]', groupIds: 'uuid[]' },
  columns: holding.columns,
});

const columnsOf = (keys: readonly Key[]) => ({
  tenants: keys.map(({ tenant }) => tenant),
  ids: keys.map(({ id }) => id),
});

export const holdingsOf = (sql: Sql, keys: readonly (Key & { groupId: string })[]): Promise<HoldingFact[]> =>
  findHoldings.rows(sql, { ...columnsOf(keys), groupIds: keys.map(({ groupId }) => groupId) });

const subject = fragment(
  `s.tenant, s.id::text AS id, s.active, s.deleted, s.version::text AS version, s.user_name AS "userName"`,
  {
    tenant: 'text',
    id: 'text',
    active: 'bool',
    deleted: 'bool',
    version: 'text',
    userName: 'text',
  },
);

/** Versions are text, because the audit's connection does not use this service's type parsers. */
const withVersion = <Row extends { version: string }>(
  row: Row,
): Omit<Row, 'version'> & { version: number } => ({
  ...row,
  version: Number(row.version),
});

const listSubjects = composedStatement({
  name: 'upkeep.subjects-after',
  reason: 'set',
  columns: subject.columns,
  compose: ({ after, limit }: { after: Key | undefined; limit: number }) => ({
    text: `SELECT ${subject} FROM auth.subjects s
      ${after === undefined ? '' : 'WHERE (s.tenant, s.id) > ($2, $3::uuid)'} ORDER BY s.tenant, s.id LIMIT $1`,
    values: [limit, ...(after === undefined ? [] : [after.tenant, after.id])],
  }),
  examples: () => [
    { after: undefined, limit: 1 },
    { after: { tenant: 'demo', id: '' }, limit: 1 },
  ],
});

/** Returns a page of stored users, in the order of their keys. */
export const subjectsAfter = async (
  sql: Sql,
  after: Key | undefined,
  limit: number,
): Promise<SubjectFact[]> => (await listSubjects.rows(sql, { after, limit })).map(withVersion);

const findSubjects = statement({
  name: 'upkeep.subjects-of',
  reason: 'set',
  text: `SELECT ${subject} FROM unnest($tenants::text[], $ids::uuid[]) AS k (tenant, id)
       JOIN auth.subjects s ON s.tenant = k.tenant AND s.id = k.id`,
  parameters: { tenants: 'text[]', ids: 'uuid[]' },
  columns: subject.columns,
});

/** Returns the stored state of these users; unknown ones are omitted. */
export const subjectsOf = async (sql: Sql, keys: readonly Key[]): Promise<SubjectFact[]> =>
  (await findSubjects.rows(sql, columnsOf(keys))).map(withVersion);

const leftoverKinds = [
  'credentials',
  'passkeys',
  'totp_factors',
  'recovery_codes',
  'role_assignments',
  'group_role_holders',
  'invitations',
  'api_tokens',
];

const findLeftovers = statement({
  name: 'upkeep.leftovers',
  reason: 'set',
  text: leftoverKinds
    .map(
      (table) => `SELECT k.tenant, k.id::text AS id, '${table} of a deleted person' AS detail
          FROM unnest($tenants::text[], $ids::uuid[]) AS k (tenant, id)
         WHERE EXISTS (SELECT 1 FROM auth.${table} t WHERE t.tenant = k.tenant AND t.subject_id = k.id${
           // A password that was staged during the deletion waits for an event that never arrives.
           table === 'credentials' ? ' AND t.activated_at IS NOT NULL' : ''
         })`,
    )
    .join(' UNION ALL '),
  parameters: { tenants: 'text[]', ids: 'uuid[]' },
  columns: { tenant: 'text', id: 'text', detail: 'text' },
});

/** Returns objects of deleted users with which they could sign in or act after a restoration. */
export const leftovers = (sql: Sql, keys: readonly Key[]): Promise<Flaw[]> =>
  findLeftovers.rows(sql, columnsOf(keys));

const findReceived = statement({
  name: 'upkeep.received',
  reason: 'set',
  text: `SELECT event_id AS id FROM auth.inbox_entries WHERE consumer = 'auth' AND event_id = ANY ($eventIds::uuid[])`,
  parameters: { eventIds: 'uuid[]' },
  columns: { id: 'uuid' },
});

/** Returns those of the events that were processed here. */
export async function received(sql: Sql, eventIds: readonly string[]): Promise<Set<string>> {
  return new Set((await findReceived.rows(sql, { eventIds })).map(({ id }) => id));
}

/** Plain SQL, because the audit's connection has no Prisma client. */
const listTenants = statement({
  name: 'upkeep.tenants',
  reason: 'set',
  text: 'SELECT id, status, version::text AS version FROM auth.tenants',
  columns: { id: 'text', status: 'text', version: 'text' },
});

/** Returns the stored state of all tenants. */
export const tenants = async (sql: Sql): Promise<{ id: string; status: string; version: number }[]> =>
  (await listTenants.rows(sql)).map(withVersion);
