import type { Sql } from '@ostiary/database';
import type {
  PlannedMembers,
  ProtectedAccounts,
  ProtectedAccountsCheck,
} from '../domain/protected-accounts.ts';

/**
 * Whether one of the `changed` ids is protected: a user who is listed or in a protected group, directly or through
 * others; a group that is listed or contained in one that is; a group that contains any of these. Users are looked up
 * from their own side, however many a protected group has; those of two groups are compared only where a group changes.
 */
const touched = `
  guarded(id) AS (
    SELECT id FROM unnest($3::uuid[]) AS id
    UNION
    SELECT m.member_id FROM guarded JOIN directory.group_memberships m ON m.tenant = $1 AND m.group_id = guarded.id
  ), reached(id) AS (
    SELECT g.id FROM changed JOIN directory.groups g ON g.tenant = $1 AND g.id = changed.id
    UNION
    SELECT m.member_id FROM reached JOIN directory.group_memberships m ON m.tenant = $1 AND m.group_id = reached.id
  )
  SELECT EXISTS (SELECT FROM changed WHERE id = ANY ($2::uuid[]))
      OR EXISTS (SELECT FROM reached WHERE id IN (SELECT id FROM guarded))
      OR EXISTS (SELECT FROM changed JOIN directory.user_memberships m ON m.tenant = $1 AND m.member_id = changed.id
                  WHERE m.group_id IN (SELECT id FROM guarded))
      OR CASE WHEN EXISTS (SELECT FROM reached) THEN
           EXISTS (SELECT FROM directory.user_memberships m
                    WHERE m.tenant = $1 AND m.member_id = ANY ($2::uuid[]) AND m.group_id IN (SELECT id FROM reached))
           OR EXISTS (SELECT FROM guarded
                        JOIN directory.user_memberships p ON p.tenant = $1 AND p.group_id = guarded.id
                        JOIN directory.user_memberships m ON m.tenant = $1 AND m.member_id = p.member_id
                       WHERE m.group_id IN (SELECT id FROM reached))
         ELSE false END
      AS touched`;

/** Finds out whether a change would touch protected accounts, in one tenant and in one statement each. */
export class PostgresProtectedAccounts implements ProtectedAccountsCheck {
  readonly #sql: Sql;
  readonly #tenant: string;

  constructor(sql: Sql, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /** A user, or a group with all who are in it. */
  resource(accounts: ProtectedAccounts, id: string): Promise<boolean> {
    return this.#ask(`WITH RECURSIVE changed(id) AS (SELECT $4::uuid), ${touched}`, accounts, [id]);
  }

  /** A group itself, whatever its members are. */
  group({ groups }: ProtectedAccounts, id: string): Promise<boolean> {
    if (groups.length === 0) return Promise.resolve(false);
    return this.#ask(
      `WITH RECURSIVE above(id) AS (
         SELECT $4::uuid
         UNION
         SELECT m.group_id FROM above JOIN directory.group_memberships m ON m.tenant = $1 AND m.member_id = above.id
       ) SELECT EXISTS (SELECT FROM above WHERE id = ANY ($3::uuid[])) AS touched, $2::uuid[]`,
      { users: [], groups },
      [id],
    );
  }

  /** Those who would come into a group or leave it; the group's row is locked. */
  members(accounts: ProtectedAccounts, groupId: string, planned: PlannedMembers): Promise<boolean> {
    const { exclusive, add, remove } = planned;
    if (!exclusive && add.size + remove.size === 0) return Promise.resolve(false);
    const leaving = exclusive ? 'id <> ALL ($5::uuid[])' : 'id = ANY ($6::uuid[])';
    return this.#ask(
      `WITH RECURSIVE present(id) AS (
         SELECT member_id FROM directory.user_memberships WHERE tenant = $1 AND group_id = $4
         UNION ALL
         SELECT member_id FROM directory.group_memberships WHERE tenant = $1 AND group_id = $4
       ), changed(id) AS (
         SELECT id FROM unnest($5::uuid[]) AS id
          WHERE NOT EXISTS (SELECT FROM directory.user_memberships m
                             WHERE m.tenant = $1 AND m.group_id = $4 AND m.member_id = id)
            AND NOT EXISTS (SELECT FROM directory.group_memberships m
                             WHERE m.tenant = $1 AND m.group_id = $4 AND m.member_id = id)
         UNION ALL
         SELECT id FROM present WHERE ${leaving}
       ), ${exclusive ? touched : touched.replace('AS touched', 'AS touched, $6::uuid[]')}`,
      accounts,
      exclusive ? [groupId, [...add]] : [groupId, [...add], [...remove]],
    );
  }

  async #ask(text: string, { users, groups }: ProtectedAccounts, more: readonly unknown[]): Promise<boolean> {
    const { rows } = await this.#sql.query<{ touched: boolean }>(text, [
      this.#tenant,
      users,
      groups,
      ...more,
    ]);
    return rows[0]?.touched !== false;
  }
}
