import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two questions: few at first, more the longer it takes, as asking costs what is asked its time. */
const shortestPause = 5;
const longestPause = 150;

/** Asks until the answer satisfies, for what other processes learn a moment later. Gives the last answer on failure. */
export async function eventually<T>(
  ask: () => Promise<T>,
  satisfied: (answer: T) => boolean,
  withinMs = 20_000,
): Promise<T> {
  const start = performance.now();
  for (;;) {
    const answer = await ask();
    if (satisfied(answer)) return answer;
    const waited = performance.now() - start;
    if (waited > withinMs) {
      throw new Error(`not so after ${withinMs} ms: ${JSON.stringify(answer)}`);
    }
    await sleep(Math.min(longestPause, shortestPause + waited / 20));
  }
}
