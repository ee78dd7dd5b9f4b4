import { expect, test } from '@jest/globals';
import { turnstile } from '../../src/index.ts';

test('so many work at a time, in the order they came; one that fails makes way as well', async () => {
  const enter = turnstile(2);
  const begun: number[] = [];
  let within = 0;
  let most = 0;
  const work = (n: number) =>
    enter(async () => {
      begun.push(n);
      within += 1;
      most = Math.max(most, within);
      await new Promise((resolve) => setImmediate(resolve));
      within -= 1;
      if (n % 2) throw new Error(`${n} failed`);
      return n;
    });
  const outcomes = await Promise.allSettled(Array.from({ length: 9 }, (_, n) => work(n)));
  expect(outcomes.map(({ status }) => status === 'fulfilled')).toEqual(outcomes.map((_, n) => n % 2 === 0));
  expect(most).toBe(2);
  expect(begun).toEqual(outcomes.map((_, n) => n));
  expect(await work(10)).toBe(10);
});
