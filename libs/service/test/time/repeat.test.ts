import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { type Logger, repeat } from '../../src/index.ts';

let warned: object[] = [];
const log = { warn: (fields: object) => warned.push(fields) } as unknown as Logger;
beforeEach(() => {
  warned = [];
});

/** Runs a job until it has begun so many times. */
async function untilBegun(times: number, work: (number: number) => Promise<void>): Promise<void> {
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  let number = 0;
  const stop = repeat({
    name: 'tidying',
    everyMs: 1,
    log,
    work: async () => {
      number += 1;
      if (number === times) resolve();
      await work(number);
    },
  });
  await enough;
  await stop();
}

test('Runs follow one another, and a failed run does not prevent the next.', async () => {
  const seen: string[] = [];
  await untilBegun(3, async (number) => {
    seen.push(`begin ${number}`);
    await sleep(5);
    if (number === 1) throw new Error('no database');
    seen.push(`end ${number}`);
  });
  expect(seen).toEqual(['begin 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
});

test('An outage is logged in one line, and the next outage in another.', async () => {
  await untilBegun(6, async (number) => {
    if ([1, 2, 4, 5].includes(number)) throw new Error(`failure ${number}`);
  });
  expect(warned).toEqual([
    { job: 'tidying', err: new Error('failure 1') },
    { job: 'tidying', err: new Error('failure 4') },
  ]);
});

test('A stop signals the current run and waits for it, and its later failure is no outage.', async () => {
  const began = Promise.withResolvers<void>();
  const going = Promise.withResolvers<void>();
  let notified: boolean | undefined;
  const stop = repeat({
    name: 'tidying',
    everyMs: 1,
    log,
    work: async (signal) => {
      began.resolve();
      await going.promise;
      notified = signal.aborted;
      throw new Error('cut off');
    },
  });
  await began.promise;
  const stopped = stop();
  expect(await Promise.race([stopped.then(() => 'stopped'), sleep(20, 'at work')])).toBe('at work');
  going.resolve();
  await stopped;
  expect(notified).toBe(true);
  expect(warned).toEqual([]);
});

test('A job that pauses first does nothing when it is stopped before its first run, and stops at once.', async () => {
  let runs = 0;
  const work = async (): Promise<void> => {
    runs += 1;
  };
  const job = { name: 'tidying', everyMs: 60_000, log, work };
  await repeat({ ...job, pauseFirst: true })();
  expect(runs).toBe(0);
  await repeat(job)();
  expect(runs).toBe(1);
});

test('The pauses of a job with jitter are at least half of the requested pause.', async () => {
  const starts: number[] = [];
  const { promise: enough, resolve } = Promise.withResolvers<void>();
  const stop = repeat({
    name: 'tidying',
    everyMs: 40,
    pauseFirst: true,
    jitter: true,
    log,
    work: async () => {
      starts.push(performance.now());
      if (starts.length === 5) resolve();
    },
  });
  const began = performance.now();
  await enough;
  await stop();
  const pauses = starts.map((at, i) => at - (starts[i - 1] ?? began));
  // A busy machine makes them longer, nothing makes them shorter.
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(19);
});
