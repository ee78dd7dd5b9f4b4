import { type Connected, statement } from '@ostiary/database';
import type { PrismaClient } from '../../database/generated/client.ts';
import type { Privilege, PrivilegeStore, StoredPrivilege } from '../domain/ports.ts';

const lockKey = `hashtextextended('directory.privileges:' || $tenant, 0)`;

/** Prevents groups from becoming privileged until the transaction ends. */
const holdPrivileges = statement({
  name: 'roles.hold privileges',
  reason: 'atomic',
  text: `SELECT pg_advisory_xact_lock_shared(${lockKey})`,
  parameters: { tenant: 'text' },
  columns: { pg_advisory_xact_lock_shared: 'void' },
});

const lockPrivileges = statement({
  name: 'roles.lock privileges',
  reason: 'atomic',
  text: `SELECT pg_advisory_xact_lock(${lockKey})`,
  parameters: { tenant: 'text' },
  columns: { pg_advisory_xact_lock: 'void' },
});

const privilegesGiven = statement({
  name: 'roles.privileges given',
  reason: 'set',
  text: `WITH RECURSIVE above(id) AS (
           SELECT id FROM unnest($groupIds::uuid[]) AS id
           UNION
           SELECT m.group_id FROM above JOIN directory.group_memberships m ON m.tenant = $tenant AND m.member_id = above.id
         )
         SELECT p.group_id AS "groupId", p.scopes, p.managed_by_sources AS "managedBySources"
         FROM above JOIN directory.privileged_groups p ON p.tenant = $tenant AND p.group_id = above.id
         WHERE cardinality(p.scopes) > 0`,
  parameters: { tenant: 'text', groupIds: 'uuid[]' },
  columns: { groupId: 'uuid', scopes: 'text[]!', managedBySources: 'bool' },
});

const setPrivilege = statement({
  name: 'roles.set privilege',
  reason: 'atomic',
  text: `INSERT INTO directory.privileged_groups AS p (tenant, group_id, scopes, identifying_scopes, managed_by_sources, version)
         VALUES ($tenant, $groupId, $scopes, $identifyingScopes, $managedBySources, $version)
         ON CONFLICT (tenant, group_id) DO UPDATE SET scopes = excluded.scopes,
           identifying_scopes = excluded.identifying_scopes, managed_by_sources = excluded.managed_by_sources, version = excluded.version
         WHERE p.version < excluded.version`,
  parameters: {
    tenant: 'text',
    groupId: 'uuid',
    scopes: 'text[]',
    identifyingScopes: 'text[]',
    managedBySources: 'bool',
    version: 'int8',
  },
});

/** The groups of one tenant that grant rights, as the authorization server has set them. */
export class PrivilegedGroups implements PrivilegeStore {
  readonly #sql: Connected<PrismaClient>;
  readonly #tenant: string;

  constructor(sql: Connected<PrismaClient>, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /**
   * Returns the privileges that a new member of one of these groups gets: those of the groups and of the groups that
   * contain them. Until the transaction ends no group becomes privileged. A concurrent assignment either counts
   * already, or waits until the members added before are visible.
   */
  async givenBy(groupIds: readonly string[]): Promise<Privilege[]> {
    await holdPrivileges.run(this.#sql, { tenant: this.#tenant });
    return privilegesGiven.rows(this.#sql, { tenant: this.#tenant, groupIds });
  }

  /** Returns the scopes that identity sources can grant through the groups that they may manage. */
  async givenBySources(): Promise<string[]> {
    const prisma = await this.#sql.prisma();
    const groups = await prisma.privilegedGroup.findMany({
      where: { tenant: this.#tenant, managedBySources: true },
      select: { scopes: true },
    });
    return [...new Set(groups.flatMap(({ scopes }) => scopes))].sort();
  }

  /** Sets a group's privilege, unless a newer version is stored. Runs in a transaction of its own. */
  async set(privilege: StoredPrivilege, version: number): Promise<void> {
    await lockPrivileges.run(this.#sql, { tenant: this.#tenant });
    await setPrivilege.run(this.#sql, { tenant: this.#tenant, ...privilege, version });
  }
}
