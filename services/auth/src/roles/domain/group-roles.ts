import type { Revocation } from '@ostiary/access';
import type { Claim, Database, Sql } from '@ostiary/database';
import type { Logger } from '@ostiary/service';
import { record } from '../../audit/data/security-log.ts';
import type { NewSecurityEvent } from '../../audit/index.ts';
import type { DirectoryGroups, RevocationFeed } from '../../subjects/index.ts';
import {
  assignGroupRole,
  countGroupsWithRoles,
  lockPrivilegedGroup,
  nextPrivilegeVersion,
  notePrivilegeTold,
  removeGroupRoles,
  rolesOfGroups,
} from '../data/group-roles.ts';
import { addMembershipCheck } from '../data/membership-checks.ts';
import type { RoleProjection } from './role-projection.ts';
import type { GroupRoleRow } from './role-sources.ts';
import { isRole, type Role, scopesToGive } from './roles.ts';

/** The tenant has no such group. */
export class NoSuchGroup extends Error {}
/** The tenant has as many groups with roles as it may have. */
export class TooManyGroups extends Error {}

export interface GroupRoles {
  /**
   * Gives a role to everybody who is in a group, directly or through others, and whoever comes into it. The directory knows before it
   * counts that only who could give the role may add to the group.
   * @param managedBySources identity sources may, too
   * @throws NoSuchGroup, TooManyGroups, ServiceUnavailable
   */
  assign(
    tenant: string,
    groupId: string,
    role: Role,
    managedBySources: boolean,
    claim?: Claim,
  ): Promise<void>;
  /**
   * Takes a role from a group, and from who had it through the group all that was issued to them. False when the group didn't
   * have it.
   */
  remove(tenant: string, groupId: string, role: Role, claim?: Claim): Promise<boolean>;
  /** Tells the directory what a group gives now. @throws ServiceUnavailable */
  tell(tenant: string, groupId: string): Promise<void>;
}

export interface GroupRolesOptions {
  database: Pick<Database<unknown>, 'transaction'>;
  directory: DirectoryGroups;
  projection: Pick<RoleProjection, 'settle' | 'endFormer'>;
  revocations: Pick<RevocationFeed, 'publish'>;
  log: Logger;
}

const mostGroups = 200;
/** Milliseconds a change waits for what follows from it; the rest goes on without it. */
const longestWait = 2_000;

export function createGroupRoles(o: GroupRolesOptions): GroupRoles {
  async function tell(tenant: string, groupId: string): Promise<void> {
    await o.database.transaction(async (tx) => {
      await lockPrivilegedGroup(tx, tenant, groupId);
      const privilege = privilegeOf(await rolesOfGroups(tx, tenant, [groupId]));
      const version = await nextPrivilegeVersion(tx);
      // A group that isn't there any more gives nothing: that comes out when its members are asked for.
      if (!(await o.directory.tell(tenant, groupId, { ...privilege, version }))) {
        await addMembershipCheck(tx, tenant, undefined);
      }
      await notePrivilegeTold(tx, tenant, groupId);
    });
  }

  /** What is left to do is noted already: when it doesn't work now, the job does it. */
  async function follow(tenant: string, groupId: string): Promise<void> {
    const work = Promise.all([o.projection.settle(tenant), tell(tenant, groupId)]).catch((error) =>
      o.log.warn({ tenant, group: groupId, err: error }, 'the roles of a group take effect later'),
    );
    const timer = Promise.withResolvers<void>();
    const waiting = setTimeout(timer.resolve, longestWait);
    await Promise.race([work, timer.promise]);
    clearTimeout(waiting);
  }

  return {
    tell,
    async assign(tenant, groupId, role, managedBySources, claim) {
      // Whatever fails from here on: the directory will be told how things are.
      await o.database.transaction((tx) => lockPrivilegedGroup(tx, tenant, groupId));
      await o.database.transaction(async (tx) => {
        await lockPrivilegedGroup(tx, tenant, groupId);
        await claim?.(tx, tenant, groupId);
        const before = await rolesOfGroups(tx, tenant, [groupId]);
        if (before.length === 0 && (await countGroupsWithRoles(tx, tenant)) >= mostGroups)
          throw new TooManyGroups();
        // First the directory, and as strictly as can be, so that nobody slips in between the two.
        const { scopes } = privilegeOf([...before, { role, managedBySources: false }]);
        const version = await nextPrivilegeVersion(tx);
        if (!(await o.directory.tell(tenant, groupId, { scopes, managedBySources: false, version })))
          throw new NoSuchGroup();
        if (!(await assignGroupRole(tx, tenant, { groupId, role, managedBySources }))) return;
        await addMembershipCheck(tx, tenant, undefined);
        const had = before.find((row) => row.role === role);
        await record(tx, tenant, {
          ...roleEvent('group.role_assigned', groupId),
          changes: {
            role: had ? { before: role, after: role } : { after: role },
            managedBySources: { ...(had && { before: had.managedBySources }), after: managedBySources },
          },
        });
      });
      await follow(tenant, groupId);
    },
    async remove(tenant, groupId, role, claim) {
      const revocations = await o.database.transaction(async (tx): Promise<Revocation[] | undefined> => {
        const roles = await rolesOfGroups(tx, tenant, [groupId]);
        if (!roles.some((row) => row.role === role)) return undefined;
        await lockPrivilegedGroup(tx, tenant, groupId);
        await claim?.(tx, tenant, groupId);
        await forget(tx, tenant, groupId, role);
        // As many as one transaction can hold; the others right after it.
        return (await o.projection.endFormer(tx, tenant)).revocations;
      });
      if (!revocations) return false;
      await o.revocations.publish(revocations);
      await follow(tenant, groupId);
      return true;
    },
  };
}

/** Takes every role from groups that are gone, in the caller's transaction. */
export async function forgetGroups(tx: Sql, tenant: string, groupIds: readonly string[]): Promise<void> {
  for (const groupId of groupIds.toSorted()) {
    await lockPrivilegedGroup(tx, tenant, groupId);
    await forget(tx, tenant, groupId);
  }
}

/** The caller holds the group's lock. The note about everybody is what remains of it when this process ends now. */
async function forget(tx: Sql, tenant: string, groupId: string, role?: Role): Promise<void> {
  const gone = await removeGroupRoles(tx, tenant, groupId, role);
  for (const name of gone) {
    await record(tx, tenant, {
      ...roleEvent('group.role_removed', groupId),
      changes: { role: { before: name } },
    });
  }
  if (gone.length > 0) await addMembershipCheck(tx, tenant, undefined);
}

/** What whoever adds to a group with these roles must have. */
function privilegeOf(roles: readonly Pick<GroupRoleRow, 'role' | 'managedBySources'>[]): {
  scopes: string[];
  managedBySources: boolean;
} {
  return {
    scopes: [...new Set(roles.flatMap(({ role }) => (isRole(role) ? scopesToGive(role) : ['roles:write'])))],
    managedBySources: roles.every(({ managedBySources }) => managedBySources),
  };
}

const roleEvent = (
  action: 'group.role_assigned' | 'group.role_removed',
  groupId: string,
): NewSecurityEvent => ({ action, resourceType: 'Group', resourceId: groupId });
