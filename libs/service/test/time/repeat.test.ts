import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, expect, test } from '@jest/globals';
import { type Logger, repeat, Wake } from '../../src/index.ts';

let warned: object[] = [];
const log = { warn: (fields: object) => warned.push(fields) } as unknown as Logger;
beforeEach(() => {
  warned = [];
});

/** Runs a job until it has begun `times` times. */
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
    { event: 'job.failed', job: 'tidying', err: new Error('failure 1') },
    { event: 'job.failed', job: 'tidying', err: new Error('failure 4') },
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

test('A job that pauses first does nothing when it is stopped before its first run, and stops immediately.', async () => {
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
  // A busy machine makes pauses longer, never shorter.
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(19);
});

test('A poke begins the next run immediately, and one during a run begins another run after it.', async () => {
  const wake = new Wake();
  let begun = 0;
  const runs = Array.from({ length: 3 }, () => Promise.withResolvers<void>());
  const stop = repeat({
    name: 'tidying',
    everyMs: 600_000,
    wake,
    log,
    work: async () => {
      const run = runs[begun];
      begun += 1;
      if (begun === 2) wake.poke();
      run?.resolve();
    },
  });
  await runs[0]?.promise;
  await sleep(5);
  wake.poke();
  await runs[2]?.promise;
  await stop();
  expect(begun).toBe(3);
});

test('After a failed run, the next one starts after the retry interval.', async () => {
  let runs = 0;
  const { promise: again, resolve } = Promise.withResolvers<void>();
  const stop = repeat({
    name: 'tidying',
    everyMs: 600_000,
    retryMs: 1,
    log,
    work: async () => {
      runs += 1;
      if (runs === 1) throw new Error('no database');
      resolve();
    },
  });
  await again;
  await stop();
  expect(runs).toBe(2);
});
