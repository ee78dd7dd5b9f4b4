/** When a failed message is tried again. */
export interface RetryPolicy {
  /** Seconds until the second attempt; each pause is twice the one before. */
  firstSeconds: number;
  /** The longest pause. */
  maxSeconds: number;
  /** Seconds after which it is given up. */
  giveUpSeconds: number;
}

/** Pauses differ by up to a fifth in either direction, so that what failed together doesn't come back together. */
const jitter = 0.2;

/**
 * Seconds until the next attempt; undefined when the message is given up.
 * @param failed attempts made so far, 1 or more
 * @param ageSeconds since the first attempt was due
 * @param retryAfterSeconds what the receiver asked for: the pause isn't shorter, as far as that is reasonable
 * @param random in [0, 1)
 */
export function nextPause(
  policy: RetryPolicy,
  o: { failed: number; ageSeconds: number; retryAfterSeconds?: number | undefined; random: number },
): number | undefined {
  const left = policy.giveUpSeconds - o.ageSeconds;
  if (left <= 0) return undefined;
  // 2 ** 30 pauses are beyond every maximum.
  const doubled = Math.min(policy.maxSeconds, policy.firstSeconds * 2 ** Math.min(o.failed - 1, 30));
  const spread = doubled * (1 - jitter + 2 * jitter * o.random);
  const asked = Math.min(o.retryAfterSeconds ?? 0, policy.maxSeconds);
  // The last attempt is at the end of the time, not before it.
  return Math.min(Math.max(spread, asked), left);
}
