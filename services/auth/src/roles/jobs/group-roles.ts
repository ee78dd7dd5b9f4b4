import type { Sql } from '@ostiary/database';
import { Gauge, type Registry } from '@ostiary/service';
import type { PeopleDependencies } from '../../composition/people.ts';
import { tenantsWithOwnerChecks } from '../../ownership/data/owner-checks.ts';
import { untoldGroups } from '../data/group-roles.ts';
import { oldestCheckSeconds, tenantsWithChecks } from '../data/membership-checks.ts';

/** Tenants, and groups, of one round. */
const atOnce = 20;

/**
 * Does what was noted about roles of groups and isn't done: because this process or another one ended, or because the directory
 * didn't answer. Any number of processes may do so at once.
 */
export async function catchUpOnGroupRoles(
  deps: Pick<PeopleDependencies, 'database' | 'groupRoles' | 'roleProjection'>,
  signal: AbortSignal,
): Promise<void> {
  const { sql } = deps.database;
  const [tenants, groups] = await Promise.all([tenantsWithChecks(sql, atOnce), untoldGroups(sql, atOnce)]);
  if (signal.aborted) return;
  await allDone([
    ...tenants.map((tenant) => deps.roleProjection.settle(tenant)),
    ...groups.map(({ tenant, groupId }) => deps.groupRoles.tell(tenant, groupId)),
  ]);
}

/** Asks what was noted about groups that own something, and wasn't asked, for the same reasons; as many processes may. */
export async function catchUpOnGroupOwners(
  deps: Pick<PeopleDependencies, 'database' | 'groupOwners'>,
  signal: AbortSignal,
): Promise<void> {
  const tenants = await tenantsWithOwnerChecks(deps.database.sql, atOnce);
  if (signal.aborted) return;
  await allDone(tenants.map((tenant) => deps.groupOwners.settle(tenant)));
}

/** Waits for all of them: one tenant's trouble must not keep the others waiting. Throws the first failure. */
async function allDone(work: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(work);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}

/** Measures for how long somebody may have had a role that they lost with a group: events that have arrived don't show it. */
export function groupRoleAge(metrics: Registry, sql: Sql): () => Promise<void> {
  const age = new Gauge({
    name: 'group_role_checks_age_seconds',
    help: 'Age of the oldest question about members of groups with roles that the directory has not answered',
    registers: [metrics],
  });
  return async () => age.set(await oldestCheckSeconds(sql));
}
