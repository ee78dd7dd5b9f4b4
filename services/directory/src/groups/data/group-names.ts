import { type Sql, wayOf } from '@ostiary/database';
import { groupNameKey } from '@ostiary/scim';
import type { IdPage } from '@ostiary/service';
import { columnsOf, type ResourceRow, toStored } from '../../resources/data/index.ts';
import type { StoredResource } from '../../resources/index.ts';
import type { GroupNameStore, SharedGroupNames } from '../domain/group-names.ts';

const batchSize = 500;

/**
 * Makes the keys of groups' names that are missing, or were made from another name: by a process of an earlier release. May be
 * stopped at any time, and be done by several processes at once.
 * @returns how many keys were made
 */
export async function rekeyGroupNames(sql: Sql, stopped: () => boolean = () => false): Promise<number> {
  let made = 0;
  while (!stopped()) {
    const { rows } = await sql.query<{ tenant: string; id: string; name: string }>(
      `SELECT tenant, id, display_name AS name FROM directory.groups
        WHERE name_keyed IS DISTINCT FROM display_name ORDER BY tenant, id LIMIT ${batchSize}`,
    );
    if (rows.length === 0) break;
    await sql.query(
      `WITH named AS MATERIALIZED (
         SELECT g.tenant, g.id, n.key, n.name
           FROM jsonb_to_recordset($1::jsonb) AS n(tenant text, id uuid, name text, key text)
           JOIN directory.groups g ON g.tenant = n.tenant AND g.id = n.id AND g.display_name = n.name
          ORDER BY g.tenant, g.id FOR NO KEY UPDATE OF g)
       UPDATE directory.groups g SET name_key = named.key, name_keyed = named.name
         FROM named WHERE g.tenant = named.tenant AND g.id = named.id`,
      [JSON.stringify(rows.map((row) => ({ ...row, key: groupNameKey(row.name) })))],
    );
    made += rows.length;
  }
  return made;
}

const sharing = `tenant = $1 AND name_key IN (
  SELECT name_key FROM directory.groups WHERE tenant = $1 GROUP BY name_key HAVING count(*) > 1)`;

/** The names of one tenant's groups. */
export class GroupNames implements GroupNameStore, SharedGroupNames {
  readonly #sql: Sql;
  readonly #tenant: string;

  constructor(sql: Sql, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /**
   * Whether a group other than this one has the name. Until the transaction ends, no other one that asks for the same name gets an
   * answer: of any number, one finds it free.
   */
  async isTaken(displayName: string, id: string): Promise<boolean> {
    const key = groupNameKey(displayName);
    await this.#sql.query(
      'SELECT pg_advisory_xact_lock(hashtextextended($1::text || chr(10) || $2::text, 7))',
      [this.#tenant, key],
    );
    const { rowCount } = await this.#sql.query(
      'SELECT 1 FROM directory.groups WHERE tenant = $1 AND name_key = $2 AND id <> $3 LIMIT 1',
      [this.#tenant, key, id],
    );
    return rowCount > 0;
  }

  /** Groups whose name another one has, in the order of their ids. */
  async page(page: IdPage): Promise<StoredResource[]> {
    const { beyond, order } = wayOf(page);
    const { rows } = await this.#sql.query<ResourceRow>(
      `SELECT ${columnsOf('Group')} FROM directory.groups
        WHERE ${sharing} AND ($2::uuid IS NULL OR id ${beyond} $2::uuid) ORDER BY id ${order} LIMIT ${Math.trunc(page.limit)}`,
      [this.#tenant, page.position ?? null],
    );
    return rows.map(toStored);
  }

  async count(): Promise<number> {
    const { rows } = await this.#sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM directory.groups WHERE ${sharing}`,
      [this.#tenant],
    );
    return rows[0]?.total ?? 0;
  }
}
