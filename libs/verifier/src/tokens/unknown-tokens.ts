import { hash } from 'node:crypto';
import { BoundedCache } from '../bounded-cache.ts';

/** Maximum number of introspections per minute of API tokens that are not known as active. */
const unknownPerMinute = 300;
const maxKnown = 10_000;
const minuteMs = 60_000;

/** Rejection of an API token that is not known as active, above the limit. */
export class TooManyUnknownTokens extends Error {
  /** Seconds until the next one is introspected. */
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super('Too many API tokens that are not known as active were presented.');
    this.name = 'TooManyUnknownTokens';
    this.retryAfter = retryAfter;
  }
}

/**
 * Limits the introspection of API tokens, because only the issuer can distinguish invented texts from tokens. Tokens
 * that were active recently are not limited.
 */
export class UnknownTokens {
  readonly #active = new BoundedCache<true>(maxKnown);
  readonly #elapsed: () => number;
  #count = 0;
  #endsAt = Number.NEGATIVE_INFINITY;

  /** @param elapsed milliseconds */
  constructor(elapsed: () => number) {
    this.#elapsed = elapsed;
  }

  /** Counts a token before it is introspected. @throws TooManyUnknownTokens */
  count(token: string): void {
    if (this.#active.get(digestOf(token))) return;
    const now = this.#elapsed();
    if (now >= this.#endsAt) [this.#count, this.#endsAt] = [0, now + minuteMs];
    if (this.#count >= unknownPerMinute)
      throw new TooManyUnknownTokens(Math.ceil((this.#endsAt - now) / 1_000));
    this.#count += 1;
  }

  /** Notes the result of an introspection. */
  note(token: string, isActive: boolean): void {
    if (isActive) this.#active.set(digestOf(token), true);
    else this.#active.delete(digestOf(token));
  }
}

const digestOf = (token: string): string => hash('sha256', token, 'base64');
