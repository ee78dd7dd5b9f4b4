import type { Connected, Transaction } from '@ostiary/database';
import type { NewEvent, Outbox } from '@ostiary/events';
import { uuidv7 } from '@ostiary/service';
import { AuditLog } from '../audit/data/audit-log.ts';
import { type Records, recordChanges } from '../audit/data/change-records.ts';
import type { ChangeRecorder, NewAuditEntry } from '../audit/domain/audit-log.ts';
import { isJoined, type JoiningDatabase } from '../database/data/joined-transactions.ts';
import type { PrismaClient } from '../database/generated/client.ts';
import { GroupNames } from '../groups/data/group-names.ts';
import { Memberships } from '../groups/data/memberships.ts';
import { asGroupError } from '../groups/data/violations.ts';
import { PostgresProtectedAccounts } from '../protection/protected-accounts.data.ts';
import type { AcknowledgedChanges } from '../recovery/domain/acknowledged.ts';
import { DeletedResources } from '../recycling/deleted-resources.data.ts';
import { ResourceTable } from '../resources/data/resource-table.ts';
import { writeResource } from '../resources/data/resource-writes.ts';
import { PostgresSchemaRemovals } from '../resources/data/schema-removals.ts';
import { asTakenValue } from '../resources/data/violations.ts';
import type { ResourceWrite } from '../resources/domain/ports.ts';
import { EffectiveMembers } from '../roles/data/effective-members.ts';
import { PrivilegedGroups } from '../roles/data/privileged-groups.ts';
import { RoleHolders } from '../roles/data/role-holders.ts';
import { asOutdatedSchemas } from '../schemas/data/violations.ts';
import { TenantRow } from '../tenants/tenants.data.ts';
import { SharedUserNames } from '../users/data/user-names.ts';
import { asTakenByUser } from '../users/data/violations.ts';
import { VouchedEmailHolders } from '../users/data/vouched-emails.ts';
import type { UserStore, UserWithGroups } from '../users/domain/ports.ts';

export interface TenantTablesOptions {
  database: JoiningDatabase<PrismaClient>;
  outbox: Outbox;
  /** Notified of every committed change. */
  acknowledged?: AcknowledgedChanges | undefined;
  userWithGroups: (tenant: string, id: string) => Promise<UserWithGroups | undefined>;
}

/** The tables of one tenant that are read both inside and outside of transactions. */
class Tables {
  readonly users: ResourceTable;
  readonly groups: ResourceTable;
  readonly memberships: Memberships;
  readonly deleted: DeletedResources;
  readonly protectedAccounts: PostgresProtectedAccounts;
  readonly roleHolders: RoleHolders;
  readonly groupNames: GroupNames;

  constructor(sql: Connected<PrismaClient>, tenant: string) {
    this.users = new ResourceTable(sql, tenant, 'User');
    this.groups = new ResourceTable(sql, tenant, 'Group');
    this.memberships = new Memberships(sql, tenant);
    this.deleted = new DeletedResources(sql, tenant);
    this.protectedAccounts = new PostgresProtectedAccounts(sql, tenant);
    this.roleHolders = new RoleHolders(sql, tenant);
    this.groupNames = new GroupNames(sql, tenant);
  }
}

/** One tenant's tables inside a transaction, with the audit entries and events to be written before its commit. */
class TablesInTransaction extends Tables implements ChangeRecorder {
  /** The tenant itself. */
  readonly settings: TenantRow;
  readonly privileges: PrivilegedGroups;
  readonly removals: PostgresSchemaRemovals;
  readonly records: Records = { entries: [], events: [] };

  constructor(tx: Transaction<PrismaClient>, tenant: string) {
    super(tx, tenant);
    this.settings = new TenantRow(tx, tenant);
    this.privileges = new PrivilegedGroups(tx, tenant);
    this.removals = new PostgresSchemaRemovals(tx, tenant);
  }

  record(entry: NewAuditEntry, event: NewEvent): void {
    this.records.entries.push(entry);
    this.records.events.push(event);
  }
}

/** One tenant's tables: the only access to its users, groups, memberships and audit log. */
export class TenantTables extends Tables implements UserStore {
  readonly tenant: string;
  readonly audit: AuditLog;
  readonly effective: EffectiveMembers;
  readonly sharedUserNames: SharedUserNames;
  readonly vouchedEmailHolders: VouchedEmailHolders;
  readonly #options: TenantTablesOptions;

  constructor(tenant: string, options: TenantTablesOptions) {
    const { sql, replica } = options.database;
    super(sql, tenant);
    this.tenant = tenant;
    this.#options = options;
    this.audit = new AuditLog(sql, tenant, replica);
    this.effective = new EffectiveMembers(sql, tenant);
    this.sharedUserNames = new SharedUserNames(sql, tenant);
    this.vouchedEmailHolders = new VouchedEmailHolders(sql, tenant);
  }

  userWithGroups(id: string): Promise<UserWithGroups | undefined> {
    return this.#options.userWithGroups(this.tenant, id);
  }

  /**
   * Writes one resource with its audit entry and event in one statement, which is a transaction of its own.
   * @returns false, and nothing is written, when the resource is not at the expected version
   */
  async write(write: ResourceWrite): Promise<boolean> {
    const { database, outbox, acknowledged } = this.#options;
    const event = identified(write.event);
    const row = { ...write, event, tenant: this.tenant, outbox };
    const joined = () => database.transaction((tx) => writeResource.run(tx, row));
    const alone = () => writeResource.run(database.sql, row);
    const { rowCount } = await translated(isJoined() ? joined : alone);
    if (rowCount === 0) return false;
    outbox.announce(database, [event]);
    database.afterCommit(() => acknowledged?.note([event]));
    return true;
  }

  /**
   * Runs `work` in one transaction; it may run again after a deadlock. Audit entries and events are written just
   * before the commit, in one statement.
   */
  change<T>(work: (tables: TablesInTransaction) => Promise<T>): Promise<T> {
    return translated(() =>
      this.#options.database.transaction(async (tx) => {
        const tables = new TablesInTransaction(tx, this.tenant);
        const result = await work(tables);
        await this.#record(tx, tables.records);
        return result;
      }),
    );
  }

  async #record(tx: Transaction<PrismaClient>, records: Records): Promise<void> {
    if (records.events.length === 0) return;
    const { outbox, acknowledged } = this.#options;
    const events = records.events.map(identified);
    await recordChanges.run(tx, { outbox, tenant: this.tenant, records: { ...records, events } });
    outbox.announce(tx, events);
    tx.afterCommit(() => acknowledged?.note(events));
  }
}

/** Adds the id by which a later check finds the event, or detects its loss. */
const identified = (event: NewEvent) => ({ ...event, id: event.id ?? uuidv7() });

/** Runs a change and translates violations of the database into errors of the domain. */
async function translated<T>(change: () => Promise<T>): Promise<T> {
  try {
    return await change();
  } catch (error) {
    throw (
      asTakenByUser(error) ?? asGroupError(error) ?? asTakenValue(error) ?? asOutdatedSchemas(error) ?? error
    );
  }
}
