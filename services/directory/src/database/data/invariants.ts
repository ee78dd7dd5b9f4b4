import { composedStatement, fragment, type Scan, type Sql, statement, typed } from '@ostiary/database';

export interface Key {
  tenant: string;
  id: string;
}

/** The compared fields of a user. */
export interface UserFact extends Key {
  active: boolean;
  version: number;
  userName: string;
  /** Source → externalId. */
  externalIds: Record<string, string>;
}

/** An event that should have reached its consumers. */
export interface EventFact {
  id: string;
  tenant: string;
  type: string;
  /** Consumers with a pending delivery. */
  underWay: string[];
}

/** One grouping instead of a lookup per event: a user with many changes would cost the square of their number. */
const changesWithoutEntry = `SELECT tenant, id, string_agg(type, ', ') || ' of version ' || version || ': ' || count(entry) || ' entries' AS detail
              FROM (
                SELECT tenant, subject AS id, version, type, NULL::int AS entry FROM page
                 WHERE type LIKE 'user.%' AND occurred_at > now() - interval '1 day'
                UNION ALL
                SELECT a.tenant, a.resource_id, a.resource_version, NULL, 1
                  FROM (SELECT DISTINCT tenant, subject FROM page WHERE type LIKE 'user.%' AND occurred_at > now() - interval '1 day') named
                  JOIN directory.audit_log a ON a.tenant = named.tenant AND a.resource_id = named.subject
                 WHERE a.resource_type = 'User'
              ) both_sides
             GROUP BY tenant, id, version HAVING count(type) > 0 AND count(entry) <> 1`;

/**
 * Returns the invariants of this service's own tables. @param waitingSeconds maximum time for which a delivery may be
 * pending
 */
export const scans = (waitingSeconds: number): Scan[] => [
  {
    name: 'pending event deliveries',
    says: 'Events are delivered within the maximum time.',
    table: 'directory.outbox_deliveries',
    key: [
      ['event_id', 'uuid'],
      ['consumer', 'text'],
    ],
    parameter: waitingSeconds,
    flaws: `SELECT coalesce(e.tenant, '') AS tenant, page.event_id::text AS id,
                   coalesce(e.type || ' to ' || page.consumer || ', ' || page.state || ' since ' || e.occurred_at, 'of no event') AS detail
              FROM page LEFT JOIN directory.outbox_events e ON e.id = page.event_id
             WHERE page.state <> 'done' AND (e.id IS NULL OR e.occurred_at < now() - $1::float8 * interval '1 second')`,
  },
  {
    name: 'changes and their events',
    says: 'Each event about a user of the last day has one audit log entry with the same version.',
    table: 'directory.outbox_events',
    key: [['id', 'uuid']],
    flaws: changesWithoutEntry,
  },
  {
    name: 'duplicate user names',
    says: 'User names are unique: each user can be found by the name.',
    table: 'directory.users',
    key: [
      ['tenant', 'text'],
      ['id', 'uuid'],
    ],
    flaws: `SELECT page.tenant, page.id::text AS id, 'has the user name of ' || coalesce(o.id::text, 'nobody') AS detail
              FROM page LEFT JOIN directory.users o ON o.tenant = page.tenant AND o.user_name_key = page.user_name_key
                AND o.user_name_twin = ''
             WHERE page.user_name_twin <> ''`,
  },
  {
    name: 'keys of user names',
    says: 'The key of each user name matches the name.',
    table: 'directory.users',
    key: [
      ['tenant', 'text'],
      ['id', 'uuid'],
    ],
    parameter: waitingSeconds,
    flaws: `SELECT page.tenant, page.id::text AS id, 'the key is of another name' AS detail FROM page
             WHERE page.user_name_keyed IS DISTINCT FROM CASE WHEN octet_length(page.user_name) <> char_length(page.user_name)
                     THEN page.user_name || chr(10) || page.user_name_key END
               AND page.updated_at < now() - greatest($1::float8, 120) * interval '1 second'`,
  },
];

const user = fragment(
  'u.tenant, u.id, u.active, u.version, u.user_name AS "userName", u.external_ids AS "externalIds"',
  {
    tenant: 'text',
    id: 'uuid',
    active: 'bool',
    version: typed<number>('int8'),
    userName: 'text',
    externalIds: typed<Record<string, string>>('jsonb'),
  },
);

const pageOfUsers = composedStatement({
  name: 'invariants.page of users',
  reason: 'set',
  columns: user.columns,
  compose: ({ after, limit }: { after: Key | undefined; limit: number }) => ({
    text: `SELECT ${user} FROM directory.users u
            ${after === undefined ? '' : 'WHERE (tenant, id) > ($2, $3::uuid)'} ORDER BY tenant, id LIMIT $1`,
    values: [limit, ...(after === undefined ? [] : [after.tenant, after.id])],
  }),
  examples: () => [
    { after: undefined, limit: 1 },
    { after: { tenant: 'demo', id: '00000000-0000-0000-0000-000000000000' }, limit: 1 },
  ],
});

const findUsers = statement({
  name: 'invariants.find users',
  reason: 'set',
  text: `SELECT ${user} FROM unnest($tenants::text[], $ids::uuid[]) AS k (tenant, id)
           JOIN directory.users u ON u.tenant = k.tenant AND u.id = k.id`,
  parameters: { tenants: 'text[]', ids: 'uuid[]' },
  columns: user.columns,
});

const findMembers = statement({
  name: 'invariants.find members',
  reason: 'set',
  text: `WITH RECURSIVE asked AS (
           SELECT DISTINCT tenant, id, group_id FROM unnest($tenants::text[], $ids::uuid[], $groupIds::uuid[]) AS k (tenant, id, group_id)
         ), within (tenant, id, group_id) AS (
           SELECT m.tenant, m.member_id, m.group_id FROM (SELECT DISTINCT tenant, id FROM asked) person
             JOIN directory.user_memberships m ON m.tenant = person.tenant AND m.member_id = person.id
           UNION
           SELECT m.tenant, within.id, m.group_id FROM within
             JOIN directory.group_memberships m ON m.tenant = within.tenant AND m.member_id = within.group_id
         )
         SELECT tenant, id, group_id AS "groupId" FROM asked JOIN within USING (tenant, id, group_id)`,
  parameters: { tenants: 'text[]', ids: 'uuid[]', groupIds: 'uuid[]' },
  columns: { tenant: 'text', id: 'uuid', groupId: 'uuid' },
});

const findRestorable = statement({
  name: 'invariants.find restorable',
  reason: 'set',
  text: `SELECT d.tenant, d.id FROM unnest($tenants::text[], $ids::uuid[]) AS k (tenant, id)
           JOIN directory.deleted_resources d ON d.tenant = k.tenant AND d.id = k.id`,
  parameters: { tenants: 'text[]', ids: 'uuid[]' },
  columns: { tenant: 'text', id: 'uuid' },
});

const event = fragment(
  `e.id, e.tenant, e.type,
   ARRAY(SELECT d.consumer FROM directory.outbox_deliveries d WHERE d.event_id = e.id AND d.state <> 'done') AS "underWay"`,
  { id: 'uuid', tenant: 'text', type: 'text', underWay: 'text[]' },
);

const pageOfEvents = composedStatement({
  name: 'invariants.page of events',
  reason: 'set',
  columns: event.columns,
  compose: ({ after, limit }: { after: string | undefined; limit: number }) => ({
    text: `SELECT ${event} FROM directory.outbox_events e
            ${after === undefined ? '' : 'WHERE e.id > $2::uuid'} ORDER BY e.id LIMIT $1`,
    values: [limit, ...(after === undefined ? [] : [after])],
  }),
  examples: () => [
    { after: undefined, limit: 1 },
    { after: '00000000-0000-0000-0000-000000000000', limit: 1 },
  ],
});

const findEvents = statement({
  name: 'invariants.find events',
  reason: 'set',
  text: `SELECT ${event} FROM directory.outbox_events e WHERE e.id = ANY ($ids::uuid[])`,
  parameters: { ids: 'uuid[]' },
  columns: event.columns,
});

/** Reads all rows, on a connection that only reads and has no other client. */
const allTenants = statement({
  name: 'invariants.all tenants',
  reason: 'set',
  text: 'SELECT id, status, version FROM directory.tenants',
  columns: { id: 'text', status: 'text', version: typed<number>('int8') },
});

const listed = (keys: readonly Key[]) => ({
  tenants: keys.map(({ tenant }) => tenant),
  ids: keys.map(({ id }) => id),
});

/** Returns a page of all users, in the order of their keys. */
export const usersAfter = (sql: Sql, after: Key | undefined, limit: number): Promise<UserFact[]> =>
  pageOfUsers.rows(sql, { after, limit });

/** Returns the existing users of these keys. */
export const usersOf = (sql: Sql, keys: readonly Key[]): Promise<UserFact[]> =>
  findUsers.rows(sql, listed(keys));

/** A membership of a user in a group, direct or through other groups. */
export interface MemberFact extends Key {
  groupId: string;
}

/** Returns the existing ones of these memberships. */
export const membersAmong = (sql: Sql, keys: readonly MemberFact[]): Promise<MemberFact[]> =>
  findMembers.rows(sql, { ...listed(keys), groupIds: keys.map(({ groupId }) => groupId) });

/** Returns the keys of deleted users that can be restored. */
export const restorable = (sql: Sql, keys: readonly Key[]): Promise<Key[]> =>
  findRestorable.rows(sql, listed(keys));

/** Returns a page of the stored events, in the order of their creation. */
export const eventsAfter = (sql: Sql, after: string | undefined, limit: number): Promise<EventFact[]> =>
  pageOfEvents.rows(sql, { after, limit });

/** Returns the stored events of these ids. */
export const eventsOf = (sql: Sql, ids: readonly string[]): Promise<EventFact[]> =>
  findEvents.rows(sql, { ids });

export const tenants = (sql: Sql): Promise<{ id: string; status: string; version: number }[]> =>
  allTenants.rows(sql);
