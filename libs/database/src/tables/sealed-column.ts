import type { Database } from '../database.ts';
import type { Sql } from '../sql.ts';
import { statementsBySchema } from '../statements/by-schema.ts';
import { composedStatement } from '../statements/composed.ts';
import { statement } from '../statements/statement.ts';
import { typed } from '../statements/types.ts';

export interface SealedColumnOptions {
  /** Table name with its schema. */
  table: string;
  column: string;
  /** Whether the column may be NULL. */
  optional?: true;
  /** The primary key, in its order, with the types of its columns. */
  id: readonly (readonly [name: string, type: 'text' | 'uuid'])[];
  /** Columns that identify the place of a value, default the primary key. */
  place?: readonly string[];
}

interface Row {
  id: string[];
  place: string[];
  sealed: Buffer;
}

interface NextRows {
  head: Buffer;
  after: readonly string[] | undefined;
  limit: number;
}

const texts = (columns: readonly string[]): string =>
  `ARRAY[${columns.map((name) => `${name}::text`).join(', ')}]`;

/** Rows with a value under another key than `$1`. */
const others = (column: string): string =>
  `${column} IS NOT NULL AND substring(${column} FROM 1 FOR octet_length($1::bytea)) <> $1::bytea`;

function declareSealedColumn({ table, column, id, optional, place }: SealedColumnOptions) {
  const names = id.map(([name]) => name);
  const key = names.join(', ');
  const from = id.map(([, type], index) => `$${index + 3}::${type}`).join(', ');
  const lists = id.map(([, type], index) => `$${index + 2}::${type}[]`).join(', ');
  return {
    countOthers: statement({
      name: `${table}.${column}.countOthers`,
      reason: 'set',
      text: `SELECT count(*) AS count FROM ${table} WHERE ${others(column)}`,
      parameters: { head: 'bytea' },
      columns: { count: typed<number>('int8') },
    }),
    next: composedStatement({
      name: `${table}.${column}.next`,
      reason: 'set',
      columns: {
        id: 'text[]',
        place: 'text[]',
        sealed: typed<Buffer>(optional ? 'bytea!' : 'bytea'),
      },
      compose: ({ head, after, limit }: NextRows) => ({
        text: `SELECT ${texts(names)} AS id, ${texts(place ?? names)} AS place, ${column} AS sealed FROM ${table}
                WHERE ${others(column)}${after ? ` AND (${key}) > (${from})` : ''}
                ORDER BY ${key} LIMIT $2 FOR NO KEY UPDATE SKIP LOCKED`,
        values: [head, limit, ...(after ?? [])],
      }),
      examples: () => [
        { head: Buffer.of(), after: undefined, limit: 1 },
        { head: Buffer.of(), after: names, limit: 1 },
      ],
    }),
    write: composedStatement({
      name: `${table}.${column}.write`,
      reason: 'set',
      columns: {},
      compose: (made: readonly { row: Row; sealed: Buffer }[]) => ({
        text: `UPDATE ${table} AS t SET ${column} = n.sealed FROM unnest($1::bytea[], ${lists}) AS n(sealed, ${key})
                WHERE ${names.map((name) => `t.${name} = n.${name}`).join(' AND ')}`,
        values: [
          made.map(({ sealed }) => sealed),
          ...names.map((_name, index) => made.map(({ row }) => row.id[index])),
        ],
      }),
      examples: () => [[]],
    }),
  };
}

/** Access to a sealed column of a database. */
export interface SealedColumnRows {
  name: string;
  countOthers(head: Buffer): Promise<number>;
  renew(o: NextRows, renewed: (row: Row) => Buffer | undefined): Promise<readonly Row[]>;
}

/**
 * A column of bytes that begin with the id of their encryption key. All names are from the code, and it is
 * declared when its module is loaded, so that its statements are compared with the table.
 * Rows are locked while their values are sealed again, and rows locked by others are skipped: several
 * processes may work on the same table, and a concurrent change waits for the few milliseconds of a batch.
 */
export function sealedColumn(
  options: SealedColumnOptions,
): (database: Pick<Database<unknown>, 'sql' | 'transaction'>) => SealedColumnRows {
  const { countOthers, next, write } = declareSealedColumn(options);
  return (database) => ({
    name: `${options.table}.${options.column}`,
    async countOthers(head) {
      return (await countOthers.first(database.sql, { head }))?.count ?? 0;
    },
    renew: (o, renewed) =>
      database.transaction(async (tx) => {
        const rows = await next.rows(tx, o);
        const made = rows.flatMap((row) => {
          const sealed = renewed(row);
          return sealed ? [{ row, sealed }] : [];
        });
        if (made.length > 0) await write.run(tx, made);
        return rows;
      }),
  });
}

const keptKeysOf = statementsBySchema(['kept_keys'], (schema) => ({
  all: statement({
    name: 'keptKeys.all',
    reason: 'set',
    text: `SELECT purpose, sealed FROM ${schema}.kept_keys`,
    columns: { purpose: 'text', sealed: 'bytea' },
  }),
  add: statement({
    name: 'keptKeys.add',
    reason: 'atomic',
    text: `INSERT INTO ${schema}.kept_keys (purpose, sealed) SELECT * FROM unnest($purposes::text[], $sealed::bytea[])
           ON CONFLICT (purpose) DO NOTHING`,
    parameters: { purposes: 'text[]', sealed: 'bytea[]' },
  }),
  replace: statement({
    name: 'keptKeys.replace',
    reason: 'atomic',
    text: `UPDATE ${schema}.kept_keys SET sealed = $after WHERE purpose = $purpose AND sealed = $before`,
    parameters: { purpose: 'text', before: 'bytea', after: 'bytea' },
  }),
}));

/** The table `kept_keys` of a service's schema. */
export function keptKeyTable(sql: Sql, schema: string) {
  const statements = keptKeysOf(schema);
  return {
    all(): Promise<{ purpose: string; sealed: Buffer }[]> {
      return statements.all.rows(sql);
    },
    async add(keys: readonly { purpose: string; sealed: Buffer }[]): Promise<void> {
      await statements.add.run(sql, {
        purposes: keys.map(({ purpose }) => purpose),
        sealed: keys.map(({ sealed }) => sealed),
      });
    },
    async replace(key: { purpose: string; before: Buffer; after: Buffer }): Promise<void> {
      await statements.replace.run(sql, key);
    },
  };
}
