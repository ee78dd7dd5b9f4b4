/** By how much the clocks of this process and of PostgreSQL may differ, in ms. */
const clockSlackMs = 5 * 60_000;

/**
 * What may not have expired yet by PostgreSQL's clock, which decides about tokens and grants. What is to be ended is looked for by this, so that a
 * process whose clock is ahead passes nothing over that still works.
 */
export const perhapsLive = () => ({
  revokedAt: null,
  expiresAt: { gt: new Date(Date.now() - clockSlackMs) },
});
