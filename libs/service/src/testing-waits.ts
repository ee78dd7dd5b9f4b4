import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';

/**
 * Maximum time in milliseconds that a check waits for a state that must be reached. The bound only detects a state that is never
 * reached, so it is far beyond any real duration on a loaded machine and the same for all checks.
 */
export const waitBoundMs = 60_000;

/** Pauses in milliseconds between two questions. They grow with the time waited, because each question uses CPU time of the same machine. */
const pauses = { shortest: 5, longest: 150 } as const;

/**
 * Calls `ask` until the answer satisfies, and returns that answer. Without `satisfies`, the answer must be truthy.
 * @throws Error with the last answer after `waitBoundMs`
 */
export function eventually<T>(
  ask: () => Promise<T> | T,
  satisfies: (answer: T) => boolean = Boolean,
): Promise<T> {
  return askUntil(ask, satisfies, waitBoundMs);
}

/** Implementation of `eventually`. Its own test passes a shorter bound. */
export async function askUntil<T>(
  ask: () => Promise<T> | T,
  satisfies: (answer: T) => boolean,
  boundMs: number,
): Promise<T> {
  const start = performance.now();
  for (;;) {
    const answer = await ask();
    if (satisfies(answer)) return answer;
    const waited = performance.now() - start;
    if (waited > boundMs) {
      const last = inspect(answer, { depth: 8, maxStringLength: 2_000, breakLength: 120 });
      throw new Error(`The condition is not met after ${boundMs / 1_000} s. Last answer: ${last}`);
    }
    await sleep(Math.min(pauses.longest, pauses.shortest + waited / 20));
  }
}
