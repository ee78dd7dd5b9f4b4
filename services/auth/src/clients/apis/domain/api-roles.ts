import type { Revocation } from '@ostiary/access';
import { type IdPage, isUuid, type Transaction, type Transactions } from '@ostiary/service';
import type { GroupRoles, RoleDirectory, RoleStore } from '../../../access/index.ts';
import { roleChange } from '../../../access/index.ts';
import type { Claim, SecurityLog } from '../../../platform/index.ts';
import {
  type ApiRoleName,
  apiRoleKey,
  type RevocationFeed,
  type SubjectStore,
} from '../../../tenancy/index.ts';
import type { ApiGrantEnds } from './api-grant-ends.ts';
import type { ApiStore } from './api-store.ts';

/** The tenant has no API with this role. */
export class NoSuchApiRole extends Error {}

interface ApiRolesOptions {
  database: Transactions;
  apiStore: ApiStore;
  roleStore: RoleStore;
  roleDirectory: RoleDirectory;
  groupRoles: GroupRoles;
  subjectStore: Pick<SubjectStore, 'hold'>;
  securityLog: SecurityLog;
  apiGrantEnds: ApiGrantEnds;
  revocations: RevocationFeed;
}

/** Roles of APIs that users and groups have. They are stored with the roles of the tenant. */
export class ApiRoles {
  readonly #o: ApiRolesOptions;

  constructor(o: ApiRolesOptions) {
    this.#o = o;
  }

  /** Assigns a role to a user; idempotent. @throws NoSuchApiRole */
  async assign(tenant: string, subjectId: string, name: ApiRoleName, claim?: Claim): Promise<void> {
    const { database, roleStore, securityLog, subjectStore } = this.#o;
    const role = apiRoleKey(name);
    await database.transaction(async (tx) => {
      await this.#hold(tx, tenant, name);
      await subjectStore.hold(tx, tenant, subjectId);
      await claim?.(tx, tenant, subjectId);
      if (!(await roleStore.assignRole(tx, tenant, subjectId, role))) return;
      await securityLog.record(tx, tenant, {
        action: 'user.role_assigned',
        ...ofUser(subjectId),
        changes: roleChange(role, ['after']),
      });
    });
  }

  /**
   * Removes a role from a user and revokes the grants for the API, unless the user still has the role through a group.
   */
  async remove(tenant: string, subjectId: string, name: ApiRoleName, claim?: Claim): Promise<void> {
    const { apiGrantEnds, database, revocations, roleStore, securityLog, subjectStore } = this.#o;
    const role = apiRoleKey(name);
    const ended = await database.transaction(async (tx): Promise<Revocation[]> => {
      // Serializes removals of the role from different sources, and grants that are opened with it.
      await subjectStore.hold(tx, tenant, subjectId);
      await claim?.(tx, tenant, subjectId);
      if (!(await roleStore.removeRole(tx, tenant, subjectId, role))) return [];
      await securityLog.record(tx, tenant, {
        action: 'user.role_removed',
        ...ofUser(subjectId),
        changes: roleChange(role, ['before']),
      });
      const remaining = (await roleStore.rolesOf(tx, tenant, [subjectId])).get(subjectId) ?? [];
      return remaining.includes(role) ? [] : apiGrantEnds.endIssued(tx, tenant, subjectId, [name.apiId]);
    });
    await revocations.publish(ended);
  }

  /**
   * Assigns a role to all current and future members of a group.
   * @throws NoSuchApiRole, NoSuchGroup, TooManyGroups, ServiceUnavailable
   */
  assignToGroup(
    tenant: string,
    groupId: string,
    name: ApiRoleName,
    o: { managedBySources: boolean; claim?: Claim | undefined },
  ): Promise<void> {
    return this.#o.groupRoles.assign(tenant, groupId, apiRoleKey(name), {
      ...o,
      holdRole: (tx) => this.#hold(tx, tenant, name),
    });
  }

  /**
   * Removes a role from a group and revokes the grants for the API of users who lose it. Returns false if the group did
   * not have it.
   */
  removeFromGroup(tenant: string, groupId: string, name: ApiRoleName, claim?: Claim): Promise<boolean> {
    return this.#o.groupRoles.remove(tenant, groupId, apiRoleKey(name), claim);
  }

  /** Returns a page of the users with a role, direct or through groups, in the order of ids. */
  holders(tenant: string, name: ApiRoleName, page: IdPage): Promise<{ id: string }[]> {
    return this.#o.roleDirectory.holders(tenant, apiRoleKey(name), page);
  }

  countHolders(tenant: string, name: ApiRoleName): Promise<number> {
    return this.#o.roleDirectory.countHolders(tenant, apiRoleKey(name));
  }

  /** Returns a page of the groups that have a role, in the order of ids. */
  groupsWith(tenant: string, name: ApiRoleName, page: IdPage): Promise<{ id: string }[]> {
    return this.#o.roleDirectory.groupsWith(tenant, apiRoleKey(name), page);
  }

  countGroupsWith(tenant: string, name: ApiRoleName): Promise<number> {
    return this.#o.roleDirectory.countGroupsWith(tenant, apiRoleKey(name));
  }

  /** Prevents that the role is removed from its API before the transaction ends. @throws NoSuchApiRole */
  async #hold(tx: Transaction, tenant: string, { apiId, role }: ApiRoleName): Promise<void> {
    if (!isUuid(apiId)) throw new NoSuchApiRole();
    await this.#o.apiStore.hold(tx, tenant, apiId);
    const api = await this.#o.apiStore.find(tx, tenant, apiId);
    if (!api?.roles.some(({ name }) => name === role)) throw new NoSuchApiRole();
  }
}

const ofUser = (subjectId: string) => ({ resourceType: 'User', resourceId: subjectId, subjectId }) as const;
