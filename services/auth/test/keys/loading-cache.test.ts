import { expect, test } from '@jest/globals';
import { LoadingCache } from '../../src/keys/domain/loading-cache.ts';

test('A loading cache keeps no more values than it may, and forgets the one that was not asked for longest.', async () => {
  const loads: string[] = [];
  const cache = new LoadingCache({
    max: 3,
    freshMs: 1_000,
    clock: () => 0,
    load: async (key) => {
      loads.push(key);
      return { key };
    },
  });
  for (const key of ['a', 'b', 'c', 'a', 'd']) expect(await cache.get(key)).toEqual({ key });
  expect(loads).toEqual(['a', 'b', 'c', 'd']);
  expect(['a', 'b', 'c', 'd'].filter((key) => cache.age(key) === 0)).toEqual(['a', 'c', 'd']);
  await cache.get('b');
  expect(loads).toEqual(['a', 'b', 'c', 'd', 'b']);
});
