/** Maximum difference in milliseconds between the clocks of this process and of PostgreSQL. */
const clockSlackMs = 5 * 60_000;

/**
 * Condition for tokens and grants that may still be valid by PostgreSQL's clock, which decides. Revocation selects by
 * it, so that a process whose clock is ahead misses nothing that is still valid.
 */
export const perhapsLive = () => ({
  revokedAt: null,
  expiresAt: { gt: new Date(Date.now() - clockSlackMs) },
});
