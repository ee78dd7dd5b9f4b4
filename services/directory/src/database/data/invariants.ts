import type { Scan, Sql } from '@ostiary/database';

/** Whom it is about. */
export interface Key {
  tenant: string;
  id: string;
}

/** What is true of a user. */
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
  /** Consumers to whom it is on its way. */
  underWay: string[];
}

/** What must hold in this service's own tables. `waitingSeconds`: how long something may be on its way. */
export const scans = (waitingSeconds: number): Scan[] => [
  {
    name: 'deliveries under way',
    says: 'No event is on its way for long.',
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
    says: 'What events said of a user in the last day is in the audit log once, with the same version.',
    table: 'directory.outbox_events',
    key: [['id', 'uuid']],
    flaws: `SELECT page.tenant, page.subject AS id, page.type || ' of version ' || page.version || ': ' || log.entries || ' entries' AS detail
              FROM page CROSS JOIN LATERAL (
                SELECT count(*) AS entries FROM directory.audit_log a
                 WHERE a.tenant = page.tenant AND a.resource_id = page.subject AND a.resource_version = page.version
                   AND a.resource_type = 'User'
              ) log
             WHERE page.type LIKE 'user.%' AND page.occurred_at > now() - interval '1 day' AND log.entries <> 1`,
  },
  {
    name: 'user names that several have',
    says: 'No user has the user name of another one: each can be found by theirs.',
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
    says: 'Every user is found by the name that they have.',
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

interface UserRow extends Key {
  active: boolean;
  version: string;
  user_name: string;
  external_ids: Record<string, string>;
}

const columns =
  'u.tenant, u.id::text AS id, u.active, u.version::text AS version, u.user_name, u.external_ids';
const fact = ({ version, user_name, external_ids, ...row }: UserRow): UserFact => ({
  ...row,
  version: Number(version),
  userName: user_name,
  externalIds: external_ids,
});

/** A page of all users, in the order of their keys. */
export async function usersAfter(sql: Sql, after: Key | undefined, limit: number): Promise<UserFact[]> {
  const { rows } = await sql.query<UserRow>(
    `SELECT ${columns} FROM directory.users u
      ${after === undefined ? '' : 'WHERE (tenant, id) > ($2, $3::uuid)'} ORDER BY tenant, id LIMIT $1`,
    [limit, ...(after === undefined ? [] : [after.tenant, after.id])],
  );
  return rows.map(fact);
}

/** These users, as far as they are there. */
export async function usersOf(sql: Sql, keys: readonly Key[]): Promise<UserFact[]> {
  const { rows } = await sql.query<UserRow>(
    `SELECT ${columns} FROM unnest($1::text[], $2::uuid[]) AS k (tenant, id)
       JOIN directory.users u ON u.tenant = k.tenant AND u.id = k.id`,
    [keys.map(({ tenant }) => tenant), keys.map(({ id }) => id)],
  );
  return rows.map(fact);
}

/** That a user is in a group, directly or through others. */
export interface MemberFact extends Key {
  groupId: string;
}

/** Which of these are so. */
export async function membersAmong(sql: Sql, keys: readonly MemberFact[]): Promise<MemberFact[]> {
  const { rows } = await sql.query<MemberFact>(
    `WITH RECURSIVE asked AS (
       SELECT DISTINCT tenant, id, group_id FROM unnest($1::text[], $2::uuid[], $3::uuid[]) AS k (tenant, id, group_id)
     ), within (tenant, id, group_id) AS (
       SELECT m.tenant, m.member_id, m.group_id FROM (SELECT DISTINCT tenant, id FROM asked) person
         JOIN directory.user_memberships m ON m.tenant = person.tenant AND m.member_id = person.id
       UNION
       SELECT m.tenant, within.id, m.group_id FROM within
         JOIN directory.group_memberships m ON m.tenant = within.tenant AND m.member_id = within.group_id
     )
     SELECT tenant, id::text AS id, group_id::text AS "groupId" FROM asked JOIN within USING (tenant, id, group_id)`,
    [keys.map(({ tenant }) => tenant), keys.map(({ id }) => id), keys.map(({ groupId }) => groupId)],
  );
  return rows;
}

/** Which of these were deleted in a way that can be undone. */
export async function restorable(sql: Sql, keys: readonly Key[]): Promise<Key[]> {
  const { rows } = await sql.query<Key>(
    `SELECT d.tenant, d.id::text AS id FROM unnest($1::text[], $2::uuid[]) AS k (tenant, id)
       JOIN directory.deleted_resources d ON d.tenant = k.tenant AND d.id = k.id`,
    [keys.map(({ tenant }) => tenant), keys.map(({ id }) => id)],
  );
  return rows;
}

interface EventRow {
  id: string;
  tenant: string;
  type: string;
  under_way: string[];
}

const eventColumns = `e.id::text AS id, e.tenant, e.type,
  ARRAY(SELECT d.consumer FROM directory.outbox_deliveries d WHERE d.event_id = e.id AND d.state <> 'done') AS under_way`;
const eventFact = ({ under_way, ...row }: EventRow): EventFact => ({ ...row, underWay: under_way });

/** A page of the events that are still kept, in the order of their making. */
export async function eventsAfter(sql: Sql, after: string | undefined, limit: number): Promise<EventFact[]> {
  const { rows } = await sql.query<EventRow>(
    `SELECT ${eventColumns} FROM directory.outbox_events e
      ${after === undefined ? '' : 'WHERE e.id > $2::uuid'} ORDER BY e.id LIMIT $1`,
    [limit, ...(after === undefined ? [] : [after])],
  );
  return rows.map(eventFact);
}

/** These events, as far as they are still kept. */
export async function eventsOf(sql: Sql, ids: readonly string[]): Promise<EventFact[]> {
  const { rows } = await sql.query<EventRow>(
    `SELECT ${eventColumns} FROM directory.outbox_events e WHERE e.id = ANY ($1::uuid[])`,
    [ids],
  );
  return rows.map(eventFact);
}

export async function tenants(sql: Sql): Promise<{ id: string; status: string; version: number }[]> {
  const { rows } = await sql.query<{ id: string; status: string; version: string }>(
    'SELECT id, status, version::text AS version FROM directory.tenants',
  );
  return rows.map((row) => ({ ...row, version: Number(row.version) }));
}
