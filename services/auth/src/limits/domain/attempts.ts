/** How many attempts are free, and how long the next must wait after those: doubling from `firstMs` to `longestMs`. */
export interface AttemptLimit {
  free: number;
  firstMs: number;
  longestMs: number;
  /** Milliseconds in which `free` attempts are forgotten, one after the other: what comes no faster never waits. */
  forgetMs: number;
}

export interface Attempts {
  /**
   * Counts an attempt before it is made, in one step, so that parallel guesses are counted like serial ones.
   * @returns 0 when it may go ahead, otherwise the milliseconds until the next may
   */
  begin(key: string, limit: AttemptLimit): Promise<number>;
  /** The attempt was a good one, or none at all: forget everything (an account), or just this one (an address). */
  succeed(key: string, forget: 'all' | 'this'): Promise<void>;
}

/**
 * Counts of guesses at an account, kept durably: they are all that stands between six digits and whoever knows a password,
 * so they must not be where somebody who writes to Redis could reset them.
 */
export interface Guesses {
  /**
   * Counts a guess before it is made, in one step, so that parallel guesses are counted like serial ones.
   * @param account what is guessed at; whose it is doesn't show where it was made by a digest
   * @returns 0 when it may go ahead, otherwise the milliseconds until the next may
   * @throws DatabaseUnavailable when it can't be counted: then it isn't made
   */
  begin(tenant: string, account: string, limit: AttemptLimit): Promise<number>;
  /** The guess was right, or none at all: forget all of them, or just this one. */
  succeed(tenant: string, account: string, forget: 'all' | 'this'): Promise<void>;
}
