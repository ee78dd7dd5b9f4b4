import { setTimeout as sleep } from 'node:timers/promises';
import type { RevocationList, RevocationPage } from '@ostiary/access';
import { Wake } from '@ostiary/service';
import type { RevocationJournal } from './revocation-feed.ts';

export interface FeedWaitingOptions {
  revocations: Pick<RevocationJournal, 'page'>;
  /** This process's own, which is kept complete by its own reading of the feed. */
  list: Pick<RevocationList, 'onRevoked' | 'freshAt'>;
  /** The clock that the list is kept by, in ms. */
  monotonic: () => number;
}

export interface FeedWait {
  /** For how long at most, in ms. */
  ms: number;
  /** Nobody waits for the answer any more. */
  gone: AbortSignal;
}

/**
 * How long after the first news the page is read, in ms: when many leave at once a verifier asks once for all of them, and not while the
 * doors are being closed, which it is told of on the stream.
 */
const gatherMs = 150;

/** Lets verifiers wait for what is new in the feed, so that none has to ask again and again whether there is something. */
export class FeedWaiting {
  readonly #o: FeedWaitingOptions;
  readonly #waiting = new Set<{ wake: Wake; hasNews: boolean }>();
  #released = false;

  constructor(options: FeedWaitingOptions) {
    this.#o = options;
    options.list.onRevoked(() => {
      for (const one of this.#waiting) {
        one.hasNews = true;
        one.wake.poke();
      }
      this.#waiting.clear();
    });
  }

  /**
   * A page of the feed, as RevocationJournal has it: at once if there is something in it, otherwise as soon as there is, or when the time
   * is over.
   */
  async page(after: string | undefined, wait?: FeedWait): Promise<RevocationPage> {
    const { revocations } = this.#o;
    if (wait === undefined || after === undefined) return revocations.page(after);
    const cameAt = this.#o.monotonic();
    const one = { wake: new Wake(), hasNews: false };
    // Before the feed is read: whatever this process hears of from now on is in the page, or it is news.
    this.#waiting.add(one);
    try {
      const page = await revocations.page(after);
      if (page.entries.length > 0 || page.more) return page;
      await this.#news(one.wake, cameAt + wait.ms, wait.gone);
      if (one.hasNews && !wait.gone.aborted && !this.#released) {
        await sleep(gatherMs);
        return await revocations.page(page.cursor);
      }
      return { ...page, completeAfterMs: this.#completeAfterMs(cameAt) };
    } finally {
      this.#waiting.delete(one);
    }
  }

  /** Answers all who wait: the process is about to end. */
  release(): void {
    this.#released = true;
    for (const { wake } of this.#waiting) wake.poke();
  }

  async #news(wake: Wake, until: number, gone: AbortSignal): Promise<void> {
    if (gone.aborted || this.#released) return;
    const leave = (): void => wake.poke();
    gone.addEventListener('abort', leave);
    await wake.wait(until - this.#o.monotonic());
    gone.removeEventListener('abort', leave);
  }

  /**
   * This process has read the feed itself meanwhile, and found nothing that it didn't know. What it knew when the request came the page has, or
   * who asks has it; so up to its own last reading there is nothing else.
   */
  #completeAfterMs(cameAt: number): number {
    return Math.max(0, Math.floor(this.#o.list.freshAt - cameAt));
  }
}
