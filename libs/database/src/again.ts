import { setTimeout as sleep } from 'node:timers/promises';
import { isRetryable } from './errors.ts';

/** In all; after 5, 10, 20, … ms with jitter. */
const attempts = 6;

/**
 * Runs `work`, and all of it again when PostgreSQL has undone all of it for no fault of its own: what is the victim of somebody
 * else's locks, or of a change to a table, is nobody's error. Transactions go this way, and statements that are their own.
 */
export async function untilNoVictim<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isRetryable(error) || attempt === attempts) throw error;
      await sleep(2.5 * 2 ** attempt * (0.5 + Math.random()));
    }
  }
}
