import { createHash } from 'node:crypto';
import { counted } from '../../audit/domain/counted.ts';
import type { AttemptLimit, Attempts } from './attempts.ts';

/** A counter that limits an attempt. */
export interface Counter {
  key: string;
  limit: AttemptLimit;
}

/** Counters of an attempt: those of its source alone, then the shared ones in increasing scope. */
export interface Counters {
  /**
   * The network first, then narrower counters. A counter of a value that the source can invent, such as a browser,
   * comes after the network, because otherwise the source could create any number of counters.
   */
  own: readonly [Counter, ...Counter[]];
  shared: readonly Counter[];
}

/** Returns the key of a counter: callers choose the parts, so their digest is used. */
export const counterKey = (kind: string, ...parts: string[]): string =>
  `${kind}:${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;

export interface Turn {
  /** Above 0 if the attempt is not permitted. It then counts only at the counter that rejected it. */
  waitMs: number;
  /** Discounts the attempt. */
  giveBack(): Promise<void>;
}

/**
 * Counts an attempt before it is made. A shared counter counts only attempts that the source's own counters permit,
 * and an attempt rejected by one counter is discounted from the others. So a source uses at most the part of a shared
 * limit that its own counters permit (`shareOfOne`).
 * @throws ServiceUnavailable if it cannot be counted; the attempt is not permitted then
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

/** Returns the maximum part of a shared limit that one source can use within the period of that limit. */
export function shareOfOne(own: AttemptLimit, shared: AttemptLimit): number {
  const replenished = (shared.forgetMs / own.forgetMs) * own.free;
  return Math.min(own.free + replenished, own.free + shared.forgetMs / own.firstMs) / shared.free;
}
