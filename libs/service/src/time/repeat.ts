import type { Logger } from '../kit/log.ts';
import { Wake } from './wake.ts';

export interface Repetition {
  name: string;
  /** Milliseconds between the end of one run and the start of the next. */
  everyMs: number;
  /** Milliseconds until the next run when one failed; `everyMs` unless said. */
  retryMs?: number;
  /** A poke begins the next run at once; one during a run begins another after it, because that may not have seen what it is about. */
  wake?: Wake;
  /** Whether the first run, too, comes only after a pause: for what can wait until the process serves. */
  pauseFirst?: boolean;
  /** Spreads the pauses over ± half, so that several processes don't work at the same moment. */
  jitter?: boolean;
  /** One run; it ends early once the signal says so. */
  work: (signal: AbortSignal) => Promise<void>;
  log: Logger;
}

/**
 * Does something again and again beside serving, never twice at a time, until the returned function has stopped it, which waits
 * for the run at work. A failure doesn't keep the next run from its work; there is one line per outage in the log. It doesn't
 * keep the process alive.
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
