/** What is left of a caller's allowance. */
export interface Allowance {
  allowed: boolean;
  /** Requests in a window. */
  limit: number;
  remaining: number;
  /** Seconds until the window ends and the whole allowance is there again, at least 1. */
  resetSeconds: number;
}

/** Length of a window. */
export const windowSeconds = 60;

/** Counts requests per caller, for all processes together. Never throws and never waits long. */
export interface RateLimits {
  /**
   * Takes `cost` requests out of the allowance of `key`, or none at all when there are fewer left. A cost beyond the
   * limit counts as the limit: it takes a window of its own.
   */
  take(key: string, limit: number, cost: number): Promise<Allowance>;
}
