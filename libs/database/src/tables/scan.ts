import pg from 'pg';
import { types } from '../connection/pool.ts';
import { routingTo } from '../connection/routed-client.ts';
import type { Sql } from '../sql.ts';
import { composedStatement } from '../statements/composed.ts';
import { typed } from '../statements/types.ts';

/** A finding of a check. Contains no secrets or names, because it is logged. */
export interface Flaw {
  tenant: string;
  /** Id of the affected object. */
  id: string;
  detail: string;
}

/**
 * Invariant of every row of a table, checked in pages along an indexed key, so that each statement is short
 * for any size of the table.
 */
export interface Scan {
  name: string;
  /** The invariant as a sentence. */
  says: string;
  table: string;
  /** Columns of the key, in order, with their types. */
  key: readonly (readonly [column: string, type: string])[];
  /** SELECT of tenant, id and detail from `page`, which has all columns of the table. `$1` is `parameter`. */
  flaws: string;
  parameter?: number;
}

export interface ScannedPage {
  looked: number;
  /** Start of the next page; undefined at the end. */
  next: readonly string[] | undefined;
  flaws: Flaw[];
}

interface ScanPosition {
  after: readonly string[] | undefined;
  limit: number;
}

const declareScan = (scan: Scan) => {
  const columns = scan.key.map(([column]) => column).join(', ');
  const from = scan.key.map(([, type], index) => `$${index + 3}::text::${type}`).join(', ');
  const last = scan.key.map(([column]) => `page.${column}::text`).join(', ');
  const descending = scan.key.map(([column]) => `page.${column} DESC`).join(', ');
  return composedStatement({
    name: `scan of ${scan.table}: ${scan.name}`,
    reason: 'set',
    columns: {
      looked: 'text',
      last: 'text[]?',
      flaws: typed<Flaw[]>('jsonb'),
      parameter: 'float8',
    },
    compose: ({ after, limit }: ScanPosition) => ({
      text: `WITH page AS MATERIALIZED (
               SELECT * FROM ${scan.table}
                ${after === undefined ? '' : `WHERE (${columns}) > (${from})`}
                ORDER BY ${columns} LIMIT $2
             ), flaws AS (${scan.flaws})
             SELECT (SELECT count(*) FROM page)::text AS looked,
                    (SELECT ARRAY[${last}] FROM page ORDER BY ${descending} LIMIT 1) AS last,
                    (SELECT coalesce(jsonb_agg(flaws), '[]') FROM flaws) AS flaws, $1::float8 AS parameter`,
      values: [scan.parameter ?? 0, limit, ...(after ?? [])],
    }),
    examples: () => [
      { after: undefined, limit: 1 },
      { after: scan.key.map(() => ''), limit: 1 },
    ],
  });
};

const declared = new WeakMap<Scan, ReturnType<typeof declareScan>>();

/** Returns the statement that checks a page of a scan. */
export function scanStatement(scan: Scan): ReturnType<typeof declareScan> {
  const known = declared.get(scan) ?? declareScan(scan);
  declared.set(scan, known);
  return known;
}

/** Checks one page. @param after `next` of the previous page */
export async function scanPage(
  sql: Sql,
  scan: Scan,
  after: readonly string[] | undefined,
  limit: number,
): Promise<ScannedPage> {
  const page = await scanStatement(scan).first(sql, { after, limit });
  const looked = Number(page?.looked ?? 0);
  return { looked, next: looked === limit ? (page?.last ?? undefined) : undefined, flaws: page?.flaws ?? [] };
}

/** @throws errors of pg, including failed connections */
export async function connectReadOnly(
  url: string,
  o: { statementTimeoutMs: number },
): Promise<ReadOnlyConnection> {
  const { servers } = routingTo(url);
  const client = new pg.Client({
    connectionString: servers.address.url,
    connectionTimeoutMillis: 5_000,
    application_name: 'ostiary audit',
    types,
  });
  client.on('error', () => {});
  Object.assign(client, await servers.where());
  await client.connect();
  return new ReadOnlyConnection(client, o.statementTimeoutMs);
}

/**
 * One read-only connection: each statement is its own READ ONLY transaction with a timeout, so that nothing
 * is blocked, including vacuum.
 */
class ReadOnlyConnection implements Sql {
  readonly #client: pg.Client;
  readonly #begin: string;
  /** Statements run one after the other. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(client: pg.Client, statementTimeoutMs: number) {
    this.#client = client;
    this.#begin = `BEGIN READ ONLY; SET LOCAL statement_timeout = ${Math.trunc(statementTimeoutMs)}`;
  }

  query<R extends object>(
    text: string,
    values: readonly unknown[] = [],
  ): Promise<{ rows: R[]; rowCount: number }> {
    const run = this.#queue.then(() => this.#read<R>(text, values));
    this.#queue = run.catch(() => {});
    return run;
  }

  close(): Promise<void> {
    return this.#client.end();
  }

  async #read<R extends object>(
    text: string,
    values: readonly unknown[],
  ): Promise<{ rows: R[]; rowCount: number }> {
    await this.#client.query(this.#begin);
    try {
      const result = await this.#client.query(text, [...values]);
      return { rows: result.rows as R[], rowCount: result.rowCount ?? 0 };
    } finally {
      await this.#client.query('ROLLBACK');
    }
  }
}
