import pg from 'pg';
import type { Registered } from './registry.ts';

/** A node of the result of `EXPLAIN (FORMAT JSON)`. */
interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
  [detail: string]: unknown;
}

/** Statements with a plan. */
const planned = /^\s*(?:select|with|insert|update|delete|merge)\b/i;

/** Parts of a plan that are evaluated row by row, without an index. */
const rowByRow = ['Filter', 'Join Filter', 'Hash Cond', 'Merge Cond', 'Recheck Cond'];

/** A column converted before an equality comparison: `((u.id)::text = e.subject)`. */
const converted = /\(+((?:\w+\.)?\w+)\)::[a-z ]+(?:\[\])? = /;

/**
 * Plans statements, and finds columns that are converted to another type for a comparison, which no index
 * supports: remaining rows are scanned, unnoticed in small tables. Convert the other side instead. Does not
 * execute them.
 * @param url URL of the migrated database, PostgreSQL 16 or later @returns the findings, one sentence each
 */
export async function convertedColumns(url: string, statements: readonly Registered[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Tables are empty here, where a scan is cheapest.
    await client.query('SET enable_seqscan = off');
    const found: string[] = [];
    for (const statement of statements) {
      for (const { text } of statement.variants()) {
        if (!planned.test(text)) continue;
        const { rows } = await client.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
          `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
        );
        for (const {
          'QUERY PLAN': [{ Plan: plan }],
        } of rows)
          found.push(...inPlan(plan).map((what) => `${statement.name}: ${what}`));
      }
    }
    return [...new Set(found)];
  } finally {
    await client.end();
  }
}

function inPlan(plan: Plan): string[] {
  const here = rowByRow.flatMap((detail) => {
    const condition = plan[detail];
    return typeof condition === 'string' && converted.test(condition) ? [`${detail} ${condition}.`] : [];
  });
  return [...here, ...(plan.Plans ?? []).flatMap(inPlan)];
}
