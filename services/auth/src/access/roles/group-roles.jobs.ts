import { Gauge, type Registry, type Transaction } from '@ostiary/service';
import type { GroupRoleStore } from './domain/group-role-store.ts';
import type { GroupRoles } from './domain/group-roles.ts';
import type { MembershipCheckStore } from './domain/membership-checks.ts';
import type { RoleProjection } from './domain/role-projection.ts';

/** Maximum number of tenants and of groups per run. */
const batchSize = 20;

/**
 * Carries out recorded work on roles of groups that was interrupted or that the directory did not answer. Every process
 * may run it concurrently.
 */
export async function catchUpOnGroupRoles(
  deps: {
    database: { sql: Transaction };
    groupRoles: GroupRoles;
    roleProjection: RoleProjection;
    groupRoleStore: GroupRoleStore;
    membershipChecks: MembershipCheckStore;
  },
  signal: AbortSignal,
): Promise<void> {
  const { sql } = deps.database;
  const [tenants, groups] = await Promise.all([
    deps.membershipChecks.tenantsWithChecks(sql, batchSize),
    deps.groupRoleStore.untoldGroups(sql, batchSize),
  ]);
  if (signal.aborted) return;
  await allDone([
    ...tenants.map((tenant) => deps.roleProjection.settle(tenant)),
    ...groups.map(({ tenant, groupId }) => deps.groupRoles.tell(tenant, groupId)),
  ]);
}

/** Waits for all, so that a failure of one tenant does not delay the others. Throws the first failure. */
async function allDone(work: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(work);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

/**
 * Measures the maximum time for which a user may have kept a role after losing it through a group. Only recorded events
 * count.
 */
export function groupRoleAge(
  metrics: Registry,
  deps: {
    database: { sql: Transaction };
    membershipChecks: MembershipCheckStore;
  },
): () => Promise<void> {
  const age = new Gauge({
    name: 'group_role_checks_age_seconds',
    help: 'Age in seconds of the oldest unanswered query to the directory about members of groups with roles',
    registers: [metrics],
  });
  return async () => age.set(await deps.membershipChecks.oldestCheckSeconds(deps.database.sql));
}
