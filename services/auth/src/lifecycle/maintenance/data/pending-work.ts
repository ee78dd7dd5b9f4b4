import { type Sql, statement } from '@ostiary/database';

/** Interval in seconds after which the directory is notified of a role holder again (`untoldHolders`). */
const notifiedAgainSeconds = 3_600;

/**
 * Reports in one statement which jobs have work. Each column needs one index lookup or reads a table that is mostly
 * empty. It only wakes a job; the job decides about the work.
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

export type PendingWork = keyof typeof pendingWork.columns;

export const lookForWork = (sql: Sql): Promise<Record<PendingWork, boolean> | undefined> =>
  pendingWork.first(sql);
