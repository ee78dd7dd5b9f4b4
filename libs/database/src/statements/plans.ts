import pg from 'pg';
import type { Registered } from './registry.ts';

/** A node of what `EXPLAIN (FORMAT JSON)` answers. */
interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: Plan[];
  [detail: string]: unknown;
}

/** What has a plan at all. */
const planned = /^\s*(?:select|with|insert|update|delete|merge)\b/i;

/** Where a plan says what it does row by row, and not by an index. */
const rowByRow = ['Filter', 'Join Filter', 'Hash Cond', 'Merge Cond', 'Recheck Cond'];

/** A column that is converted before it is compared by equality: `((u.id)::text = e.subject)`. */
const converted = /\(+((?:\w+\.)?\w+)\)::[a-z ]+(?:\[\])? = /;

/**
 * Has PostgreSQL plan statements, and finds columns that are converted to another type in order to be compared. No index helps there: the rows that
 * are left are gone through one by one, which a small table doesn't show. What is converted should be the other side. Runs none of them.
 * @param url of the migrated database, PostgreSQL 16 or later @returns what was found, a sentence each
 */
export async function convertedColumns(url: string, statements: readonly Registered[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    // Tables are empty here, where reading all of one is cheapest.
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
