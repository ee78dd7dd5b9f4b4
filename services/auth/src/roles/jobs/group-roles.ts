import { Gauge, type Registry, type Transaction } from '@ostiary/service';
import type { GroupRoleStore } from '../domain/group-role-store.ts';
import type { GroupRoles } from '../domain/group-roles.ts';
import type { MembershipCheckStore } from '../domain/membership-checks.ts';
import type { RoleProjection } from '../domain/role-projection.ts';

/** Tenants, and groups, of one round. */
const atOnce = 20;

/**
 * Does what was noted about roles of groups and isn't done: because this process or another one ended, or because the directory
 * didn't answer. Any number of processes may do so at once.
 */
export async function catchUpOnGroupRoles(
  deps: {
    database: { sql: Transaction };
    groupRoles: Pick<GroupRoles, 'tell'>;
    roleProjection: Pick<RoleProjection, 'settle'>;
    groupRoleStore: Pick<GroupRoleStore, 'untoldGroups'>;
    membershipChecks: Pick<MembershipCheckStore, 'tenantsWithChecks'>;
  },
  signal: AbortSignal,
): Promise<void> {
  const { sql } = deps.database;
  const [tenants, groups] = await Promise.all([
    deps.membershipChecks.tenantsWithChecks(sql, atOnce),
    deps.groupRoleStore.untoldGroups(sql, atOnce),
  ]);
  if (signal.aborted) return;
  await allDone([
    ...tenants.map((tenant) => deps.roleProjection.settle(tenant)),
    ...groups.map(({ tenant, groupId }) => deps.groupRoles.tell(tenant, groupId)),
  ]);
}

/** Waits for all of them: one tenant's trouble must not keep the others waiting. Throws the first failure. */
async function allDone(work: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(work);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Measures for how long somebody may have had a role that they lost with a group: events that have arrived don't show it. */
export function groupRoleAge(
  metrics: Registry,
  deps: {
    database: { sql: Transaction };
    membershipChecks: Pick<MembershipCheckStore, 'oldestCheckSeconds'>;
  },
): () => Promise<void> {
  const age = new Gauge({
    name: 'group_role_checks_age_seconds',
    help: 'Age of the oldest question about members of groups with roles that the directory has not answered',
    registers: [metrics],
  });
  return async () => age.set(await deps.membershipChecks.oldestCheckSeconds(deps.database.sql));
}
