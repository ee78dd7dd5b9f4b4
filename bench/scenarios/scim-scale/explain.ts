import { bindFilter, bindSortBy, coreRegistry, parseFilter } from '@ostiary/scim';
import pg from 'pg';
import { Search } from '../../../services/directory/src/search/data/search.ts';

const registry = coreRegistry();

export interface Question {
  filter?: string;
  sortBy?: string;
}

/**
 * Returns the plans of the statements of a search, as generic plans of prepared statements. A sequential scan of users
 * must not occur.
 */
export async function explain(sql: pg.Client, tenant: string, question: Question): Promise<string[]> {
  const plans: string[] = [];
  const explaining = {
    async query(text: string, values: readonly unknown[] = []) {
      await sql.query('SET plan_cache_mode = force_generic_plan');
      await sql.query(`PREPARE explained AS ${text}`);
      const run = `EXECUTE explained(${values.map(literal).join(', ')})`;
      const { rows } = await sql.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (ANALYZE, BUFFERS, COSTS OFF, TIMING OFF, SUMMARY OFF) ${run}`,
      );
      plans.push(rows.map((row) => row['QUERY PLAN']).join('\n'));
      const answer = await sql.query(run);
      await sql.query('DEALLOCATE explained');
      return { rows: answer.rows as never[], rowCount: answer.rowCount ?? 0 };
    },
  };
  await new Search(explaining, tenant).walk('User', {
    filter:
      question.filter === undefined ? undefined : bindFilter(parseFilter(question.filter), registry, 'User'),
    sort:
      question.sortBy === undefined
        ? undefined
        : { by: bindSortBy(question.sortBy, registry, 'User'), descending: false },
    source: 'direct',
    after: undefined,
    limit: 100,
  });
  return plans;
}

/** Reports whether a plan contains a sequential scan of users. */
export const scansTheTable = (plan: string): boolean => /Seq Scan on (directory\.)?users/.test(plan);

const literal = (value: unknown): string =>
  value === null || value === undefined ? 'NULL' : pg.escapeLiteral(String(value));
