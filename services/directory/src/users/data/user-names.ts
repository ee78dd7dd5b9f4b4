import { isUniqueViolation, type Sql, wayOf } from '@ostiary/database';
import { userNameKey, userNameMark } from '@ostiary/scim';
import type { IdPage } from '@ostiary/service';
import { columnsOf, type ResourceRow, toStored } from '../../resources/data/index.ts';
import type { StoredResource } from '../../resources/index.ts';
import type { SharedUserNames } from '../domain/ports.ts';

/** Rows of `u` whose key isn't the one of their name by the rules of now: the condition of an index, to the letter. */
const pending = `user_name_keyed IS DISTINCT FROM
  CASE WHEN octet_length(user_name) <> char_length(user_name) THEN user_name || chr(10) || user_name_key END`;

/** So many in one statement. */
const batchSize = 200;

interface Pending {
  tenant: string;
  id: string;
  name: string;
}

interface Keyed extends Pending {
  key: string;
  keyed: string | null;
  twin: string;
}

/**
 * Makes the keys of user names anew that were made by other rules: by an earlier release, also while one still runs. Nothing else
 * about the users changes, so their versions stay. May be stopped at any time, and be done by several processes at once.
 * A user who turns out to have another one's name keeps it, as their twin.
 * @returns how many keys were made
 */
export async function rekeyUserNames(sql: Sql, stopped: () => boolean = () => false): Promise<number> {
  let made = 0;
  while (!stopped()) {
    // The oldest gets the name: ids are in the order of creation.
    const { rows } = await sql.query<Pending>(
      `SELECT tenant, id, user_name AS name FROM directory.users WHERE ${pending} ORDER BY tenant, id LIMIT ${batchSize}`,
    );
    if (rows.length === 0) break;
    const batch = rows.map(
      (row): Keyed => ({ ...row, key: userNameKey(row.name), keyed: userNameMark(row.name), twin: '' }),
    );
    if (!(await write(sql, batch))) for (const one of batch) await writeOne(sql, one);
    made += rows.length;
  }
  return made;
}

async function writeOne(sql: Sql, one: Keyed): Promise<void> {
  if (!(await write(sql, [one]))) await write(sql, [{ ...one, twin: one.id }]);
}

/** Users who were renamed meanwhile are left as they are. @returns false, and nothing is written, when a name is taken */
async function write(sql: Sql, batch: readonly Keyed[]): Promise<boolean> {
  try {
    await sql.query(
      `UPDATE directory.users u SET user_name_key = n.key, user_name_keyed = n.keyed, user_name_twin = n.twin,
              folded = jsonb_set(u.folded, '{userName}', to_jsonb(n.key))
         FROM jsonb_to_recordset($1::jsonb) AS n(tenant text, id uuid, name text, key text, keyed text, twin text)
        WHERE u.tenant = n.tenant AND u.id = n.id AND u.user_name = n.name`,
      [JSON.stringify(batch)],
    );
    return true;
  } catch (error) {
    if (isUniqueViolation(error, 'users_tenant_user_name_key_key')) return false;
    throw error;
  }
}

/** How many users of all tenants have a name that is also another user's. */
export async function countTwins(sql: Sql): Promise<number> {
  const { rows } = await sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM directory.users WHERE user_name_twin <> ''`,
  );
  return rows[0]?.total ?? 0;
}

const sharing = `tenant = $1 AND user_name_key = ANY (ARRAY(
  SELECT user_name_key FROM directory.users WHERE tenant = $1 AND user_name_twin <> ''))`;

/** The users of one tenant who share their user name with another one. */
export class PostgresSharedUserNames implements SharedUserNames {
  readonly #sql: Sql;
  readonly #tenant: string;

  constructor(sql: Sql, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /** In the order of their ids. */
  async page(page: IdPage): Promise<StoredResource[]> {
    const { beyond, order } = wayOf(page);
    const { rows } = await this.#sql.query<ResourceRow>(
      `SELECT ${columnsOf('User')} FROM directory.users
        WHERE ${sharing} AND ($2::uuid IS NULL OR id ${beyond} $2::uuid) ORDER BY id ${order} LIMIT ${Math.trunc(page.limit)}`,
      [this.#tenant, page.position ?? null],
    );
    return rows.map(toStored);
  }

  async count(): Promise<number> {
    const { rows } = await this.#sql.query<{ total: number }>(
      `SELECT count(*)::int AS total FROM directory.users WHERE ${sharing}`,
      [this.#tenant],
    );
    return rows[0]?.total ?? 0;
  }
}
