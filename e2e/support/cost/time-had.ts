import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from '@jest/globals';
import { Metronome, timeHad } from '../../chaos/metronome.ts';

/** Measures, in the tests of this file, by the time that the machine had: what others compute beside them is none of it. */
export function watchTime() {
  let metronome: Metronome;
  beforeAll(async () => {
    metronome = await Metronome.start();
  });
  afterAll(() => metronome?.stop());
  return {
    /** Milliseconds from a moment, by performance.now(), until now. */
    async since(from: number): Promise<number> {
      const to = performance.now();
      // A time without time is known with the first beat after it.
      await sleep(200);
      return timeHad(metronome.stalls, from, to);
    },
  };
}
