import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { SharedLookup } from './shared-lookup.ts';

function recorder(
  answer: (keys: readonly string[]) => Promise<ReadonlyMap<string, string>> | undefined = () => undefined,
) {
  const calls: (readonly string[])[] = [];
  const lookup = new SharedLookup<string>(async (keys) => {
    calls.push(keys);
    await sleep(5);
    return (
      (await answer(keys)) ??
      new Map(keys.filter((key) => key !== 'none').map((key) => [key, `value of ${key}`]))
    );
  });
  return { calls, lookup };
}

test('A single lookup runs immediately, and lookups in the meantime share the next statement.', async () => {
  const { calls, lookup } = recorder();
  const answers = await Promise.all(['a', 'b', 'c', 'b', 'none'].map((key) => lookup.find(key)));
  expect(answers).toEqual(['value of a', 'value of b', 'value of c', 'value of b', undefined]);
  expect(calls).toEqual([['a'], ['b', 'c', 'none']]);
});

test('No lookup gets an answer from a statement that began before it was requested.', async () => {
  let current = 'old';
  const lookup = new SharedLookup<string>(async (keys) => {
    const seen = current;
    await sleep(10);
    return new Map(keys.map((key) => [key, seen]));
  });
  const before = lookup.find('a');
  await sleep(2);
  current = 'new';
  expect(await lookup.find('a')).toBe('new');
  expect(await before).toBe('old');
});

test('A statement that hangs delays only the lookups that share it.', async () => {
  const { promise: never } = Promise.withResolvers<ReadonlyMap<string, string>>();
  const { lookup } = recorder((keys) => (keys.includes('stuck') ? never : undefined));
  void lookup.find('stuck');
  expect(await Promise.all([lookup.find('a'), lookup.find('b')])).toEqual(['value of a', 'value of b']);
});

test('A failure reaches the lookups that shared the statement, and not the next lookup.', async () => {
  let failing = true;
  const { lookup } = recorder((keys) =>
    failing && keys.includes('b') ? Promise.reject(new Error('no')) : undefined,
  );
  const outcomes = await Promise.allSettled(['a', 'b', 'c'].map((key) => lookup.find(key)));
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  failing = false;
  expect(await lookup.find('b')).toBe('value of b');
});

test('A statement runs in the context of the first lookup that waited for it.', async () => {
  const context = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const lookup = new SharedLookup<string>(async () => {
    seen.push(context.getStore());
    await sleep(2);
    return new Map();
  });
  await Promise.all(['x', 'y', 'z'].map((name) => context.run(name, () => lookup.find(name))));
  expect(seen).toEqual(['x', 'y']);
});
