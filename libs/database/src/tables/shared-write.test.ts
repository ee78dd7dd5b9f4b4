import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { DatabaseUnavailable } from '../errors.ts';
import { type SeparationReason, SharedWrite, type SharedWriteOptions } from './shared-write.ts';

/** Records statements of five milliseconds. The key of a member is its text up to the first space. */
function recorder(o: Partial<SharedWriteOptions<string, string>> = {}) {
  const statements: string[][] = [];
  const separated: SeparationReason[] = [];
  const write = new SharedWrite<string, string>({
    keyOf: (member) => member.split(' ')[0] as string,
    async together(members) {
      statements.push([...members]);
      await sleep(5);
      return o.together
        ? o.together(members)
        : new Map(members.map((member) => [member.split(' ')[0] as string, `${member}, together`]));
    },
    async alone(member) {
      statements.push([member]);
      await sleep(5);
      return o.alone ? o.alone(member) : `${member}, alone`;
    },
    onSeparated: (reason) => separated.push(reason),
  });
  return { statements, separated, write: (member: string) => write.write(member) };
}

test('Members of one turn of the event loop share a statement, and so do members that arrive while it runs.', async () => {
  const { statements, write } = recorder();
  const first = ['a', 'b', 'c'].map(write);
  await sleep(2);
  const second = ['d', 'e'].map(write);
  expect(await Promise.all([...first, ...second])).toEqual(
    ['a', 'b', 'c', 'd', 'e'].map((member) => `${member}, together`),
  );
  expect(statements).toEqual([
    ['a', 'b', 'c'],
    ['d', 'e'],
  ]);
});

test('A single caller has a separate statement.', async () => {
  const { statements, write } = recorder();
  expect(await write('a')).toBe('a, alone');
  expect(await write('b')).toBe('b, alone');
  expect(statements).toEqual([['a'], ['b']]);
});

test('Two members with the same key never share a statement, and the later one follows the earlier one.', async () => {
  const { statements, write } = recorder();
  await Promise.all(['a 1', 'a 2', 'b', 'a 3'].map(write));
  expect(statements).toEqual([['a 1', 'b'], ['a 2'], ['a 3']]);
});

test('No statement has more than 64 members, and the others share the next one.', async () => {
  const { statements, write } = recorder();
  await Promise.all(Array.from({ length: 100 }, (_, index) => write(`m${index}`)));
  expect(statements.map(({ length }) => length)).toEqual([64, 36]);
});

test('A member that the statement leaves out runs separately, and delays no other.', async () => {
  const { promise: departure, resolve: departed } = Promise.withResolvers<string>();
  const { write } = recorder({
    together: async (members) =>
      new Map(members.filter((member) => member !== 'locked').map((member) => [member, 'written'])),
    alone: () => departure,
  });
  const locked = write('locked');
  expect(await Promise.all(['a', 'b'].map(write))).toEqual(['written', 'written']);
  expect(await Promise.all(['c', 'd'].map(write))).toEqual(['written', 'written']);
  departed('refused');
  expect(await locked).toBe('refused');
});

test('Members that are separated from a shared statement are counted by reason, and no others are.', async () => {
  const ordinary = recorder();
  await Promise.all(['a 1', 'a 2', 'b', 'c'].map(ordinary.write));
  await ordinary.write('d');
  expect(ordinary.separated).toEqual([]);

  const leaving = recorder({
    together: async (members) =>
      new Map(members.filter((member) => member !== 'locked').map((member) => [member, 'written'])),
  });
  await Promise.all(['a', 'locked', 'b'].map(leaving.write));
  expect(leaving.separated).toEqual(['left_out']);

  const refusing = recorder({
    together: () => Promise.reject(Object.assign(new Error('no such value'), { code: '22P05' })),
  });
  await Promise.all(['a', 'b', 'c'].map(refusing.write));
  expect(refusing.separated).toEqual(['refused', 'refused', 'refused']);

  const lost = recorder({ together: () => Promise.reject(new DatabaseUnavailable()) });
  await Promise.allSettled(['a', 'b'].map(lost.write));
  expect(lost.separated).toEqual([]);
});

test('A statement that PostgreSQL rejects is repeated for each member, so that only invalid members fail.', async () => {
  const refusal = Object.assign(new Error('no such value'), { code: '22P05' });
  const { statements, write } = recorder({
    together: () => Promise.reject(refusal),
    alone: (member) => (member === 'bad' ? Promise.reject(refusal) : Promise.resolve('written')),
  });
  const outcomes = await Promise.allSettled(['a', 'bad', 'c'].map(write));
  expect(outcomes.map((one) => (one.status === 'fulfilled' ? one.value : one.reason))).toEqual([
    'written',
    refusal,
    'written',
  ]);
  expect(statements).toEqual([['a', 'bad', 'c'], ['a'], ['bad'], ['c']]);
});

test.each([
  ['a lost connection', new DatabaseUnavailable(undefined, { commitUnknown: true })],
  ['a statement that took too long', Object.assign(new Error('canceled'), { code: '57014' })],
])(
  'After %s nothing is repeated, because it may have been committed, and the next callers are served.',
  async (_name, error) => {
    let failing = true;
    const { statements, write } = recorder({
      together: async (members) => {
        if (failing) throw error;
        return new Map(members.map((member) => [member, 'written']));
      },
    });
    const outcomes = await Promise.allSettled(['a', 'b'].map(write));
    expect(outcomes).toEqual([
      { status: 'rejected', reason: error },
      { status: 'rejected', reason: error },
    ]);
    expect(statements).toEqual([['a', 'b']]);
    failing = false;
    expect(await Promise.all(['c', 'd'].map(write))).toEqual(['written', 'written']);
  },
);

test('A statement that hangs delays only the callers that share it.', async () => {
  const { promise: never } = Promise.withResolvers<ReadonlyMap<string, string>>();
  const { write } = recorder({
    together: async (members) =>
      members.includes('stuck') ? never : new Map(members.map((member) => [member, 'written'])),
  });
  for (const member of ['stuck', 'shares it']) void write(member);
  await sleep(2);
  expect(await Promise.all(['a', 'b'].map(write))).toEqual(['written', 'written']);
});

test('A single statement that hangs does not delay the others either.', async () => {
  const { promise: never } = Promise.withResolvers<string>();
  const { write } = recorder({
    alone: (member) => (member === 'stuck' ? never : Promise.resolve('written')),
  });
  void write('stuck');
  await sleep(2);
  expect(await write('a')).toBe('written');
});

test('A shared statement runs in the context of its first caller, and a separate one in the context of its own.', async () => {
  const context = new AsyncLocalStorage<string>();
  const seen: unknown[] = [];
  const { write } = recorder({
    together: async () => {
      seen.push(['together', context.getStore()]);
      return new Map();
    },
    alone: async (member) => {
      seen.push([member, context.getStore()]);
      return member;
    },
  });
  await Promise.all(['x', 'y'].map((name) => context.run(`of ${name}`, () => write(name))));
  expect(seen).toEqual([
    ['together', 'of x'],
    ['x', 'of x'],
    ['y', 'of y'],
  ]);
});
