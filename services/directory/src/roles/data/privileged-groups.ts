import type { Sql } from '@ostiary/database';
import type { Privilege, PrivilegeStore } from '../domain/ports.ts';

/** Which groups of one tenant give rights, as the authorization server said. */
export class PrivilegedGroups implements PrivilegeStore {
  readonly #sql: Sql;
  readonly #tenant: string;

  constructor(sql: Sql, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /**
   * What a new member of one of these groups is given: the privileges of the groups themselves and of those they are in.
   * Until the transaction ends nothing becomes privileged: a group that is about to be either counts already, or waits
   * until the members that were put into it before can be seen.
   */
  async givenBy(groupIds: readonly string[]): Promise<Privilege[]> {
    await this.#sql.query(`SELECT pg_advisory_xact_lock_shared(${lockKey})`, [this.#tenant]);
    const { rows } = await this.#sql.query<Privilege>(
      `WITH RECURSIVE above(id) AS (
         SELECT id FROM unnest($2::uuid[]) AS id
         UNION
         SELECT m.group_id FROM above JOIN directory.group_memberships m ON m.tenant = $1 AND m.member_id = above.id
       )
       SELECT p.group_id AS "groupId", p.scopes, p.managed_by_sources AS "managedBySources"
       FROM above JOIN directory.privileged_groups p ON p.tenant = $1 AND p.group_id = above.id
       WHERE cardinality(p.scopes) > 0`,
      [this.#tenant, groupIds],
    );
    return rows;
  }

  /** What identity sources can give by adding to groups that they may manage, in scopes. */
  async givenBySources(): Promise<string[]> {
    const { rows } = await this.#sql.query<{ scope: string }>(
      `SELECT DISTINCT unnest(scopes) AS scope FROM directory.privileged_groups
       WHERE tenant = $1 AND managed_by_sources ORDER BY scope`,
      [this.#tenant],
    );
    return rows.map(({ scope }) => scope);
  }

  /** Notes what a group gives, unless something newer is known. In a transaction of its own. */
  async set({ groupId, scopes, managedBySources }: Privilege, version: number): Promise<void> {
    await this.#sql.query(`SELECT pg_advisory_xact_lock(${lockKey})`, [this.#tenant]);
    await this.#sql.query(
      `INSERT INTO directory.privileged_groups AS p (tenant, group_id, scopes, managed_by_sources, version)
       VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (tenant, group_id) DO UPDATE SET scopes = excluded.scopes,
         managed_by_sources = excluded.managed_by_sources, version = excluded.version
       WHERE p.version < excluded.version`,
      [this.#tenant, groupId, scopes, managedBySources, version],
    );
  }
}

const lockKey = `hashtextextended('directory.privileges:' || $1, 0)`;
