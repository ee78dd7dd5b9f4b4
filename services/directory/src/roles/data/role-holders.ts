import { type Sql, statement } from '@ostiary/database';
import type { RoleHolderStore } from '../domain/ports.ts';

const scopesOfHolder = statement({
  name: 'roles.scopes of holder',
  reason: 'set',
  text: `WITH RECURSIVE reached(group_id) AS (
           SELECT group_id FROM directory.user_memberships WHERE tenant = $tenant AND member_id = $userId
           UNION
           SELECT m.group_id FROM reached
             JOIN directory.group_memberships m ON m.tenant = $tenant AND m.member_id = reached.group_id
         )
         SELECT unnest(scopes) AS scope FROM directory.role_holders WHERE tenant = $tenant AND user_id = $userId
         UNION
         SELECT unnest(COALESCE(p.identifying_scopes, p.scopes)) FROM reached
           JOIN directory.privileged_groups p ON p.tenant = $tenant AND p.group_id = reached.group_id
         ORDER BY scope`,
  parameters: { tenant: 'text', userId: 'uuid' },
  columns: { scope: 'text' },
});

const setHolder = statement({
  name: 'roles.set holder',
  reason: 'atomic',
  text: `INSERT INTO directory.role_holders AS h (tenant, user_id, scopes, version) VALUES ($tenant, $userId, $scopes, $version)
         ON CONFLICT (tenant, user_id) DO UPDATE SET scopes = excluded.scopes, version = excluded.version
         WHERE h.version < excluded.version`,
  parameters: { tenant: 'text', userId: 'uuid', scopes: 'text[]', version: 'int8' },
});

/**
 * The users of one tenant who have a role, directly or through groups, for the checks of changes to their
 * identifiers.
 */
export class RoleHolders implements RoleHolderStore {
  readonly #sql: Sql;
  readonly #tenant: string;

  constructor(sql: Sql, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /** Returns the scopes required to assign all of the user's roles; none for a user without roles. One statement. */
  async scopesOf(userId: string): Promise<string[]> {
    const rows = await scopesOfHolder.rows(this.#sql, { tenant: this.#tenant, userId });
    return rows.map(({ scope }) => scope);
  }

  /** Sets the scopes of a user's own roles, unless a newer version is stored. */
  async set(userId: string, scopes: readonly string[], version: number): Promise<void> {
    await setHolder.run(this.#sql, { tenant: this.#tenant, userId, scopes, version });
  }
}
