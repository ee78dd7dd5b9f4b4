import type { Database } from '@ostiary/database';
import type { NewEvent, Outbox } from '@ostiary/events';
import { pruneAudit } from '../audit/data/audit-log.ts';
import type { NewAuditEntry } from '../audit/domain/audit-log.ts';
import { type JoiningDatabase, joiningTransactions } from '../database/data/joined-transactions.ts';
import type { PrismaClient } from '../database/generated/client.ts';
import { PostgresEventDeliveries } from '../events/deliveries.data.ts';
import { rekeyGroupNames } from '../groups/data/group-names.ts';
import type { IdempotencyStore, KeyOutcome, KeyUse } from '../idempotency/domain/idempotency.ts';
import { IdempotencyKeys } from '../idempotency/idempotency.data.ts';
import { expiredResources } from '../recycling/deleted-resources.data.ts';
import { pendingRemovals } from '../resources/data/schema-removals.ts';
import { PostgresSchemaStore } from '../schemas/data/schemas.ts';
import type { ResourceType } from '../schemas/domain/stored-schema.ts';
import { FrequentFilters } from '../search/data/frequent-filters.ts';
import { Search } from '../search/data/search.ts';
import { SearchTimes } from '../search/data/search-time.ts';
import { Statistics } from '../statistics/statistics.data.ts';
import type { AcknowledgedChanges } from '../takeover/domain/acknowledged.ts';
import type { Tenant } from '../tenants/domain/tenant.ts';
import { Tenants } from '../tenants/tenants.data.ts';
import { countTwins, rekeyUserNames } from '../users/data/user-names.ts';
import { usersWithGroups } from '../users/data/users-with-groups.ts';
import { TenantStore, type TenantStoreOptions } from './tenant-store.ts';

export interface DirectoryStoreOptions {
  database: Database<PrismaClient>;
  outbox: Outbox;
  /** Notified of every committed change. */
  acknowledged?: AcknowledgedChanges;
  /** Maximum number of resources that one search examines. */
  searchLimit?: number | undefined;
  /** Timeout of one search in milliseconds. */
  searchTimeMs?: number | undefined;
}

/** The data of all tenants. */
export class DirectoryStore implements IdempotencyStore {
  readonly tenants: Tenants;
  readonly statistics: Statistics;
  readonly schemas: PostgresSchemaStore;
  readonly deliveries: PostgresEventDeliveries;
  readonly #database: JoiningDatabase<PrismaClient>;
  readonly #ofTenants: TenantStoreOptions;
  readonly #searchLimit: number | undefined;
  readonly #searchTimes: SearchTimes;
  readonly #frequentFilters = new FrequentFilters();

  constructor({ outbox, acknowledged, searchLimit, searchTimeMs, ...options }: DirectoryStoreOptions) {
    const database = joiningTransactions(options.database);
    this.tenants = new Tenants(database.prisma);
    this.statistics = new Statistics(database.sql, database.replica);
    this.schemas = new PostgresSchemaStore(database);
    this.deliveries = new PostgresEventDeliveries(database.sql);
    this.#database = database;
    this.#ofTenants = { database, outbox, acknowledged, userWithGroups: usersWithGroups(database.sql) };
    this.#searchLimit = searchLimit;
    this.#searchTimes = new SearchTimes(database, searchTimeMs);
  }

  of(tenant: string): TenantStore {
    return new TenantStore(tenant, this.#ofTenants);
  }

  searchIn(tenant: string): Search {
    const time = this.#searchTimes.of(tenant);
    return new Search(this.#database.sql, tenant, this.#searchLimit, time, this.#frequentFilters);
  }

  /** Returns the schemas whose values are to be removed. */
  pendingRemovals(): Promise<{ tenant: string; id: string }[]> {
    return pendingRemovals(this.#database.sql);
  }

  /** Returns deleted resources that can no longer be restored. */
  expiredResources(now: Date): Promise<{ tenant: string; id: string; type: ResourceType }[]> {
    return expiredResources(this.#database.sql, now);
  }

  /** Computes missing or outdated name keys of users and groups. @returns the number of users who share a user name */
  async rekeyNames(stopped: () => boolean): Promise<number> {
    await rekeyUserNames(this.#database.sql, stopped);
    await rekeyGroupNames(this.#database.sql, stopped);
    return countTwins(this.#database.sql);
  }

  outcomeOf(use: KeyUse, now: Date): Promise<KeyOutcome | undefined> {
    return new IdempotencyKeys(this.#database.sql).find(use, now);
  }

  once<T extends object>(use: KeyUse, now: Date, work: () => Promise<T>): Promise<T | undefined> {
    return this.#database.within(async (tx) => {
      const keys = new IdempotencyKeys(tx);
      if (!(await keys.claim(use, now))) return undefined;
      const outcome = await work();
      await keys.keep(use, outcome);
      return outcome;
    });
  }

  /** Deletes a bounded number of expired rows. @returns the number of deleted rows */
  async prune(now: Date): Promise<number> {
    const keys = await new IdempotencyKeys(this.#database.sql).prune(now);
    return keys + (await pruneAudit(this.#database.sql, now));
  }

  /** Adds a tenant together with its audit entry and event. @throws NotUniqueValue when the id is taken */
  async createTenant(tenant: Tenant, entry: NewAuditEntry, event: NewEvent): Promise<void> {
    await this.#database.transaction(async (tx) => {
      await this.tenants.insert(tx, tenant);
      await this.of(tenant.id).record(tx, { entries: [entry], events: [event] });
    });
  }
}
