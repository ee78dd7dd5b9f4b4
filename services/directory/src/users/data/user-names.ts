import { composedStatement, isUniqueViolation, type Sql, statement, typed, wayOf } from '@ostiary/database';
import { userNameKey, userNameMark } from '@ostiary/scim';
import type { IdPage } from '@ostiary/service';
import { resourceColumns } from '../../resources/data/rows.ts';
import type { SharedNames, StoredResource } from '../../resources/index.ts';

/**
 * Rows of `u` whose key is not the current one of their name. The text must equal the condition of the index exactly.
 */
const pending = `user_name_keyed IS DISTINCT FROM
  CASE WHEN octet_length(user_name) <> char_length(user_name) THEN user_name || chr(10) || user_name_key END`;

/** Batch size of one statement. */
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

/** The oldest user gets the name: ids are in the order of creation. */
const findPending = statement({
  name: 'user names.find pending',
  reason: 'set',
  text: `SELECT tenant, id, user_name AS name FROM directory.users WHERE ${pending} ORDER BY tenant, id LIMIT ${batchSize}`,
  columns: { tenant: 'text', id: 'uuid', name: 'text' },
});

/** Users who were renamed in the meantime are skipped. */
const writeKeys = statement({
  name: 'user names.write keys',
  reason: 'set',
  text: `UPDATE directory.users u SET user_name_key = n.key, user_name_keyed = n.keyed, user_name_twin = n.twin,
                folded = jsonb_set(u.folded, '{userName}', to_jsonb(n.key))
           FROM jsonb_to_recordset($batch::jsonb) AS n(tenant text, id uuid, name text, key text, keyed text, twin text)
          WHERE u.tenant = n.tenant AND u.id = n.id AND u.user_name = n.name`,
  parameters: { batch: typed<readonly Keyed[]>('jsonb') },
});

const countAllTwins = statement({
  name: 'user names.count all twins',
  reason: 'set',
  text: `SELECT count(*)::int4 AS total FROM directory.users WHERE user_name_twin <> ''`,
  columns: { total: 'int4' },
});

/**
 * Computes the keys of user names again that an earlier release made by other rules, also while one still runs.
 * Nothing else about the users changes, so their versions stay. It can be stopped at any time, and can run in several
 * processes concurrently. A user whose name turns out to be another user's keeps it, as that user's twin.
 * @returns the number of computed keys
 */
export async function rekeyUserNames(sql: Sql, stopped: () => boolean = () => false): Promise<number> {
  let made = 0;
  while (!stopped()) {
    const rows = await findPending.rows(sql);
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

/** @returns false, and nothing is written, when a name is taken */
async function write(sql: Sql, batch: readonly Keyed[]): Promise<boolean> {
  try {
    await writeKeys.run(sql, { batch });
    return true;
  } catch (error) {
    if (isUniqueViolation(error, 'users_tenant_user_name_key_key')) return false;
    throw error;
  }
}

/** Counts the users of all tenants who share their user name. */
export async function countTwins(sql: Sql): Promise<number> {
  return (await countAllTwins.first(sql))?.total ?? 0;
}

const sharing = `tenant = $1 AND user_name_key = ANY (ARRAY(
  SELECT user_name_key FROM directory.users WHERE tenant = $1 AND user_name_twin <> ''))`;

const pageOfSharing = composedStatement({
  name: 'user names.page of sharing',
  reason: 'set',
  columns: resourceColumns.User.columns,
  compose: ({ tenant, ...page }: IdPage & { tenant: string }) => {
    const { beyond, order } = wayOf(page);
    return {
      text: `SELECT ${resourceColumns.User} FROM directory.users r
              WHERE ${sharing} AND ($2::uuid IS NULL OR id ${beyond} $2::uuid) ORDER BY id ${order} LIMIT $3`,
      values: [tenant, page.position ?? null, page.limit],
    };
  },
  examples: () => [
    { tenant: 'demo', limit: 1, direction: 'forward' },
    { tenant: 'demo', limit: 1, direction: 'backward' },
  ],
});

const countSharing = statement({
  name: 'user names.count sharing',
  reason: 'set',
  text: `SELECT count(*)::int4 AS total FROM directory.users WHERE ${sharing}`,
  parameters: { tenant: 'text' },
  columns: { total: 'int4' },
});

/** The users of one tenant who share their user name with another one. */
export class SharedUserNames implements SharedNames {
  readonly #sql: Sql;
  readonly #tenant: string;

  constructor(sql: Sql, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /** Returns a page in the order of ids. */
  page(page: IdPage): Promise<StoredResource[]> {
    return pageOfSharing.rows(this.#sql, { tenant: this.#tenant, ...page });
  }

  async count(): Promise<number> {
    return (await countSharing.first(this.#sql, { tenant: this.#tenant }))?.total ?? 0;
  }
}
