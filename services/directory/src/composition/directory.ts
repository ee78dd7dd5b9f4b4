import type { TenantPolicySettings } from '@ostiary/events';
import { type IdPage, isUuid } from '@ostiary/service';
import type { AuditEntry, AuditFilter, Counted } from '../audit/index.ts';
import {
  Groups,
  type GroupsPage,
  type MemberOfGroup,
  type PlacedGroup,
  type SharedGroupNames,
} from '../groups/index.ts';
import { Housekeeping } from '../housekeeping/index.ts';
import { Idempotency } from '../idempotency/index.ts';
import { Recycling } from '../recycling/index.ts';
import { type Resources, SchemaRemovals } from '../resources/index.ts';
import { Privileges } from '../roles/index.ts';
import { Registries, type ResourceType, Schemas, SchemasInUse } from '../schemas/index.ts';
import { Searches } from '../search/index.ts';
import { TenantStatistics } from '../statistics/index.ts';
import { TenantPolicies, TenantRegistry } from '../tenants/index.ts';
import { type SharedUserNames, Users } from '../users/index.ts';
import type { DirectoryStore } from './directory-store.ts';
import type { TenantStore } from './tenant-store.ts';

/** What can be done in one tenant. Nothing reachable from here knows of another. */
export class TenantDirectory {
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

  /** A page of the direct and indirect groups of each of many users, in the order of their names, in one statement. */
  groupsOf(userIds: readonly string[], page: GroupsPage): Promise<PlacedGroup[]> {
    return this.#store.memberships.pageOfGroups(userIds, page);
  }

  /** A page of the members of each of many groups, in the order of their ids. */
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

  /** Entries of the audit log, those of the ids that there are. */
  async auditEntries(ids: readonly string[]): Promise<AuditEntry[]> {
    const possible = ids.filter(isUuid);
    return possible.length === 0 ? [] : this.#store.audit.findMany(possible);
  }
}

/** The rules of the directory over its data. */
export class Directory {
  readonly tenants: TenantRegistry;
  /** What tenants set for themselves. */
  readonly policies: TenantPolicies;
  readonly statistics: TenantStatistics;
  /** Changes that are asked for under an idempotency key. */
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

  /** The handle of one tenant, for one request. @throws ScimError 404 when there is no such tenant */
  async of(tenant: string): Promise<TenantDirectory> {
    await this.tenants.mustExist(tenant);
    return this.#of(tenant);
  }

  /** Begins to listen for changes of other processes; resolves to the function that ends it. */
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
