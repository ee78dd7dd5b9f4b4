import { type Database, type Sql, sqlState, type Transaction } from '@ostiary/database';
import {
  type NewEvent,
  type Outbox,
  type OwnersWord,
  ownersWords,
  type UndeliveredEvents,
  undeliveredEvents,
} from '@ostiary/events';
import { AuditLog, type NewAuditEntry, pruneAudit } from '../audit/data/audit-log.ts';
import type { PrismaClient } from '../database/generated/client.ts';
import { isJoined, joiningTransactions } from '../database/joined-transactions.ts';
import { GroupNames, rekeyGroupNames } from '../groups/data/group-names.ts';
import { Memberships } from '../groups/data/memberships.ts';
import {
  encodeDates,
  IdempotencyKeys,
  type KeyOutcome,
  type KeyUse,
} from '../idempotency/data/idempotency.ts';
import { ProtectedAccountsCheck } from '../protection/data/protected-accounts.ts';
import { DeletedResources, expiredResources } from '../recycling/data/deleted-resources.ts';
import { ResourceTable } from '../resources/data/resource-table.ts';
import type { Derived, ResourceType, StoredResource } from '../resources/data/rows.ts';
import { pendingRemovals, Removals } from '../resources/data/schema-removals.ts';
import { EffectiveMembers } from '../roles/data/effective-members.ts';
import { PrivilegedGroups } from '../roles/data/privileged-groups.ts';
import { RoleHolders } from '../roles/data/role-holders.ts';
import { Search } from '../search/data/search.ts';
import { searchTimes } from '../search/data/search-time.ts';
import { noteDailyTotals, Statistics } from '../statistics/data/statistics.ts';
import { type Tenant, TenantRow, Tenants } from '../tenants/data/tenants.ts';
import { countTwins, rekeyUserNames, SharedUserNames } from '../users/data/user-names.ts';
import { type UserWithGroups, usersWithGroups } from '../users/data/users-with-groups.ts';
import { VouchedEmailHolders } from '../users/data/vouched-emails.ts';

/** What a tenant has, for reading. */
export interface TenantTables {
  users: ResourceTable;
  groups: ResourceTable;
  memberships: Memberships;
  search: Search;
  audit: AuditLog;
  deleted: DeletedResources;
  protectedAccounts: ProtectedAccountsCheck;
  /** Who has a role. */
  roleHolders: RoleHolders;
  /** Who is in groups, at any distance. */
  effective: EffectiveMembers;
}

/** What a tenant has, inside a transaction. */
export interface TenantChange extends TenantTables {
  /** The tenant itself. */
  settings: TenantRow;
  privileges: PrivilegedGroups;
  groupNames: GroupNames;
  removals: Removals;
  /** Notes what happened; audit entries and events are written just before the commit, in one statement. */
  record(entry: NewAuditEntry, event: NewEvent): void;
}

/** One tenant's data: the only way to users, groups, memberships and the audit log. */
export interface TenantStore extends TenantTables {
  readonly tenant: string;
  /** A user and their groups, in one statement. @param id canonical UUID */
  userWithGroups(id: string): Promise<UserWithGroups | undefined>;
  /** Who has the user name of somebody else, from before names were compared as they are now. */
  readonly sharedUserNames: SharedUserNames;
  /** Which groups have a name that others have too. */
  readonly groupNames: GroupNames;
  /** For whose addresses identity sources stand. */
  readonly vouchedEmailHolders: VouchedEmailHolders;
  /**
   * Writes one resource, and what is recorded about it, in one statement, which is a transaction of its own.
   * @returns false, and nothing is written, when the resource isn't at the version that is replaced
   */
  write(write: ResourceWrite): Promise<boolean>;
  /** Runs `work` in one transaction; it may run again after a deadlock. */
  change<T>(work: (tables: TenantChange) => Promise<T>): Promise<T>;
}

/** A new resource, or a new state of one, and what there is to say about it. */
export interface ResourceWrite {
  type: ResourceType;
  resource: StoredResource;
  derived: Derived;
  /** The version whose place it takes; a new resource when there is none. */
  replaces?: number;
  entry: NewAuditEntry;
  event: NewEvent;
}

export interface Store {
  readonly tenants: Tenants;
  readonly statistics: Statistics;
  of(tenant: string): TenantStore;
  /** Events that close doors and that the consumer hasn't confirmed, after the one with that id: a page. */
  undelivered(consumer: string, after?: string): Promise<UndeliveredEvents>;
  /** Those of the events that were made here, with how it stands with whom they are about. */
  confirmed(eventIds: readonly string[]): Promise<OwnersWord[]>;
  /** Of all tenants: values that are to be taken out, and deleted resources whose time is over. */
  pendingRemovals(): Promise<{ tenant: string; id: string }[]>;
  expiredResources(now: Date): Promise<{ tenant: string; id: string; type: ResourceType }[]>;
  /** Makes keys of the names of users and groups anew, of all tenants. @returns how many people have a name that is somebody else's */
  rekeyNames(stopped: () => boolean): Promise<number>;
  /** What the idempotency key has led to; undefined when it is new. */
  outcomeOf(use: KeyUse, now: Date): Promise<KeyOutcome | undefined>;
  /**
   * Does work under an idempotency key, in one transaction with noting its outcome.
   * @returns undefined, and nothing is done, when somebody else has used the key meanwhile
   */
  once<T extends object>(use: KeyUse, now: Date, work: () => Promise<T>): Promise<T | undefined>;
  /** Forgets what is past its time, a bounded part of it. @returns how many rows went */
  prune(now: Date): Promise<number>;
  /** Notes today's beginning in the statistics: totals as of the end of yesterday (UTC). */
  noteTotals(now: Date): Promise<void>;
  /** Adds a tenant together with what is recorded about it. */
  createTenant(tenant: Tenant, entry: NewAuditEntry, event: NewEvent): Promise<void>;
}

export interface StoreOptions {
  database: Database<PrismaClient>;
  outbox: Outbox;
  /** How many resources one search may look at. */
  searchLimit?: number | undefined;
  /** How long one search may take, in ms. */
  searchTimeMs?: number | undefined;
}

export function createStore({ outbox, searchLimit, searchTimeMs, ...options }: StoreOptions): Store {
  const database = joiningTransactions(options.database);
  const tenants = new Tenants(database.prisma);
  const timeOf = searchTimes(database, searchTimeMs);
  const tablesOf = (sql: Sql, tenant: string): TenantTables => ({
    ...rowsOf(sql, tenant),
    // In a transaction of somebody's, a search is a part of it.
    search: new Search(sql, tenant, searchLimit, sql === database.sql ? timeOf(tenant) : undefined),
  });
  const userWithGroups = usersWithGroups(database.sql);

  /** The statement that writes audit entries and events, together with the change they are about. */
  const recording = (
    tenant: string,
    { entries, events }: Records,
    change?: { text: string; values: unknown[] },
  ) => {
    const values = change ? [...change.values] : [];
    const onlyIf = change ? { onlyIf: 'changed' } : {};
    const audit = new AuditLog(database.sql, tenant).clause(entries, {
      firstParameter: values.length + 1,
      ...onlyIf,
    });
    values.push(...audit.values);
    const told = outbox.clause(events, { firstParameter: values.length + 1, ...onlyIf });
    values.push(...told.values);
    const changed = change ? `changed AS (${change.text} RETURNING 1), ` : '';
    const result = change ? 'changed' : 'outbox_event';
    return { text: `WITH ${changed}${audit.text}, ${told.text} SELECT FROM ${result}`, values };
  };

  const record = async (tx: Transaction, tenant: string, records: Records) => {
    if (records.events.length === 0) return;
    const { text, values } = recording(tenant, records);
    await tx.query(text, values);
    outbox.announce(tx, records.events);
  };

  const write = async (tenant: string, { entry, event, ...write }: ResourceWrite): Promise<boolean> => {
    const { type, resource, derived, replaces } = write;
    const table = new ResourceTable(database.sql, tenant, type);
    const { text, values } = recording(
      tenant,
      { entries: [entry], events: [event] },
      replaces === undefined
        ? table.insertion(resource, derived)
        : table.replacement(resource, derived, replaces),
    );
    const transaction = () => database.transaction((tx) => tx.query(text, values));
    // The second way is for the rare statement that is the victim of a deadlock: a transaction is tried again.
    const alone = () =>
      database.sql.query(text, values).catch((error: unknown) => {
        if (sqlState(error) !== deadlock) throw error;
        return transaction();
      });
    const { rowCount } = await (isJoined() ? transaction() : alone());
    if (rowCount === 0) return false;
    outbox.announce(database, [event]);
    return true;
  };

  return {
    tenants,
    statistics: new Statistics(database.sql),
    pendingRemovals: () => pendingRemovals(database.sql),
    expiredResources: (now) => expiredResources(database.sql, now),
    async rekeyNames(stopped) {
      await rekeyUserNames(database.sql, stopped);
      await rekeyGroupNames(database.sql, stopped);
      return countTwins(database.sql);
    },
    of: (tenant) => ({
      tenant,
      ...tablesOf(database.sql, tenant),
      userWithGroups: (id) => userWithGroups(tenant, id),
      sharedUserNames: new SharedUserNames(database.sql, tenant),
      groupNames: new GroupNames(database.sql, tenant),
      vouchedEmailHolders: new VouchedEmailHolders(database.sql, tenant),
      write: (change) => write(tenant, change),
      change: (work) =>
        database.transaction(async (tx) => {
          const records: Records = { entries: [], events: [] };
          const result = await work({
            ...tablesOf(tx, tenant),
            settings: new TenantRow(tx, tenant),
            privileges: new PrivilegedGroups(tx, tenant),
            groupNames: new GroupNames(tx, tenant),
            removals: new Removals(tx, tenant),
            record(entry, event) {
              records.entries.push(entry);
              records.events.push(event);
            },
          });
          await record(tx, tenant, records);
          return result;
        }),
    }),
    outcomeOf: (use, now) => new IdempotencyKeys(database.sql).find(use, now),
    once: (use, now, work) =>
      database.within(async (tx) => {
        const keys = new IdempotencyKeys(tx);
        if (!(await keys.claim(use, now))) return undefined;
        const outcome = await work();
        await keys.keep(use, encodeDates(outcome));
        return outcome;
      }),
    async prune(now) {
      const keys = await new IdempotencyKeys(database.sql).prune(now);
      return keys + (await pruneAudit(database.sql, now));
    },
    undelivered: (consumer, after) => undelivered(database.sql, consumer, after),
    confirmed: (ids) => confirmed(database.sql, ids),
    noteTotals: (now) => noteDailyTotals(database.sql, dayBefore(now)),
    async createTenant(tenant, entry, event) {
      await database.transaction(async (tx) => {
        await tenants.insert(tx, tenant);
        await record(tx, tenant.id, { entries: [entry], events: [event] });
      });
    },
  };
}

const undelivered = undeliveredEvents('directory');

const confirmed = ownersWords(
  'directory',
  `CASE WHEN e.type LIKE 'user.%' THEN
          (SELECT u.active FROM directory.users u WHERE u.tenant = e.tenant AND u.id::text = e.subject)
        WHEN e.type LIKE 'tenant.%' THEN
          (SELECT t.status = 'active' FROM directory.tenants t WHERE t.id = e.subject)
        ELSE true END`,
);

/** YYYY-MM-DD (UTC). */
const dayBefore = (now: Date): string => new Date(now.getTime() - 86_400_000).toISOString().slice(0, 10);

interface Records {
  entries: NewAuditEntry[];
  events: NewEvent[];
}

/** SQLSTATE deadlock_detected. */
const deadlock = '40P01';

const rowsOf = (sql: Sql, tenant: string): Omit<TenantTables, 'search'> => ({
  users: new ResourceTable(sql, tenant, 'User'),
  groups: new ResourceTable(sql, tenant, 'Group'),
  memberships: new Memberships(sql, tenant),
  audit: new AuditLog(sql, tenant),
  deleted: new DeletedResources(sql, tenant),
  protectedAccounts: new ProtectedAccountsCheck(sql, tenant),
  roleHolders: new RoleHolders(sql, tenant),
  effective: new EffectiveMembers(sql, tenant),
});
