import type { IdPage } from '@ostiary/database';
import type { OwnersWord, TenantPolicySettings, UndeliveredEvents } from '@ostiary/events';
import { ScimError } from '@ostiary/scim';
import { isUuid } from '@ostiary/service';
import type { AuditEntry, AuditFilter, Counted } from '../audit/data/audit-log.ts';
import type { GroupNames } from '../groups/data/group-names.ts';
import type { GroupsPage, MemberOfGroup, PlacedGroup } from '../groups/data/memberships.ts';
import { Groups } from '../groups/domain/groups.ts';
import { Idempotency } from '../idempotency/domain/idempotency.ts';
import { Recycling } from '../recycling/domain/recycling.ts';
import type { ResourceType } from '../resources/data/rows.ts';
import type { Resources, ResourcesOptions } from '../resources/domain/resources.ts';
import { SchemaRemovals } from '../resources/domain/schema-removals.ts';
import { Privileges } from '../roles/domain/privileges.ts';
import type { SchemaStore } from '../schemas/data/schemas.ts';
import { Registries } from '../schemas/domain/registries.ts';
import { Schemas } from '../schemas/domain/schemas.ts';
import { SchemasInUse } from '../schemas/domain/schemas-in-use.ts';
import { TenantStatistics } from '../statistics/domain/statistics.ts';
import { TenantPolicies } from '../tenants/domain/tenant-policy.ts';
import { TenantRegistry } from '../tenants/domain/tenants.ts';
import type { SharedUserNames } from '../users/data/user-names.ts';
import { Users } from '../users/domain/users.ts';
import type { Store, TenantStore } from './store.ts';

/** What can be done in one tenant. Nothing reachable from here knows of another. */
export interface TenantDirectory {
  readonly tenant: string;
  readonly users: Users;
  readonly groups: Groups;
  /** The extension schemas the tenant has defined. */
  readonly schemas: Schemas;
  /** What is defined for its resources, the RFC's own schemas included, while this handle is used. */
  readonly schemasInUse: SchemasInUse;
  /** Groups that give rights. */
  readonly privileges: Privileges;
  /** What was deleted and can be restored. */
  readonly recycling: Recycling;
  /** Groups that share their name with another one. */
  readonly groupNames: Pick<GroupNames, 'page' | 'count'>;
  /** People who share their user name with somebody. */
  readonly sharedUserNames: SharedUserNames;
  resources(type: ResourceType): Resources;
  /** A page of the direct and indirect groups of each of many users, in the order of their names, in one statement. */
  groupsOf(userIds: readonly string[], page: GroupsPage): Promise<PlacedGroup[]>;
  /** A page of the members of each of many groups, in the order of their ids. */
  membersOf(groupIds: readonly string[], page: IdPage): Promise<MemberOfGroup[]>;
  countMembers(groupIds: readonly string[]): Promise<Map<string, number>>;
  auditPage(filter: AuditFilter, page: IdPage): Promise<AuditEntry[]>;
  countAudit(filter: AuditFilter): Promise<Counted>;
  /** Entries of the audit log, those of the ids that there are. */
  auditEntries(ids: readonly string[]): Promise<AuditEntry[]>;
}

export interface Directory {
  readonly tenants: TenantRegistry;
  /** What tenants set for themselves. */
  readonly policies: TenantPolicies;
  readonly statistics: TenantStatistics;
  /** The handle of one tenant, for one request. @throws ScimError 404 when there is no such tenant */
  of(tenant: string): Promise<TenantDirectory>;
  /** Begins to hear of changes that other processes make; resolves to the function that ends it. */
  listen(): Promise<() => Promise<void>>;
  /** Events that close doors and that the consumer hasn't confirmed, after the one with that id: a page. */
  undelivered(consumer: string, after?: string): Promise<UndeliveredEvents>;
  /** Those of the events that were made here, with how it stands with whom they are about. */
  confirmed(eventIds: readonly string[]): Promise<OwnersWord[]>;
  /** Changes that are asked for under an idempotency key. */
  readonly idempotency: Idempotency;
  /**
   * Does what nobody waits for: makes keys of user names anew that an earlier release made, takes out what is no longer
   * defined, purges what nobody restored in time.
   */
  tidy(stopped?: () => boolean): Promise<Tidied>;
}

export interface Tidied {
  /** People, in all tenants, whose user name is also somebody else's. */
  sharedUserNames: number;
}

/** The rules of the directory over its data. */
export function createDirectory(
  store: Store,
  schemaStore: SchemaStore,
  clock: () => number,
  policyDefaults: TenantPolicySettings = {},
): Directory {
  const tenants = new TenantRegistry(store, clock);
  const registries = new Registries(schemaStore, clock);
  const removals = new SchemaRemovals(store, registries);
  const onRemoval = (tenant: string): Promise<void> => removals.begin(tenant);
  const of = async (tenant: string): Promise<TenantDirectory> => {
    const schemas = new Schemas(tenant, { store: schemaStore, registries, clock, onRemoval });
    const inUse = new SchemasInUse(await registries.of(tenant), () => registries.latest(tenant));
    return directoryOf(store.of(tenant), schemas, inUse, { clock, policyDefaults });
  };
  return {
    tenants,
    policies: new TenantPolicies(store, clock, policyDefaults),
    statistics: new TenantStatistics(store.statistics, clock),
    idempotency: new Idempotency(store, clock),
    async of(tenant) {
      await tenants.mustExist(tenant);
      return of(tenant);
    },
    listen: () => registries.listen(),
    undelivered: (consumer, after) => store.undelivered(consumer, after),
    confirmed: (ids) => store.confirmed(ids),
    async tidy(stopped = () => false) {
      const sharedUserNames = await store.rekeyNames(stopped);
      await removals.finish(stopped);
      await store.noteTotals(new Date(clock()));
      if (!stopped()) await store.prune(new Date(clock()));
      for (;;) {
        const expired = stopped() ? [] : await store.expiredResources(new Date(clock()));
        for (const { tenant, id, type } of expired) {
          if (!stopped()) await purgeExpired((await of(tenant)).recycling, type, id);
        }
        if (expired.length === 0) return { sharedUserNames };
      }
    },
  };
}

/** Several processes may purge at once: what is no longer there, another one has purged, or somebody restored. */
async function purgeExpired(recycling: Recycling, type: ResourceType, id: string): Promise<void> {
  try {
    await recycling.purge({ type, id, actor: { kind: 'system', id: 'directory' } });
  } catch (error) {
    if (!(error instanceof ScimError) || error.status !== 404) throw error;
  }
}

function directoryOf(
  store: TenantStore,
  schemas: Schemas,
  schemasInUse: SchemasInUse,
  settings: Pick<ResourcesOptions, 'clock' | 'policyDefaults'>,
): TenantDirectory {
  const options = { store, schemas: schemasInUse, ...settings };
  const users = new Users(options);
  const groups = new Groups(options);
  return {
    tenant: store.tenant,
    users,
    groups,
    schemas,
    schemasInUse,
    privileges: new Privileges(store),
    recycling: new Recycling(options),
    sharedUserNames: store.sharedUserNames,
    groupNames: store.groupNames,
    resources: (type) => (type === 'User' ? users : groups),
    groupsOf: (userIds, page) => store.memberships.pageOfGroups(userIds, page),
    membersOf: (groupIds, page) => store.memberships.membersOf(groupIds, page),
    countMembers: (groupIds) => store.memberships.countMembers(groupIds),
    auditPage: (filter, page) => store.audit.page(filter, page),
    countAudit: (filter) => store.audit.count(filter),
    auditEntries: async (ids) => {
      const possible = ids.filter(isUuid);
      return possible.length === 0 ? [] : store.audit.findMany(possible);
    },
  };
}
