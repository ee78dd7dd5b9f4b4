import type { Harness } from './harness.ts';

/**
 * Returns the numbers from 1 in parts. A statement adds a version of the tenant's counters for each row, and reads
 * all of them.
 */
export const partsOf = (many: number, size = 2_000): [first: number, last: number][] =>
  Array.from({ length: Math.ceil(many / size) }, (_, part) => [
    part * size + 1,
    Math.min((part + 1) * size, many),
  ]);

/**
 * Returns the id of the user with that number as SQL. It is the same in each tenant, so that the users at its ends
 * are reproducible.
 */
export const personId = (number: string): string => `md5('person' || ${number})::uuid`;

/**
 * Inserts users into the table as the product would have written them. The order of their ids is random but
 * reproducible, and every seventh has no displayName.
 */
export async function insertUsers(harness: Harness, tenant: string, many: number): Promise<void> {
  for (const [first, last] of partsOf(many)) await insertPart(harness, tenant, first, last);
}

async function insertPart(harness: Harness, tenant: string, first: number, last: number): Promise<void> {
  await harness.sql(
    `INSERT INTO directory.users (tenant, id, user_name, user_name_key, display_name, display_name_key, active,
       external_ids, data, folded, created_at, updated_at)
     SELECT $1, ${personId('n')}, 'User' || n, 'user' || n, d ->> 'displayName', lower(d ->> 'displayName'), n % 2 = 0,
       jsonb_build_object('entra', 'X' || n), d, d || jsonb_build_object(
         'userName', 'user' || n, 'active', n % 2 = 0,
         'name', jsonb_build_object('familyName', 'family' || n % 97, 'givenName', 'given' || n % 89),
         'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
         jsonb_build_object('employeeNumber', 'e' || n, 'department', 'sales'))
       || CASE WHEN d ? 'displayName' THEN jsonb_build_object('displayName', lower(d ->> 'displayName')) ELSE '{}' END,
       now() - make_interval(hours => n), now() - make_interval(mins => n)
     FROM generate_series($2::int, $3::int) n, LATERAL (SELECT jsonb_strip_nulls(jsonb_build_object(
       'userName', 'User' || n, 'displayName', CASE WHEN n % 7 > 0 THEN 'Name ' || n % 500 END, 'active', n % 2 = 0,
       'name', jsonb_build_object('familyName', 'Family' || n % 97, 'givenName', 'Given' || n % 89),
       'emails', jsonb_build_array(jsonb_build_object('type', 'work', 'value', 'user' || n || '@example.com')),
       'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
       jsonb_build_object('employeeNumber', 'E' || n, 'department', 'Sales')))) AS j(d)`,
    [tenant, first, last],
  );
}
