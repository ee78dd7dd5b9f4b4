import type { TenantPolicySettings } from '@ostiary/events';
import { type IdPage, isUuid } from '@ostiary/service';
import type { AuditEntry, AuditFilter, Counted } from '../audit/domain/audit-log.ts';
import type { SharedGroupNames } from '../groups/domain/group-names.ts';
import { Groups } from '../groups/domain/groups.ts';
import type { GroupsPage, MemberOfGroup, PlacedGroup } from '../groups/domain/memberships.ts';
import { Housekeeping } from '../housekeeping/housekeeping.ts';
import { Idempotency } from '../idempotency/domain/idempotency.ts';
import { Recycling } from '../recycling/domain/recycling.ts';
import type { Resources } from '../resources/domain/resources.ts';
import { SchemaRemovals } from '../resources/domain/schema-removals.ts';
import { Privileges } from '../roles/domain/privileges.ts';
import { Registries } from '../schemas/domain/registries.ts';
import { Schemas } from '../schemas/domain/schemas.ts';
import { SchemasInUse } from '../schemas/domain/schemas-in-use.ts';
import type { ResourceType } from '../schemas/domain/stored-schema.ts';
import { Searches } from '../search/domain/searches.ts';
import { TenantStatistics } from '../statistics/statistics.ts';
import { TenantPolicies } from '../tenants/domain/tenant-policy.ts';
import { TenantRegistry } from '../tenants/domain/tenants.ts';
import type { SharedUserNames } from '../users/domain/ports.ts';
import { Users } from '../users/domain/users.ts';
import type { DirectoryStore } from './directory-store.ts';
import type { TenantStore } from './tenant-store.ts';

/** The operations in one tenant. Nothing reachable from here has access to another tenant. */
export class TenantDirectory {
  readonly tenant: string;
  readonly users: Users;
  readonly groups: Groups;
  /** The extension schemas that the tenant has defined. */
  readonly schemas: Schemas;
  /** The schemas in use, including those of RFC 7643, for the lifetime of this handle. */
  readonly schemasInUse: SchemasInUse;
  /** Groups that grant rights. */
  readonly privileges: Privileges;
  /** Deleted resources that can be restored. */
  readonly recycling: Recycling;
  /** Groups that share their name with another one. */
  readonly groupNames: SharedGroupNames;
  /** Users who share their user name with another one. */
  readonly sharedUserNames: SharedUserNames;
  readonly #store: TenantStore;

  constructor(
    store: TenantStore,
    schemas: Schemas,
    options: {
      schemas: SchemasInUse;
      search: Searches;
      clock: () => number;
      policyDefaults: TenantPolicySettings;
    },
  ) {
    this.tenant = store.tenant;
    this.users = new Users({ store, ...options });
    this.groups = new Groups({ store, ...options });
    this.schemas = schemas;
    this.schemasInUse = options.schemas;
    this.privileges = new Privileges(store);
    this.recycling = new Recycling({ store, ...options });
    this.groupNames = store.groupNames;
    this.sharedUserNames = store.sharedUserNames;
    this.#store = store;
  }

  resources(type: ResourceType): Resources {
    return type === 'User' ? this.users : this.groups;
  }

  /** Returns a page of the direct and indirect groups of each user, in the order of their names, in one statement. */
  groupsOf(userIds: readonly string[], page: GroupsPage): Promise<PlacedGroup[]> {
    return this.#store.memberships.pageOfGroups(userIds, page);
  }

  /** Returns a page of the members of each group, in the order of their ids. */
  membersOf(groupIds: readonly string[], page: IdPage): Promise<MemberOfGroup[]> {
    return this.#store.memberships.membersOf(groupIds, page);
  }

  countMembers(groupIds: readonly string[]): Promise<Map<string, number>> {
    return this.#store.memberships.countMembers(groupIds);
  }

  auditPage(filter: AuditFilter, page: IdPage): Promise<AuditEntry[]> {
    return this.#store.audit.page(filter, page);
  }

  countAudit(filter: AuditFilter): Promise<Counted> {
    return this.#store.audit.count(filter);
  }

  /** Returns the existing audit entries of these ids. */
  async auditEntries(ids: readonly string[]): Promise<AuditEntry[]> {
    const possible = ids.filter(isUuid);
    return possible.length === 0 ? [] : this.#store.audit.findMany(possible);
  }
}

/** The rules of the directory over its data. */
export class Directory {
  readonly tenants: TenantRegistry;
  /** The tenants' own settings. */
  readonly policies: TenantPolicies;
  readonly statistics: TenantStatistics;
  /** Changes that are requested with an idempotency key. */
  readonly idempotency: Idempotency;
  readonly housekeeping: Housekeeping;
  readonly #store: DirectoryStore;
  readonly #registries: Registries;
  readonly #removals: SchemaRemovals;
  readonly #clock: () => number;
  readonly #policyDefaults: TenantPolicySettings;

  constructor(store: DirectoryStore, clock: () => number, policyDefaults: TenantPolicySettings = {}) {
    this.#store = store;
    this.#clock = clock;
    this.#policyDefaults = policyDefaults;
    this.#registries = new Registries(store.schemas, clock);
    this.#removals = new SchemaRemovals(store, this.#registries);
    this.tenants = new TenantRegistry(store, clock);
    this.policies = new TenantPolicies(store, clock, policyDefaults);
    this.statistics = new TenantStatistics(store.statistics, clock);
    this.idempotency = new Idempotency(store, clock);
    this.housekeeping = this.#housekeeping();
  }

  /** Returns the handle of one tenant, for one request. @throws ScimError 404 when there is no such tenant */
  async of(tenant: string): Promise<TenantDirectory> {
    await this.tenants.mustExist(tenant);
    return this.#of(tenant);
  }

  /** Listens for changes of other processes. @returns the function that stops it */
  listen(): Promise<() => Promise<void>> {
    return this.#registries.listen();
  }

  async #of(tenant: string): Promise<TenantDirectory> {
    const registries = this.#registries;
    const schemas = new Schemas(tenant, {
      store: this.#store.schemas,
      registries,
      clock: this.#clock,
      onRemoval: (tenant) => this.#removals.begin(tenant),
    });
    return new TenantDirectory(this.#store.of(tenant), schemas, {
      schemas: new SchemasInUse(await registries.of(tenant), () => registries.latest(tenant)),
      search: new Searches(this.#store.searchIn(tenant)),
      clock: this.#clock,
      policyDefaults: this.#policyDefaults,
    });
  }

  #housekeeping(): Housekeeping {
    const store = this.#store;
    return new Housekeeping(
      {
        rekeyNames: (stopped) => store.rekeyNames(stopped),
        finishRemovals: (stopped) => this.#removals.finish(stopped),
        noteTotals: () => this.statistics.noteYesterday(),
        prune: (now) => store.prune(now),
        expiredResources: (now) => store.expiredResources(now),
        purge: async (tenant, type, id) => (await this.#of(tenant)).recycling.purgeExpired(type, id),
      },
      this.#clock,
    );
  }
}
