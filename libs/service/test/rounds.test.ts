import { expect, test } from '@jest/globals';
import { type Logger, Rounds } from '../src/index.ts';

const warned: string[] = [];
const log = { warn: (_fields: object, message: string) => warned.push(message) } as unknown as Logger;

test('rounds come one after another, and a failed one does not keep the next from its work', async () => {
  const seen: string[] = [];
  let number = 0;
  const rounds = new Rounds({
    name: 'housekeeping',
    log,
    work: async () => {
      number += 1;
      seen.push(`begin ${number}`);
      await Promise.resolve();
      if (number === 1) throw new Error('no database');
      seen.push(`end ${number}`);
    },
  });
  await Promise.all([rounds.run(), rounds.run(), rounds.run()]);
  expect(seen).toEqual(['begin 1', 'begin 2', 'end 2', 'begin 3', 'end 3']);
  expect(warned).toEqual(['housekeeping failed']);
});

test('to stop waits for the round at work, which is told', async () => {
  const began = Promise.withResolvers<void>();
  const going = Promise.withResolvers<void>();
  let told: boolean | undefined;
  const rounds = new Rounds({
    name: 'housekeeping',
    log,
    intervalMs: 1,
    work: async (stopping) => {
      began.resolve();
      await going.promise;
      told = stopping();
    },
  });
  rounds.start();
  await began.promise;
  const stopped = rounds.stop();
  going.resolve();
  await stopped;
  expect(told).toBe(true);
});
