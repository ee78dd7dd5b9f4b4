import { counted } from '../../audit/index.ts';
import type { AttemptLimit, Attempts } from './attempts.ts';

/** One counter that an attempt goes by. */
export interface Counter {
  key: string;
  limit: AttemptLimit;
}

/** What the source of an attempt has for itself, and then what it shares with others: wider and wider. */
export interface Counters {
  /**
   * The network it comes from first, then what is narrower: nobody else's are used up when it presses on. A counter of something
   * that the source can make up, a browser say, comes after the network, or there would be as many counters as it likes.
   */
  own: readonly [Counter, ...Counter[]];
  shared: readonly Counter[];
}

export interface Turn {
  /** More than 0: it must not be made, and is counted nowhere but by the counter that refused it. */
  waitMs: number;
  /** As if it had not been made. */
  giveBack(): Promise<void>;
}

/**
 * Counts an attempt before it is made, in the one order in which nobody can use up what is others' too: a shared counter is
 * touched only by what the source's own counters let through, and a refusal by one counter isn't held against another. So a
 * source spends of a shared budget at most what its own counters allow it (`shareOfOne`).
 * @throws ServiceUnavailable when it cannot be counted: then it isn't made
 */
export async function countInTurn(attempts: Attempts, { own, shared }: Counters): Promise<Turn> {
  const passed: Counter[] = [];
  const giveBack = async (): Promise<void> => {
    await counted(Promise.all(passed.map(({ key }) => attempts.succeed(key, 'this'))));
  };
  for (const counter of [...own, ...shared]) {
    const waitMs = await counted(attempts.begin(counter.key, counter.limit));
    if (waitMs > 0) {
      await giveBack();
      return { waitMs, giveBack: async () => undefined };
    }
    passed.push(counter);
  }
  return { waitMs: 0, giveBack };
}

/** At most which part of a shared budget one source can spend, pressing on for as long as that budget is remembered. */
export function shareOfOne(own: AttemptLimit, shared: AttemptLimit): number {
  const replenished = (shared.forgetMs / own.forgetMs) * own.free;
  return Math.min(own.free + replenished, own.free + shared.forgetMs / own.firstMs) / shared.free;
}
