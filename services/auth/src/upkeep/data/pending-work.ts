import { type Sql, statement } from '@ostiary/database';

/** Seconds after which the directory is told of a role's holder again (`untoldHolders`). */
const notifiedAgainSeconds = 3_600;

/**
 * What waits to be done in the background, all in one: each answer is found with one step in an index, or in a table that is mostly empty.
 * A question says no more than whether it is worth while to look; what is done is decided by who does it.
 */
const pendingWork = statement({
  name: 'upkeep.pending-work',
  reason: 'hot path',
  text: `SELECT EXISTS (SELECT FROM auth.deliveries WHERE state = 'pending') AS "pendingDeliveries",
           EXISTS (SELECT FROM auth.deliveries WHERE state = 'held' AND due_at <= now()) AS "overdueDeliveries",
           EXISTS (SELECT FROM auth.live_events) AS "liveEvents",
           EXISTS (SELECT FROM auth.membership_checks) OR EXISTS (SELECT FROM auth.privileged_groups WHERE NOT told) AS "groupRoles",
           EXISTS (SELECT FROM auth.owner_checks) AS "groupOwners",
           EXISTS (SELECT FROM auth.secret_ends WHERE ends_at <= now()) AS "secretEnds",
           EXISTS (SELECT FROM auth.role_holders WHERE told_at IS NULL)
             OR EXISTS (SELECT FROM auth.role_holders
                         WHERE told_at < now() - interval '${notifiedAgainSeconds} seconds') AS "roleHolders"`,
  columns: {
    pendingDeliveries: 'bool',
    overdueDeliveries: 'bool',
    liveEvents: 'bool',
    groupRoles: 'bool',
    groupOwners: 'bool',
    secretEnds: 'bool',
    roleHolders: 'bool',
  },
});

/** What there may be to do. */
export type PendingWork = keyof typeof pendingWork.columns;

export const lookForWork = (sql: Sql): Promise<Record<PendingWork, boolean> | undefined> =>
  pendingWork.first(sql);
