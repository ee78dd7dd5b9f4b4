import { expect } from '@jest/globals';

/** Other load on the machine and compilation make some attempts longer, never shorter. */
const attempts = 3;

/**
 * Fails if `work` takes at least `limitMs` of CPU in each attempt. Only the CPU of this thread counts, because garbage
 * collection and compilation for the whole worker run in others, so the measured code must run in the test's thread.
 * @param work receives the number of the attempt, for input that must be new; its CPU counts until its promise settles
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
