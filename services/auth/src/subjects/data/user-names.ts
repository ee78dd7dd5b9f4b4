import { type Sql, statement } from '@ostiary/database';
import { userNameKey, userNameMark } from '@ostiary/scim';

/** Rows whose key isn't the one of their name by the rules of now: the condition of an index, to the letter. */
const pending = `user_name_keyed IS DISTINCT FROM
  CASE WHEN octet_length(user_name) <> char_length(user_name) THEN user_name || chr(10) || user_name_key END`;

/** So many in one statement. */
const batchSize = 500;

const findPending = statement({
  name: 'subjects.find-outdated-keys',
  reason: 'set',
  text: `SELECT tenant, id, user_name AS name FROM auth.subjects WHERE ${pending} ORDER BY tenant, id LIMIT ${batchSize}`,
  columns: { tenant: 'text', id: 'uuid', name: 'text' },
});

const storeKeys = statement({
  name: 'subjects.store-keys',
  reason: 'set',
  text: `WITH named AS MATERIALIZED (
         SELECT s.tenant, s.id, n.key, n.keyed
           FROM jsonb_to_recordset($keyed::jsonb) AS n(tenant text, id uuid, name text, key text, keyed text)
           JOIN auth.subjects s ON s.tenant = n.tenant AND s.id = n.id AND s.user_name = n.name
          ORDER BY s.tenant, s.id FOR NO KEY UPDATE OF s)
       UPDATE auth.subjects s SET user_name_key = named.key, user_name_keyed = named.keyed
         FROM named WHERE s.tenant = named.tenant AND s.id = named.id`,
  parameters: { keyed: 'jsonb' },
});

/**
 * Makes the keys of user names anew that were made by other rules: by an earlier release, also while one still runs. May be stopped
 * at any time, and be done by several processes at once.
 * @returns how many keys were made
 */
export async function rekeyUserNames(sql: Sql, stopped: () => boolean = () => false): Promise<number> {
  let made = 0;
  while (!stopped()) {
    const rows = await findPending.rows(sql);
    if (rows.length === 0) break;
    const keyed = rows.map((row) => ({ ...row, key: userNameKey(row.name), keyed: userNameMark(row.name) }));
    await storeKeys.run(sql, { keyed });
    made += rows.length;
  }
  return made;
}
