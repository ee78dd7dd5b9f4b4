/** Schedule of retries. */
export interface RetryPolicy {
  /** Seconds until the second attempt; each later pause is twice the previous one. */
  firstSeconds: number;
  /** Maximum pause in seconds. */
  maxSeconds: number;
  /** Seconds after which the message is given up. */
  giveUpSeconds: number;
}

/** Share by which pauses vary in either direction, so that messages that failed together are not retried together. */
const jitter = 0.2;

/**
 * Returns the seconds until the next attempt, or undefined when the message is given up.
 * @param failed number of attempts so far, at least 1
 * @param ageSeconds seconds since the first attempt was due
 * @param retryAfterSeconds minimum pause requested by the receiver, limited to `maxSeconds`
 * @param random in [0, 1)
 */
export function nextPause(
  policy: RetryPolicy,
  o: { failed: number; ageSeconds: number; retryAfterSeconds?: number | undefined; random: number },
): number | undefined {
  const left = policy.giveUpSeconds - o.ageSeconds;
  if (left <= 0) return undefined;
  // Limits the exponent: 2 ** 30 pauses exceed every maximum.
  const doubled = Math.min(policy.maxSeconds, policy.firstSeconds * 2 ** Math.min(o.failed - 1, 30));
  const spread = doubled * (1 - jitter + 2 * jitter * o.random);
  const asked = Math.min(o.retryAfterSeconds ?? 0, policy.maxSeconds);
  // The last attempt takes place at the end of the period, not before it.
  return Math.min(Math.max(spread, asked), left);
}
