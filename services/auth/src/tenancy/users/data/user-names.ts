import { type Sql, statement } from '@ostiary/database';
import { userNameKey, userNameMark } from '@ostiary/scim';

/** Rows whose key does not match the current rules. Must equal the condition of the index literally. */
const pending = `user_name_keyed IS DISTINCT FROM
  CASE WHEN octet_length(user_name) <> char_length(user_name) THEN user_name || chr(10) || user_name_key END`;

/** Maximum number of rows per statement. */
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
 * Recomputes the keys of user names that an earlier release computed by other rules, also while one still runs. It may
 * be interrupted at any time, and several processes may run it concurrently.
 * @returns the number of recomputed keys
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
