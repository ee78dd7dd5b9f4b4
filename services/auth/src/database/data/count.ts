import type { Sql } from '@ostiary/database';

/** How many rows there are. @param from what follows FROM, with its conditions */
export async function countRows(sql: Sql, from: string, values: readonly unknown[]): Promise<number> {
  const { rows } = await sql.query<{ total: number }>(`SELECT count(*)::int AS total FROM ${from}`, values);
  return rows[0]?.total ?? 0;
}
