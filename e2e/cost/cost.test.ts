import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { budgets } from './budgets.ts';
import { CountedSystem } from './counted-system.ts';
import { hotPaths } from './hot-paths.ts';

/** Requests of each kind that are counted, after those that fill caches. */
const counted = 25;
const first = 5;
// SHOW_COSTS=1 prints what was measured, from which the budgets are.

let system: CountedSystem;
beforeAll(async () => {
  system = await CountedSystem.start();
});
afterAll(() => system?.stop());

test('Every hot path has a budget, and every budget is that of a hot path.', () => {
  expect(Object.keys(budgets).toSorted()).toEqual(hotPaths.map(({ name }) => name).toSorted());
});

describe('what a request costs', () => {
  test.each(hotPaths)(
    'The path "$name" costs no more statements, commits, Redis commands, system calls and wake-ups than it did.',
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
      // With what was asked for, which tells what is new.
      if (over.length > 0) expect({ ...figures, asked }).toEqual(budget);
    },
  );
});
