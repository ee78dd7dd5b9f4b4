import { setTimeout as sleep } from 'node:timers/promises';
import type { RevocationList, RevocationPage } from '@ostiary/access';
import { Wake } from '@ostiary/service';
import type { RevocationJournal } from './revocation-feed.ts';

export interface FeedWaitingOptions {
  revocations: RevocationJournal;
  /** Revocation list of this process, which its own reading of the feed keeps complete. */
  list: RevocationList;
  /** Clock of the list, in milliseconds. */
  monotonic: () => number;
}

export interface FeedWait {
  /** Maximum waiting time in milliseconds. */
  ms: number;
  /** Aborted when the client has disconnected. */
  gone: AbortSignal;
}

/**
 * Delay in milliseconds between the first new entry and the reading of the page. When many users are offboarded
 * together, a verifier gets all in one request. The stream notifies it of each immediately.
 */
const gatherMs = 150;

/** Holds requests of verifiers until the feed has new entries, so that they need not poll. */
export class FeedWaiting {
  readonly #o: FeedWaitingOptions;
  readonly #waiting = new Set<{ wake: Wake; hasChanges: boolean }>();
  #released = false;

  constructor(options: FeedWaitingOptions) {
    this.#o = options;
    options.list.onRevoked(() => {
      for (const one of this.#waiting) {
        one.hasChanges = true;
        one.wake.poke();
      }
      this.#waiting.clear();
    });
  }

  /**
   * Returns a page of the feed, as RevocationJournal does: immediately if it has entries, otherwise when there are new
   * ones or the time is over.
   */
  async page(after: string | undefined, wait?: FeedWait): Promise<RevocationPage> {
    const { revocations } = this.#o;
    if (wait === undefined || after === undefined) return revocations.page(after);
    const cameAt = this.#o.monotonic();
    const one = { wake: new Wake(), hasChanges: false };
    // Added before the feed is read: a revocation that this process receives from here on is in the page or wakes the
    // request.
    this.#waiting.add(one);
    try {
      const page = await revocations.page(after);
      if (page.entries.length > 0 || page.more) return page;
      await this.#untilWoken(one.wake, cameAt + wait.ms, wait.gone);
      if (one.hasChanges && !wait.gone.aborted && !this.#released) {
        await sleep(gatherMs);
        return await revocations.page(page.cursor);
      }
      return { ...page, completeAfterMs: this.#completeAfterMs(cameAt) };
    } finally {
      this.#waiting.delete(one);
    }
  }

  /** Answers all waiting requests before the process ends. */
  release(): void {
    this.#released = true;
    for (const { wake } of this.#waiting) wake.poke();
  }

  async #untilWoken(wake: Wake, until: number, gone: AbortSignal): Promise<void> {
    if (gone.aborted || this.#released) return;
    const end = wake.pokeOn(gone);
    await wake.wait(until - this.#o.monotonic());
    end();
  }

  /**
   * This process has read the feed since the request came and found no unknown entry. Entries that it knew before are
   * in the page, or the verifier has them. So the page is complete up to the last reading of this process.
   */
  #completeAfterMs(cameAt: number): number {
    return Math.max(0, Math.floor(this.#o.list.freshAt - cameAt));
  }
}
