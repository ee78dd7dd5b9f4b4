import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@ostiary/service';

export interface Repetition {
  name: string;
  /** Milliseconds between the end of one run and the start of the next. */
  everyMs: number;
  /** Spreads the pauses over ± half, so that several processes don't work at the same moment. */
  jitter?: boolean;
  work: (signal: AbortSignal) => Promise<void>;
  log: Logger;
}

/** Does something again and again, until the returned function has stopped it. One line per outage in the log. */
export function repeat(o: Repetition): () => Promise<void> {
  const stopped = new AbortController();
  const { signal } = stopped;
  const running = (async () => {
    let failed = false;
    while (!signal.aborted) {
      try {
        await o.work(signal);
        failed = false;
      } catch (error) {
        if (!failed && !signal.aborted) o.log.warn({ job: o.name, err: error }, 'a job failed; trying on');
        failed = true;
      }
      const pause = o.everyMs * (o.jitter ? 0.5 + Math.random() : 1);
      await sleep(pause, undefined, { signal }).catch(() => undefined);
    }
  })();
  return async () => {
    stopped.abort();
    await running;
  };
}
