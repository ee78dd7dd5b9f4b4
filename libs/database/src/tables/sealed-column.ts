import type { Database } from '../database.ts';
import type { Sql } from '../sql.ts';

export interface SealedColumnOptions {
  /** With its schema. */
  table: string;
  column: string;
  /** The primary key, in its order, with the types of its columns. */
  id: readonly (readonly [name: string, type: 'text' | 'uuid'])[];
  /** The columns that say where a value belongs; unset: the primary key. */
  place?: readonly string[];
}

interface Row {
  id: string[];
  place: string[];
  sealed: Buffer;
}

/**
 * A column of bytes that begin by saying with which key they are encrypted. All names are from the code.
 *
 * Rows are held while their values are made anew, and passed over while somebody else holds them: several processes may go through
 * the same table, and a change that comes between waits for the few milliseconds of its batch.
 */
export function sealedColumn(
  database: Pick<Database<unknown>, 'sql' | 'transaction'>,
  { table, column, id, place = id.map(([name]) => name) }: SealedColumnOptions,
): {
  name: string;
  countOthers(head: Buffer): Promise<number>;
  renew(
    o: { head: Buffer; after: readonly string[] | undefined; limit: number },
    renewed: (row: Row) => Buffer | undefined,
  ): Promise<readonly Row[]>;
} {
  const others = `${column} IS NOT NULL AND substring(${column} FROM 1 FOR octet_length($1::bytea)) <> $1::bytea`;
  const names = id.map(([name]) => name);
  const texts = (columns: readonly string[]): string =>
    `ARRAY[${columns.map((name) => `${name}::text`).join(', ')}]`;
  const next = (after: readonly string[] | undefined): string =>
    `SELECT ${texts(names)} AS id, ${texts(place)} AS place, ${column} AS sealed FROM ${table}
      WHERE ${others}${
        after
          ? ` AND (${names.join(', ')}) > (${id.map(([, type], index) => `$${index + 3}::${type}`).join(', ')})`
          : ''
      }
      ORDER BY ${names.join(', ')} LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`;
  const write = `UPDATE ${table} AS t SET ${column} = n.sealed
    FROM unnest($1::bytea[], ${id.map(([, type], index) => `$${index + 2}::${type}[]`).join(', ')}) AS n(sealed, ${names.join(', ')})
   WHERE ${names.map((name) => `t.${name} = n.${name}`).join(' AND ')}`;

  return {
    name: `${table}.${column}`,
    async countOthers(head) {
      const { rows } = await database.sql.query<{ count: number }>(
        `SELECT count(*) AS count FROM ${table} WHERE ${others}`,
        [head],
      );
      return rows[0]?.count ?? 0;
    },
    renew: ({ head, after, limit }, renewed) =>
      database.transaction(async (tx) => {
        const { rows } = await tx.query<Row>(next(after), [head, limit, ...(after ?? [])]);
        const made = rows.flatMap((row) => {
          const sealed = renewed(row);
          return sealed ? [{ row, sealed }] : [];
        });
        if (made.length > 0) {
          await tx.query(write, [
            made.map(({ sealed }) => sealed),
            ...names.map((_name, index) => made.map(({ row }) => row.id[index])),
          ]);
        }
        return rows;
      }),
  };
}

/** The table `kept_keys` of a service's schema. */
export const keptKeyTable = (sql: Sql, schema: string) => ({
  async all(): Promise<{ purpose: string; sealed: Buffer }[]> {
    const { rows } = await sql.query<{ purpose: string; sealed: Buffer }>(
      `SELECT purpose, sealed FROM ${schema}.kept_keys`,
    );
    return rows;
  },
  async add(keys: readonly { purpose: string; sealed: Buffer }[]): Promise<void> {
    await sql.query(
      `INSERT INTO ${schema}.kept_keys (purpose, sealed) SELECT * FROM unnest($1::text[], $2::bytea[])
       ON CONFLICT (purpose) DO NOTHING`,
      [keys.map(({ purpose }) => purpose), keys.map(({ sealed }) => sealed)],
    );
  },
  async replace(key: { purpose: string; before: Buffer; after: Buffer }): Promise<void> {
    await sql.query(`UPDATE ${schema}.kept_keys SET sealed = $3 WHERE purpose = $1 AND sealed = $2`, [
      key.purpose,
      key.before,
      key.after,
    ]);
  },
});
