import { expect, test } from '@jest/globals';
import { PreparedStatements, plannedAnew } from './prepared.ts';

test('A statement is prepared from its third use on, always under the same name, which no other statement has.', () => {
  const prepared = new PreparedStatements();
  const names = Array.from({ length: 5 }, () => prepared.nameOf('SELECT a FROM x.y WHERE b = $1'));
  expect(names.slice(0, 2)).toEqual([undefined, undefined]);
  expect(new Set(names.slice(2)).size).toBe(1);
  const other = Array.from({ length: 3 }, () => prepared.nameOf('SELECT b FROM x.y WHERE b = $1')).at(-1);
  expect(other).toEqual(expect.any(String));
  expect(other).not.toBe(names[2]);
});

test('A statement that opts out is never prepared.', () => {
  const prepared = new PreparedStatements();
  for (let use = 0; use < 5; use += 1) expect(prepared.nameOf(`${plannedAnew}SELECT 1`)).toBeUndefined();
});

test('Statements for one use are evicted, and the number of prepared statements is bounded.', () => {
  const prepared = new PreparedStatements();
  for (let index = 0; index < 10_000; index += 1) {
    expect(prepared.nameOf(`SELECT ${index}`)).toBeUndefined();
  }
  const names = new Set<string | undefined>();
  for (let index = 0; index < 1_000; index += 1) {
    for (let use = 0; use < 3; use += 1) names.add(prepared.nameOf(`UPDATE x.y SET a = ${index}`));
  }
  expect(names.size).toBeLessThanOrEqual(501);
  expect(names.size).toBeGreaterThan(400);
});
