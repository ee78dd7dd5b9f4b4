import { expect, test } from '@jest/globals';
import { createLog, WorkPoll } from '../../src/index.ts';
import { eventually } from '../../src/testing.ts';

const log = createLog('test', 'silent');

test('One poll wakes each job that has work, and no other.', async () => {
  const poked: string[] = [];
  let looks = 0;
  const poll = new WorkPoll({
    name: 'test',
    everyMs: 20,
    look: async () => {
      looks += 1;
      return { letters: looks > 2, parcels: false };
    },
    log,
  });
  poll.on('letters', 20, { poke: () => poked.push('letters') });
  poll.on('parcels', 20, { poke: () => poked.push('parcels') });
  const stop = poll.start();
  await eventually(() => poked.length >= 3);
  await stop();
  expect(new Set(poked)).toEqual(new Set(['letters']));
  expect(poked.length).toBeLessThanOrEqual(looks - 2);
});

test('A job whose work remains is woken no more often than it specifies.', async () => {
  const times: number[] = [];
  const poll = new WorkPoll({ name: 'test', everyMs: 20, look: async () => ({ letters: true }), log });
  poll.on('letters', 200, { poke: () => times.push(performance.now()) });
  const stop = poll.start();
  await eventually(() => times.length >= 3);
  await stop();
  const pauses = times.slice(1).map((at, index) => at - (times[index] ?? 0));
  for (const pause of pauses) expect(pause).toBeGreaterThan(150);
});

test('A poll that fails is repeated, and wakes no job.', async () => {
  let looks = 0;
  let poked = 0;
  const poll = new WorkPoll({
    name: 'test',
    everyMs: 10,
    look: async () => {
      looks += 1;
      if (looks < 4) throw new Error('away');
      return { letters: true };
    },
    log,
  });
  poll.on('letters', 10, {
    poke: () => {
      poked += 1;
      expect(looks).toBeGreaterThanOrEqual(4);
    },
  });
  const stop = poll.start();
  await eventually(() => poked !== 0);
  await stop();
});
