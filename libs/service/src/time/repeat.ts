import type { Logger } from '../kit/log.ts';
import { Wake } from './wake.ts';

export interface Repetition {
  name: string;
  /** Milliseconds between the end of one run and the start of the next. */
  everyMs: number;
  /** Milliseconds until the next run after a failure, default `everyMs`. */
  retryMs?: number;
  /**
   * Waking starts the next run immediately; during a run it schedules another, because the current one may
   * have missed the change.
   */
  wake?: Wake;
  /** Whether to pause before the first run, for work that can wait until the process serves. */
  pauseFirst?: boolean;
  /** Randomises the pauses by ± half, so that several processes do not work at the same moment. */
  jitter?: boolean;
  /** One run. It ends early once the signal is aborted. */
  work: (signal: AbortSignal) => Promise<void>;
  log: Logger;
}

/**
 * Repeats work in the background, one run at a time, until the returned function stops it and waits for the
 * current run. A failure does not prevent the next run and is logged once per outage. Does not keep the
 * process running.
 */
export function repeat(o: Repetition): () => Promise<void> {
  const { everyMs, retryMs = everyMs, wake = new Wake() } = o;
  const stopped = new AbortController();
  const { signal } = stopped;
  const pause = (ms: number): Promise<void> => wake.wait(ms * (o.jitter ? 0.5 + Math.random() : 1));
  const running = (async () => {
    let failed = false;
    if (o.pauseFirst) await pause(everyMs);
    while (!signal.aborted) {
      try {
        await o.work(signal);
        failed = false;
      } catch (error) {
        if (!failed && !signal.aborted)
          o.log.warn({ event: 'job.failed', job: o.name, err: error }, 'Job failed; retrying');
        failed = true;
      }
      if (!signal.aborted) await pause(failed ? retryMs : everyMs);
    }
  })();
  return async () => {
    stopped.abort();
    wake.poke();
    await running;
  };
}
