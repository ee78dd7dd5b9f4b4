import type { Database } from '@ostiary/database';
import type { Outbox, TenantPolicySettings } from '@ostiary/events';
import { pruneAudit } from '../audit/data/audit-log.ts';
import { type JoiningDatabase, joiningTransactions } from '../database/data/joined-transactions.ts';
import type { PrismaClient } from '../database/generated/client.ts';
import { PostgresEventDeliveries } from '../events/deliveries.data.ts';
import { rekeyGroupNames } from '../groups/data/group-names.ts';
import { Groups } from '../groups/domain/groups.ts';
import { Idempotency } from '../idempotency/domain/idempotency.ts';
import { IdempotencyKeys, pruneIdempotencyKeys } from '../idempotency/idempotency.data.ts';
import type { AcknowledgedChanges } from '../recovery/domain/acknowledged.ts';
import { expiredResources } from '../recycling/deleted-resources.data.ts';
import { Recycling } from '../recycling/domain/recycling.ts';
import { pendingRemovals } from '../resources/data/schema-removals.ts';
import { SchemaRemovals } from '../resources/domain/schema-removals.ts';
import { Privileges } from '../roles/domain/privileges.ts';
import { PostgresSchemaStore } from '../schemas/data/schemas.ts';
import { Registries } from '../schemas/domain/registries.ts';
import { Schemas } from '../schemas/domain/schemas.ts';
import { SchemasInUse } from '../schemas/domain/schemas-in-use.ts';
import { FrequentFilters } from '../search/data/frequent-filters.ts';
import { Search } from '../search/data/search.ts';
import { SearchTimes } from '../search/data/search-time.ts';
import { Searches } from '../search/domain/searches.ts';
import { Statistics } from '../statistics/statistics.data.ts';
import { TenantStatistics } from '../statistics/statistics.ts';
import type { ChangeOfTenant } from '../tenants/domain/tenant.ts';
import { TenantPolicies } from '../tenants/domain/tenant-policy.ts';
import { TenantRegistry } from '../tenants/domain/tenants.ts';
import { Tenants } from '../tenants/tenants.data.ts';
import { countTwins, rekeyUserNames } from '../users/data/user-names.ts';
import { usersWithGroups } from '../users/data/users-with-groups.ts';
import { Users } from '../users/domain/users.ts';
import { TenantTables, type TenantTablesOptions } from './tenant-tables.ts';

export interface DirectoryOptions {
  database: Database<PrismaClient>;
  outbox: Outbox;
  clock: () => number;
  /** Notified of every committed change. */
  acknowledged?: AcknowledgedChanges;
  /** Maximum number of resources that one search examines. */
  searchLimit?: number | undefined;
  /** The policy of tenants that have set none. */
  policyDefaults?: TenantPolicySettings | undefined;
}

/** The operations in one tenant. Nothing reachable from here has access to another tenant. */
export type TenantDirectory = Awaited<ReturnType<Directory['of']>>;

/** The operations on all tenants, and `of` for those in one. */
export class Directory {
  readonly tenants: TenantRegistry;
  /** The tenants' own settings. */
  readonly policies: TenantPolicies;
  readonly statistics: TenantStatistics;
  /** Changes that are requested with an idempotency key. */
  readonly idempotency: Idempotency;
  readonly deliveries: PostgresEventDeliveries;
  readonly #database: JoiningDatabase<PrismaClient>;
  readonly #tables: TenantTablesOptions;
  readonly #schemas: PostgresSchemaStore;
  readonly #registries: Registries;
  readonly #removals: SchemaRemovals;
  readonly #searchTimes: SearchTimes;
  readonly #frequentFilters = new FrequentFilters();
  readonly #searchLimit: number | undefined;
  readonly #clock: () => number;
  readonly #policyDefaults: TenantPolicySettings;

  constructor({ outbox, clock, acknowledged, searchLimit, policyDefaults = {}, ...o }: DirectoryOptions) {
    const database = joiningTransactions(o.database);
    const { sql, prisma, replica } = database;
    const change: ChangeOfTenant = (tenant, work) => this.#tablesOf(tenant).change(work);
    this.#database = database;
    this.#tables = { database, outbox, acknowledged, userWithGroups: usersWithGroups(sql) };
    this.#schemas = new PostgresSchemaStore(database);
    this.#registries = new Registries(this.#schemas, clock);
    this.#removals = new SchemaRemovals(
      { pending: () => pendingRemovals(sql), change: (tenant, work) => this.#tablesOf(tenant).change(work) },
      this.#registries,
    );
    this.#searchTimes = new SearchTimes(database);
    this.#searchLimit = searchLimit;
    this.#clock = clock;
    this.#policyDefaults = policyDefaults;
    this.tenants = new TenantRegistry(new Tenants(prisma), change, clock);
    this.policies = new TenantPolicies(change, clock, policyDefaults);
    this.statistics = new TenantStatistics(new Statistics(sql, replica), clock);
    this.idempotency = new Idempotency(new IdempotencyKeys(database), clock);
    this.deliveries = new PostgresEventDeliveries(sql);
  }

  /** Returns the operations in one tenant, for one request. @throws ScimError 404 when there is no such tenant */
  async of(tenant: string) {
    await this.tenants.mustExist(tenant);
    const registries = this.#registries;
    const store = this.#tablesOf(tenant);
    const time = this.#searchTimes.of(tenant);
    const search = new Search(this.#database.sql, tenant, this.#searchLimit, time, this.#frequentFilters);
    const options = {
      store,
      schemas: new SchemasInUse(await registries.of(tenant), () => registries.latest(tenant)),
      search: new Searches(search),
      clock: this.#clock,
      policyDefaults: this.#policyDefaults,
    };
    return {
      tenant,
      users: new Users(options),
      groups: new Groups(options),
      /** The extension schemas that the tenant has defined. */
      schemas: new Schemas(tenant, {
        store: this.#schemas,
        registries,
        clock: this.#clock,
        onRemoval: (tenant) => this.#removals.begin(tenant),
      }),
      /** The schemas in use, including those of RFC 7643, for the lifetime of this object. */
      schemasInUse: options.schemas,
      /** Groups that grant rights. */
      privileges: new Privileges(store),
      /** Deleted resources that can be restored. */
      recycling: new Recycling(options),
      memberships: store.memberships,
      audit: store.audit,
      /** Groups that share their name with another one. */
      groupNames: store.groupNames,
      /** Users who share their user name with another one. */
      sharedUserNames: store.sharedUserNames,
    };
  }

  /** Listens for changes of other processes. @returns the function that stops it */
  listen(): Promise<() => Promise<void>> {
    return this.#registries.listen();
  }

  /**
   * Runs the periodic tasks of all tenants until it is stopped. Several processes may run them concurrently.
   * @returns the number of users, in all tenants, who share their user name
   */
  async maintain(stopped: () => boolean = () => false): Promise<number> {
    const { sql } = this.#database;
    const now = () => new Date(this.#clock());
    // Names that an earlier release wrote.
    await rekeyUserNames(sql, stopped);
    await rekeyGroupNames(sql, stopped);
    const sharedUserNames = await countTwins(sql);
    await this.#removals.finish(stopped);
    await this.statistics.noteYesterday();
    if (!stopped()) {
      await pruneIdempotencyKeys(sql, now());
      await pruneAudit(sql, now());
    }
    for (;;) {
      const expired = stopped() ? [] : await expiredResources(sql, now());
      for (const { tenant, id, type } of expired) {
        if (!stopped()) await (await this.of(tenant)).recycling.purgeExpired(type, id);
      }
      if (expired.length === 0) return sharedUserNames;
    }
  }

  #tablesOf(tenant: string): TenantTables {
    return new TenantTables(tenant, this.#tables);
  }
}
