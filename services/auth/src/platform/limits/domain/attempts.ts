/** Number of attempts without a delay. The delay of further ones doubles from `firstMs` to `maxMs`. */
export interface AttemptLimit {
  free: number;
  firstMs: number;
  maxMs: number;
  /** Milliseconds in which `free` attempts are forgotten, one after another. A slower rate is never delayed. */
  forgetMs: number;
}

export interface Attempts {
  /**
   * Counts an attempt before it is made, in one step, so that parallel guesses are counted like serial ones.
   * @returns 0 if it is permitted, otherwise the milliseconds until the next one is
   */
  begin(key: string, limit: AttemptLimit): Promise<number>;
  /** Discounts attempts after a success or an undecided one: all (of an account) or only this one (of an address). */
  succeed(key: string, forget: 'all' | 'this'): Promise<void>;
}

/**
 * Persistent counts of guesses at an account. They are the only protection of a six-digit code after the password is
 * known, so write access to Redis must not be able to reset them.
 */
export interface Guesses {
  /**
   * Counts a guess before it is made, in one step, so that parallel guesses are counted like serial ones.
   * @param account identifier of the counter, a digest if it would disclose the account
   * @returns 0 if it is permitted, otherwise the milliseconds until the next one is
   * @throws DatabaseUnavailable if it cannot be counted; the guess is not permitted then
   */
  begin(tenant: string, account: string, limit: AttemptLimit): Promise<number>;
  /** Discounts guesses after a success or an undecided one: all, or only this one. */
  succeed(tenant: string, account: string, forget: 'all' | 'this'): Promise<void>;
}
