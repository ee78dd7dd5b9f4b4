import { setTimeout as sleep } from 'node:timers/promises';
import { isRetryable } from './errors.ts';

/** Maximum number of attempts, with pauses of 5, 10, 20, … ms with jitter. */
const attempts = 6;

/**
 * Runs `work`, and repeats all of it if PostgreSQL rolled it back because of concurrent locks or a changed
 * table. Used for transactions and single statements.
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
