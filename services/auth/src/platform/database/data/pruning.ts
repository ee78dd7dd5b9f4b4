import { type Sql, statement } from '@ostiary/database';

/**
 * Declares the deletion of expired rows. The result deletes at most `limit` of them and returns their number.
 * @param expired condition
 * @param key primary key
 */
export function pruning(name: string, table: string, expired: string, key = 'tenant, id') {
  const deletion = statement({
    name,
    reason: 'set',
    text: `DELETE FROM auth.${table} WHERE (${key}) IN (
             SELECT ${key} FROM auth.${table} WHERE ${expired} LIMIT $limit FOR UPDATE SKIP LOCKED)`,
    parameters: { limit: 'int8' },
  });
  return (sql: Sql, limit: number): Promise<number> => deletion.count(sql, { limit });
}
