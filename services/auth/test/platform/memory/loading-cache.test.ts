import { beforeEach, describe, expect, test } from '@jest/globals';
import { LoadingCache } from '../../../src/platform/memory/domain/loading-cache.ts';

test('A loading cache stays within its maximum size and evicts the least recently used value.', async () => {
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

describe('values that follow changes', () => {
  let now = 0;
  let version = 0;
  let loads: string[] = [];
  /** Changes known to a process, controlled by the tests. */
  const heard = {
    position: 0,
    heardAt: 0,
    asked: 0,
    changed: new Map<string, number>(),
    hasChanged: (tenant: string, position: number) => (heard.changed.get(tenant) ?? 0) > position,
    async hear() {
      heard.asked += 1;
      heard.heardAt = now;
    },
    /** Adds a change. */
    change(tenant: string) {
      version += 1;
      heard.position += 1;
      heard.changed.set(tenant, heard.position);
    },
  };
  let loading: Promise<void> = Promise.resolve();
  const cache = (staleMs = 0) =>
    new LoadingCache<{ version: number }>({
      max: 10,
      freshMs: 1_000,
      staleMs,
      changes: { heard, tenantOf: (key) => key, covers: ({ version: read }) => read !== -1 },
      clock: () => now,
      load: async (key) => {
        loads.push(key);
        const value = { version };
        await loading;
        return value;
      },
    });
  const later = (ms: number) => {
    now += ms;
  };

  beforeEach(() => {
    Object.assign(heard, { position: 0, heardAt: now, asked: 0, changed: new Map() });
    loads = [];
    version = 0;
    loading = Promise.resolve();
  });

  test('Unchanged values are not read again, and one query for changes covers all of them.', async () => {
    const values = cache();
    for (const key of ['a', 'b', 'c']) await values.get(key);
    later(1_001);
    for (const key of ['a', 'b', 'c']) expect(await values.get(key)).toEqual({ version: 0 });
    expect([heard.asked, loads]).toEqual([1, ['a', 'b', 'c']]);
  });

  test('A changed value is read again before its next use, regardless of its age, and no other value is.', async () => {
    const values = cache();
    for (const key of ['a', 'b']) await values.get(key);
    heard.change('a');
    expect(await values.get('a')).toEqual({ version: 1 });
    expect(await values.get('b')).toEqual({ version: 0 });
    expect([heard.asked, loads]).toEqual([0, ['a', 'b', 'a']]);
  });

  test('A stale value is returned while it is read again, for the same time with a known change as without, and no caller waits for the read.', async () => {
    const values = cache(60_000);
    for (const key of ['a', 'b']) await values.get(key);
    const { promise, resolve } = Promise.withResolvers<void>();
    loading = promise;
    heard.change('a');
    expect(values.age('a')).toBe(Number.POSITIVE_INFINITY);
    for (let time = 0; time < 2; time += 1) expect(await values.get('a')).toEqual({ version: 0 });
    expect(loads).toEqual(['a', 'b', 'a']);
    resolve();
    await new Promise(setImmediate);
    expect(await values.get('a')).toEqual({ version: 1 });
    expect(await values.get('b')).toEqual({ version: 0 });
    heard.change('a');
    // Counted from the load, regardless of changes since then.
    later(61_001);
    expect(await values.get('a')).toEqual({ version: 2 });
    expect(loads).toEqual(['a', 'b', 'a', 'a']);
  });

  test('A value whose change becomes known during its read is read again.', async () => {
    const values = cache();
    const { promise, resolve } = Promise.withResolvers<void>();
    loading = promise;
    const first = values.get('a');
    heard.change('a');
    resolve();
    await first;
    expect(await values.get('a')).toEqual({ version: 1 });
    expect(loads).toEqual(['a', 'a']);
  });

  test('A value that was removed while changes were queried is read again.', async () => {
    const values = cache();
    await values.get('a');
    later(1_001);
    const again = values.get('a');
    version = 1;
    values.invalidate('a');
    expect(await again).toEqual({ version: 1 });
  });

  test('A value that changes do not cover, and one that was read ten minutes ago, is read again when it is old.', async () => {
    const values = cache();
    version = -1;
    await values.get('a');
    version = 0;
    await values.get('b');
    later(1_001);
    await values.get('a');
    await values.get('b');
    expect([heard.asked, loads]).toEqual([1, ['a', 'b', 'a']]);
    later(600_001);
    await values.get('b');
    expect(loads).toEqual(['a', 'b', 'a', 'b']);
  });

  test('A clock that was set back makes no value fresher: changes are queried.', async () => {
    const values = cache();
    await values.get('a');
    later(-30_000);
    await values.get('a');
    expect([heard.asked, loads]).toEqual([1, ['a']]);
    later(-3_600_000);
    await values.get('a');
    expect(loads).toEqual(['a', 'a']);
  });
});
