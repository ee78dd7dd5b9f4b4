import { coreRegistry, foldCase, foldResource, type JsonObject, validateResource } from '@ostiary/scim';
import { uuidv7 } from '@ostiary/service';
import type pg from 'pg';
import { person } from './people.ts';

const registry = coreRegistry();
const batch = 2_000;
/** Number of new rows from which rebuilding an index is faster than adding to it. */
const worthRebuilding = 300_000;

interface Loaded {
  /** Ids of the users in the order of their numbers, from `from` on. */
  ids: string[];
}

/**
 * Inserts users number `from` to `to` into a tenant directly, without the API and its events. The product's code
 * creates the rows, and the triggers update the counters.
 */
export async function loadPeople(
  sql: pg.Client,
  o: { tenant: string; source: string; from: number; to: number },
): Promise<Loaded> {
  const rebuild = o.to - o.from >= worthRebuilding ? await dropIndexes(sql) : [];
  const ids: string[] = [];
  for (let start = o.from; start <= o.to; start += batch) {
    const end = Math.min(start + batch - 1, o.to);
    const rows = Array.from({ length: end - start + 1 }, (_, i) => rowOf(start + i));
    await sql.query(
      `INSERT INTO directory.users (tenant, id, user_name, user_name_key, display_name, display_name_key, active,
         external_ids, data, folded, schemas_version, version, created_at, updated_at)
       SELECT $1, n.id, n.user_name, n.user_name_key, n.display_name, n.display_name_key, n.active,
         jsonb_build_object($2::text, n.external_id), n.data, n.folded, t.schemas_version, 1, clock_timestamp(), clock_timestamp()
       FROM directory.tenants t, unnest($3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[], $9::text[],
         $10::jsonb[], $11::jsonb[])
         AS n(id, user_name, user_name_key, display_name, display_name_key, active, external_id, data, folded)
       WHERE t.id = $1`,
      [o.tenant, o.source, ...columnsOf(rows)],
    );
    ids.push(...rows.map(({ id }) => id));
  }
  for (const definition of rebuild) await sql.query(definition);
  await sql.query('VACUUM (ANALYZE) directory.users');
  await sql.query('ANALYZE directory.resource_counts');
  return { ids };
}

interface Row {
  id: string;
  externalId: string;
  data: JsonObject;
  folded: JsonObject;
}

function rowOf(n: number): Row {
  const { externalId, ...data } = validateResource(person(n) as JsonObject, registry, 'User', 'create');
  return {
    id: uuidv7(),
    externalId: String(externalId),
    data,
    folded: foldResource(data, registry, 'User'),
  };
}

const columnsOf = (rows: readonly Row[]): unknown[] => {
  const text = (of: (row: Row) => unknown) => rows.map((row) => String(of(row)));
  return [
    rows.map(({ id }) => id),
    text(({ data }) => data.userName),
    text(({ data }) => foldCase(String(data.userName))),
    text(({ data }) => data.displayName),
    text(({ data }) => foldCase(String(data.displayName))),
    rows.map(({ data }) => data.active !== false),
    rows.map(({ externalId }) => externalId),
    rows.map(({ data }) => JSON.stringify(data)),
    rows.map(({ folded }) => JSON.stringify(folded)),
  ];
};

/** Drops indexes without a constraint. @returns the statements that create them again */
async function dropIndexes(sql: pg.Client): Promise<string[]> {
  const { rows } = await sql.query<{ name: string; definition: string }>(
    `SELECT i.indexrelid::regclass::text AS name, pg_get_indexdef(i.indexrelid) AS definition FROM pg_index i
     WHERE i.indrelid = 'directory.users'::regclass AND NOT i.indisunique`,
  );
  for (const { name } of rows) await sql.query(`DROP INDEX ${name}`);
  return ["SET maintenance_work_mem = '512MB'", ...rows.map(({ definition }) => definition)];
}

/** Inserts a group with these members. @returns its id */
export async function loadGroup(
  sql: pg.Client,
  o: { tenant: string; displayName: string; members: readonly string[] },
): Promise<string> {
  const id = uuidv7();
  const data = { schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'], displayName: o.displayName };
  const folded = foldResource(data, registry, 'Group');
  await sql.query(
    `INSERT INTO directory.groups (tenant, id, display_name, display_name_key, data, folded, schemas_version, version, created_at, updated_at)
     SELECT t.id, $2, $3, $4, $5, $6, t.schemas_version, 1, now(), now() FROM directory.tenants t WHERE t.id = $1`,
    [o.tenant, id, o.displayName, foldCase(o.displayName), JSON.stringify(data), JSON.stringify(folded)],
  );
  await sql.query(
    `INSERT INTO directory.user_memberships (tenant, group_id, member_id, added_at)
     SELECT $1, $2, id, now() FROM unnest($3::uuid[]) AS id`,
    [o.tenant, id, o.members],
  );
  await sql.query('ANALYZE directory.user_memberships');
  return id;
}
