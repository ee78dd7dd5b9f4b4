import { createDatabase } from '@ostiary/database';
import { PrismaClient } from '../../src/database/generated/client.ts';
import type { Harness, Json } from './harness.ts';

/** A node of the output of EXPLAIN (ANALYZE, FORMAT JSON). */
export interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Join Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Shared Hit Blocks': number;
  'Shared Read Blocks': number;
  Plans?: Plan[];
}

export const nodes = (plan: Plan): Plan[] => [plan, ...(plan.Plans ?? []).flatMap(nodes)];

const literal = (value: unknown): string => {
  if (value === null || value === undefined) return 'NULL';
  return `'${(value instanceof Date ? value.toISOString() : String(value)).replaceAll("'", "''")}'`;
};

/** SQL whose statements are all executed and explained, as unprepared and as prepared ones. */
export function explained(
  database: Harness['database'],
  mode: 'force_custom_plan' | 'force_generic_plan',
): { sql: Harness['database']['sql']; plans: Plan[] } {
  const plans: Plan[] = [];
  const query = (text: string, values: readonly unknown[] = []) =>
    database.transaction(async (tx) => {
      await tx.query(`SET LOCAL plan_cache_mode = ${mode}`);
      await tx.query(`PREPARE explained AS ${text}`);
      const run = `EXECUTE explained(${values.map(literal).join(', ')})`;
      const { rows } = await tx.query<Json>(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${run}`);
      plans.push(rows[0]['QUERY PLAN'][0].Plan);
      const answer = await tx.query<Json>(values.length === 0 ? 'EXECUTE explained' : run);
      await tx.query('DEALLOCATE explained');
      return answer;
    });
  return { sql: { query } as Harness['database']['sql'], plans };
}

type Query = Harness['database']['sql']['query'];

/** Returns a client whose statements are also run by `query`. The caller closes it. */
export function clientOf(url: string): {
  through(query: Query): Promise<PrismaClient>;
  close(): Promise<void>;
} {
  let sent: { text: string; values: unknown[] }[] = [];
  const log = { level: 'query', emit: 'event' } as const;
  const database = createDatabase<PrismaClient>({
    url,
    schema: 'directory',
    log: { debug() {}, info() {}, warn() {}, error() {} },
    prisma: (adapter) => {
      const client = new PrismaClient({ adapter, log: [log] });
      client.$on('query', ({ query, params }) => sent.push({ text: query, values: JSON.parse(params) }));
      return client as PrismaClient;
    },
  });
  const through = async (query: Query) =>
    database.prisma.$extends({
      query: {
        async $allOperations({ args, query: run }) {
          const result = await run(args);
          const statements = sent;
          sent = [];
          for (const { text, values } of statements) await query(text, values);
          return result;
        },
      },
    }) as unknown as PrismaClient;
  return { through, close: () => database.close() };
}

/** Returns the number of rows that a statement has read from a table, including those filtered out. */
export const rowsReadFrom = (relation: string, plans: readonly Plan[]): number =>
  plans
    .flatMap(nodes)
    .filter((node) => node['Relation Name'] === relation)
    .reduce((sum, scan) => {
      const removed = (scan['Rows Removed by Filter'] ?? 0) + (scan['Rows Removed by Index Recheck'] ?? 0);
      return sum + (scan['Actual Rows'] + removed) * scan['Actual Loops'];
    }, 0);
