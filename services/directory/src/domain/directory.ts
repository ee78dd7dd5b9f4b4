import { coreRegistry, type SchemaRegistry } from '@ostiary/scim';
import type { AuditEntry, AuditFilter } from '../data/audit-log.ts';
import type { GroupOfUser, MemberOfGroup } from '../data/memberships.ts';
import type { ResourceType } from '../data/rows.ts';
import type { Store, TenantStore } from '../data/store.ts';
import { Groups } from './groups.ts';
import type { Resources } from './resources.ts';
import { TenantRegistry } from './tenants.ts';
import { Users } from './users.ts';

/** What can be done in one tenant. Nothing reachable from here knows of another. */
export interface TenantDirectory {
  readonly tenant: string;
  readonly users: Users;
  readonly groups: Groups;
  resources(type: ResourceType): Resources;
  /** Direct and indirect groups of many users, in one statement. */
  groupsOfUsers(userIds: readonly string[]): Promise<GroupOfUser[]>;
  /** A page of the members of each of many groups, in the order of their ids. */
  membersOf(groupIds: readonly string[], page: MemberPage): Promise<MemberOfGroup[]>;
  countMembers(groupIds: readonly string[]): Promise<Map<string, number>>;
  auditPage(filter: AuditFilter, page: { before?: string; limit: number }): Promise<AuditEntry[]>;
  countAudit(filter: AuditFilter): Promise<number>;
}

/** Which members of a group: those after an id, and how many. */
export interface MemberPage {
  after?: string;
  limit: number;
}

export interface Directory {
  readonly tenants: TenantRegistry;
  /** The handle of one tenant. @throws ScimError 404 when there is no such tenant */
  of(tenant: string): Promise<TenantDirectory>;
}

/** The rules of the directory over its data. */
export function createDirectory(store: Store, clock: () => number): Directory {
  const tenants = new TenantRegistry(store, clock);
  const registry = coreRegistry();
  return {
    tenants,
    async of(tenant) {
      await tenants.mustExist(tenant);
      return directoryOf(store.of(tenant), registry, clock);
    },
  };
}

function directoryOf(store: TenantStore, registry: SchemaRegistry, clock: () => number): TenantDirectory {
  const users = new Users({ store, registry, clock });
  const groups = new Groups({ store, registry, clock });
  return {
    tenant: store.tenant,
    users,
    groups,
    resources: (type) => (type === 'User' ? users : groups),
    groupsOfUsers: (userIds) => store.memberships.groupsOfUsers(userIds),
    membersOf: (groupIds, page) => store.memberships.membersOf(groupIds, page),
    countMembers: (groupIds) => store.memberships.countMembers(groupIds),
    auditPage: (filter, page) => store.audit.page(filter, page),
    countAudit: (filter) => store.audit.count(filter),
  };
}
