import type { Sql } from '@ostiary/database';
import type { RoleHolderStore } from '../domain/ports.ts';

/** The users of one tenant who have a role, directly or through groups, as far as changes of their identifiers are concerned. */
export class RoleHolders implements RoleHolderStore {
  readonly #sql: Sql;
  readonly #tenant: string;

  constructor(sql: Sql, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /** The scopes that giving this user all their roles needs; nothing when they have none. One statement. */
  async scopesOf(userId: string): Promise<string[]> {
    const { rows } = await this.#sql.query<{ scope: string }>(
      `WITH RECURSIVE reached(group_id) AS (
         SELECT group_id FROM directory.user_memberships WHERE tenant = $1 AND member_id = $2
         UNION
         SELECT m.group_id FROM reached
           JOIN directory.group_memberships m ON m.tenant = $1 AND m.member_id = reached.group_id
       )
       SELECT unnest(scopes) AS scope FROM directory.role_holders WHERE tenant = $1 AND user_id = $2
       UNION
       SELECT unnest(p.scopes) FROM reached
         JOIN directory.privileged_groups p ON p.tenant = $1 AND p.group_id = reached.group_id
       ORDER BY scope`,
      [this.#tenant, userId],
    );
    return rows.map(({ scope }) => scope);
  }

  /** Notes the scopes of a user's own roles, unless something newer is known. */
  async set(userId: string, scopes: readonly string[], version: number): Promise<void> {
    await this.#sql.query(
      `INSERT INTO directory.role_holders AS h (tenant, user_id, scopes, version) VALUES ($1, $2, $3, $4)
       ON CONFLICT (tenant, user_id) DO UPDATE SET scopes = excluded.scopes, version = excluded.version
       WHERE h.version < excluded.version`,
      [this.#tenant, userId, [...scopes], version],
    );
  }
}
