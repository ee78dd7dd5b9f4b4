import type { Revocation } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import { type Logger, type Transaction, type Transactions, within } from '@ostiary/service';
import type { Claim } from '../../../platform/index.ts';
import { currentActor, type NewSecurityEvent, type SecurityLog } from '../../../platform/index.ts';
import type { DirectoryGroups, GroupPrivilege, RevocationFeed } from '../../../tenancy/index.ts';
import type { GroupRoleStore } from './group-role-store.ts';
import type { MembershipCheckStore } from './membership-checks.ts';
import { roleChange } from './role-change.ts';
import type { GroupRoleRow } from './role-sources.ts';
import { scopesToActOn, scopesToGive } from './roles.ts';

export class NoSuchGroup extends Error {}
/** The tenant has the maximum number of groups with roles. */
export class TooManyGroups extends Error {}

/** Updates holdings after a change of a group's roles (`RoleProjection`). */
export interface HoldingsProjection {
  settle(tenant: string): Promise<void>;
  endFormer(tx: Transaction, tenant: string): Promise<{ revocations: Revocation[] }>;
}

export interface GroupRolesOptions extends GroupRolePorts {
  database: Transactions;
  directory: DirectoryGroups;
  projection: HoldingsProjection;
  revocations: RevocationFeed;
  log: Logger;
}

/** Stores that a change of a group's roles writes to. */
export interface GroupRolePorts {
  securityLog: SecurityLog;
  groupRoleStore: GroupRoleStore;
  membershipChecks: MembershipCheckStore;
  ownerChecks: {
    /** Records that an owning group may have no active member left that can manage its objects. */
    addOwnerCheck(tx: Transaction, tenant: string, actor: Actor): Promise<void>;
  };
}

const maxGroups = 200;
/** Maximum time in milliseconds that a change waits for its effects. The rest continues in the background. */
const maxWait = 2_000;

export class GroupRoles {
  readonly #o: GroupRolesOptions;

  constructor(options: GroupRolesOptions) {
    this.#o = options;
  }

  /** Notifies the directory of the current roles of a group. @throws ServiceUnavailable */
  async tell(tenant: string, groupId: string): Promise<void> {
    const { database, directory, groupRoleStore, membershipChecks } = this.#o;
    await database.transaction(async (tx) => {
      await groupRoleStore.lockPrivilegedGroup(tx, tenant, groupId);
      const privilege = privilegeOf(await groupRoleStore.rolesOfGroups(tx, tenant, [groupId]));
      const version = await groupRoleStore.nextPrivilegeVersion(tx);
      // A group that does not exist gives nothing. The check of its members finds that.
      if (!(await directory.tell(tenant, groupId, { ...privilege, version }))) {
        await membershipChecks.addMembershipCheck(tx, tenant, undefined);
      }
      await groupRoleStore.notePrivilegeNotified(tx, tenant, groupId);
    });
  }

  /**
   * Assigns a role to all current and future members of a group, direct or through other groups. Before the role
   * applies, the directory is notified that only callers who could assign the role may add members.
   * @param o `managedBySources`: whether identity sources may add members too; `holdRole`: called first in the
   * transaction, throws if the role does not exist
   * @throws NoSuchGroup, TooManyGroups, ServiceUnavailable
   */
  async assign(
    tenant: string,
    groupId: string,
    role: string,
    o: {
      managedBySources: boolean;
      claim?: Claim | undefined;
      holdRole?: (tx: Transaction) => Promise<void>;
    },
  ): Promise<void> {
    const { managedBySources, claim, holdRole } = o;
    const { database, groupRoleStore } = this.#o;
    // Committed first: if anything below fails, the directory is notified of the actual state.
    await database.transaction(async (tx) => {
      await holdRole?.(tx);
      await groupRoleStore.lockPrivilegedGroup(tx, tenant, groupId);
    });
    await database.transaction(async (tx) => {
      await holdRole?.(tx);
      await groupRoleStore.lockPrivilegedGroup(tx, tenant, groupId);
      await claim?.(tx, tenant, groupId);
      await this.#assignIn(tx, tenant, { groupId, role, managedBySources });
    });
    await this.#follow(tenant, groupId);
  }

  /**
   * Removes a role from a group and revokes everything issued to users who lose it. Returns false if the group did not
   * have it.
   */
  async remove(tenant: string, groupId: string, role: string, claim?: Claim): Promise<boolean> {
    const { database, groupRoleStore, projection, revocations } = this.#o;
    const ended = await database.transaction(async (tx): Promise<Revocation[] | undefined> => {
      const roles = await groupRoleStore.rolesOfGroups(tx, tenant, [groupId]);
      if (!roles.some((row) => row.role === role)) return undefined;
      await groupRoleStore.lockPrivilegedGroup(tx, tenant, groupId);
      await claim?.(tx, tenant, groupId);
      await forget(this.#o, tx, tenant, groupId, role);
      // One transaction is limited; the rest follows immediately after it.
      return (await projection.endFormer(tx, tenant)).revocations;
    });
    if (!ended) return false;
    await revocations.publish(ended);
    await this.#follow(tenant, groupId);
    return true;
  }

  /** The caller holds the group's lock. */
  async #assignIn(
    tx: Transaction,
    tenant: string,
    { groupId, role, managedBySources }: { groupId: string; role: string; managedBySources: boolean },
  ): Promise<void> {
    const { directory, groupRoleStore, membershipChecks, securityLog } = this.#o;
    const before = await groupRoleStore.rolesOfGroups(tx, tenant, [groupId]);
    if (before.length === 0 && (await groupRoleStore.countGroupsWithRoles(tx, tenant)) >= maxGroups)
      throw new TooManyGroups();
    // Notifies the directory first, with the strictest rules, so that no member is added between the two changes.
    const privilege = privilegeOf([...before, { role, managedBySources: false }]);
    const version = await groupRoleStore.nextPrivilegeVersion(tx);
    if (!(await directory.tell(tenant, groupId, { ...privilege, version }))) throw new NoSuchGroup();
    if (!(await groupRoleStore.assignGroupRole(tx, tenant, { groupId, role, managedBySources }))) return;
    await membershipChecks.addMembershipCheck(tx, tenant, undefined);
    const had = before.find((row) => row.role === role);
    await securityLog.record(tx, tenant, {
      ...roleEvent('group.role_assigned', groupId),
      changes: {
        ...roleChange(role, had ? ['before', 'after'] : ['after']),
        managedBySources: { ...(had && { before: had.managedBySources }), after: managedBySources },
      },
    });
  }

  /** The remaining work is recorded already. If it fails now, the job retries it. */
  async #follow(tenant: string, groupId: string): Promise<void> {
    const { log, projection } = this.#o;
    const work = Promise.all([projection.settle(tenant), this.tell(tenant, groupId)]).catch((error) =>
      log.warn(
        { event: 'group_roles.deferred', tenant, group: groupId, err: error },
        'Roles of a group could not be applied immediately; retrying',
      ),
    );
    await within(maxWait, work).catch(() => undefined);
  }
}

/** Removes every role from deleted groups, in the caller's transaction. */
export async function forgetGroups(
  o: GroupRolePorts,
  tx: Transaction,
  tenant: string,
  groupIds: readonly string[],
): Promise<void> {
  for (const groupId of groupIds.toSorted()) {
    await o.groupRoleStore.lockPrivilegedGroup(tx, tenant, groupId);
    await forget(o, tx, tenant, groupId);
  }
}

/** The caller holds the group's lock. The recorded checks survive a crash of this process. */
async function forget(
  o: GroupRolePorts,
  tx: Transaction,
  tenant: string,
  groupId: string,
  role?: string,
): Promise<void> {
  const gone = await o.groupRoleStore.removeGroupRoles(tx, tenant, groupId, role);
  for (const name of gone) {
    await o.securityLog.record(tx, tenant, {
      ...roleEvent('group.role_removed', groupId),
      changes: roleChange(name, ['before']),
    });
  }
  if (gone.length === 0) return;
  await o.membershipChecks.addMembershipCheck(tx, tenant, undefined);
  await o.ownerChecks.addOwnerCheck(tx, tenant, currentActor(undefined));
}

/** Returns the scopes required for adding members to a group with these roles, and for identifying its members. */
function privilegeOf(
  roles: readonly Pick<GroupRoleRow, 'role' | 'managedBySources'>[],
): Omit<GroupPrivilege, 'version'> {
  return {
    scopes: [...new Set(roles.flatMap(({ role }) => scopesToGive(role)))],
    identifyingScopes: [...new Set(scopesToActOn(roles.map(({ role }) => role)))],
    managedBySources: roles.every(({ managedBySources }) => managedBySources),
  };
}

const roleEvent = (
  action: 'group.role_assigned' | 'group.role_removed',
  groupId: string,
): NewSecurityEvent => ({ action, resourceType: 'Group', resourceId: groupId });
