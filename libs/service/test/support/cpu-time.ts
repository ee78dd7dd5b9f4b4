import { expect } from '@jest/globals';

/** What else the machine has to do, and code that is compiled on the way, make some attempts long, and none short. */
const attempts = 3;

/**
 * Fails if `work` takes `limitMs` of CPU, or more, each time it is tried. The CPU of this thread alone counts: collecting garbage and
 * compiling go on in others, for all that the worker ever did. So what is measured has to run in the test's own thread.
 * @param work is given the number of the attempt, for what must not have been asked before; its CPU counts until its promise settles
 */
export async function expectCpuBelow(limitMs: number, work: (attempt: number) => unknown): Promise<void> {
  const took: number[] = [];
  while (took.length < attempts && !took.some((ms) => ms < limitMs)) {
    const begun = process.threadCpuUsage();
    await work(took.length);
    const { user, system } = process.threadCpuUsage(begun);
    took.push((user + system) / 1_000);
  }
  expect(Math.min(...took)).toBeLessThan(limitMs);
}
