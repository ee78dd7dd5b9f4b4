import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { budgets } from './budgets.ts';
import { CountedSystem } from './counted-system.ts';
import { hotPaths } from './hot-paths.ts';

/** Number of counted requests per path, after those that fill caches. */
const counted = 25;
const first = 5;
// SHOW_COSTS=1 prints the measured values from which the budgets are set.

let system: CountedSystem;
beforeAll(async () => {
  system = await CountedSystem.start();
});
afterAll(() => system?.stop());

test('Every hot path has a budget, and every budget belongs to a hot path.', () => {
  expect(Object.keys(budgets).toSorted()).toEqual(hotPaths.map(({ name }) => name).toSorted());
});

describe('cost of requests', () => {
  test.each(hotPaths)(
    'The path "$name" stays within its budget of statements, commits, Redis commands, system calls and wake-ups.',
    async ({ name, prepare }) => {
      const request = await prepare(system.demo, first + counted);
      for (let index = 0; index < first; index += 1) await request(index);
      const cost = await system.costOf(counted, (index) => request(first + index));
      if (process.env.SHOW_COSTS !== undefined)
        process.stderr.write(`${JSON.stringify({ name, ...cost })}\n`);
      const { asked, ...figures } = cost;
      const budget = budgets[name];
      const over = Object.entries(figures).filter(
        ([what, much]) => much > (budget?.[what as keyof typeof figures] ?? 0),
      );
      // `asked` shows which statement or command is new.
      if (over.length > 0) expect({ ...figures, asked }).toEqual(budget);
    },
  );
});
