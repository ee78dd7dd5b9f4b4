import { BoundedCache } from '../bounded-cache.ts';
import { digestOf } from './token-digest.ts';

const maxKnown = 10_000;
const minuteMs = 60_000;

/** Rejection of a token that is not known as active, above the limit. */
export class TooManyUnknownTokens extends Error {
  /** Seconds until the next one is introspected. */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('Too many tokens that are not known as active were presented.');
    this.name = 'TooManyUnknownTokens';
    this.retryAfter = retryAfter;
  }
}

/**
 * Limits the introspection of tokens that only the issuer can distinguish from invented texts. Tokens that were active
 * recently are not limited, and others count only during the introspection, or when they are not active.
 */
export class UnknownTokens {
  readonly #active = new BoundedCache<true>(maxKnown);
  readonly #elapsed: () => number;
  readonly #perMinute: number;
  #count = 0;
  #endsAt = Number.NEGATIVE_INFINITY;

  /**
   * @param elapsed milliseconds
   * @param perMinute maximum number of introspections
   */
  constructor(elapsed: () => number, perMinute: number) {
    this.#elapsed = elapsed;
    this.#perMinute = perMinute;
  }

  /**
   * Introspects a token.
   * @throws TooManyUnknownTokens; as `introspect`
   */
  async limited<T extends { active?: unknown }>(token: string, introspect: () => Promise<T>): Promise<T> {
    const digest = digestOf(token);
    const endsAt = this.#active.get(digest) === undefined ? this.#take() : undefined;
    let isInactive = false;
    try {
      const claims = await introspect();
      isInactive = claims.active !== true;
      if (isInactive) this.#active.delete(digest);
      else this.#active.set(digest, true);
      return claims;
    } finally {
      if (!isInactive && endsAt === this.#endsAt) this.#count -= 1;
    }
  }

  /** Counts a token. Returns the end of the minute in which it counts. */
  #take(): number {
    const now = this.#elapsed();
    if (now >= this.#endsAt) [this.#count, this.#endsAt] = [0, now + minuteMs];
    if (this.#count >= this.#perMinute)
      throw new TooManyUnknownTokens(Math.ceil((this.#endsAt - now) / 1_000));
    this.#count += 1;
    return this.#endsAt;
  }
}
