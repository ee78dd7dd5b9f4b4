import { type Sql, statement } from '@ostiary/database';
import type {
  PlannedMembers,
  ProtectedAccounts,
  ProtectedAccountsCheck,
} from './domain/protected-accounts.ts';

/**
 * Determines whether one of the `changed` ids is protected: a user who is listed or in a protected group, directly or
 * through others; a group that is listed or contained in one that is; a group that contains any of these. Users are
 * looked up from their own side for any size of a protected group. Users of two groups are compared only where
 * a group changes.
 */
const touched = `
  guarded(id) AS (
    SELECT id FROM unnest($groups::uuid[]) AS id
    UNION
    SELECT m.member_id FROM guarded JOIN directory.group_memberships m ON m.tenant = $tenant AND m.group_id = guarded.id
  ), reached(id) AS (
    SELECT g.id FROM changed JOIN directory.groups g ON g.tenant = $tenant AND g.id = changed.id
    UNION
    SELECT m.member_id FROM reached JOIN directory.group_memberships m ON m.tenant = $tenant AND m.group_id = reached.id
  )
  SELECT EXISTS (SELECT FROM changed WHERE id = ANY ($users::uuid[]))
      OR EXISTS (SELECT FROM reached WHERE id IN (SELECT id FROM guarded))
      OR EXISTS (SELECT FROM changed JOIN directory.user_memberships m ON m.tenant = $tenant AND m.member_id = changed.id
                  WHERE m.group_id IN (SELECT id FROM guarded))
      OR CASE WHEN EXISTS (SELECT FROM reached) THEN
           EXISTS (SELECT FROM directory.user_memberships m
                    WHERE m.tenant = $tenant AND m.member_id = ANY ($users::uuid[]) AND m.group_id IN (SELECT id FROM reached))
           OR EXISTS (SELECT FROM guarded
                        JOIN directory.user_memberships p ON p.tenant = $tenant AND p.group_id = guarded.id
                        JOIN directory.user_memberships m ON m.tenant = $tenant AND m.member_id = p.member_id
                       WHERE m.group_id IN (SELECT id FROM reached))
         ELSE false END
      AS touched`;

const listed = { tenant: 'text', users: 'uuid[]', groups: 'uuid[]' } as const;
const answer = { touched: 'bool' } as const;

const touchesResource = statement({
  name: 'protection.touches resource',
  reason: 'set',
  text: `WITH RECURSIVE changed(id) AS (SELECT $id::uuid), ${touched}`,
  parameters: { ...listed, id: 'uuid' },
  columns: answer,
});

const touchesGroup = statement({
  name: 'protection.touches group',
  reason: 'set',
  text: `WITH RECURSIVE above(id) AS (
           SELECT $id::uuid
           UNION
           SELECT m.group_id FROM above JOIN directory.group_memberships m ON m.tenant = $tenant AND m.member_id = above.id
         ) SELECT EXISTS (SELECT FROM above WHERE id = ANY ($groups::uuid[])) AS touched`,
  parameters: { tenant: 'text', groups: 'uuid[]', id: 'uuid' },
  columns: answer,
});

/** @param leaving condition for the present members that leave */
const membersThat = (leaving: string): string => `WITH RECURSIVE present(id) AS (
    SELECT member_id FROM directory.user_memberships WHERE tenant = $tenant AND group_id = $id
    UNION ALL
    SELECT member_id FROM directory.group_memberships WHERE tenant = $tenant AND group_id = $id
  ), changed(id) AS (
    SELECT id FROM unnest($add::uuid[]) AS id
     WHERE NOT EXISTS (SELECT FROM directory.user_memberships m
                        WHERE m.tenant = $tenant AND m.group_id = $id AND m.member_id = id)
       AND NOT EXISTS (SELECT FROM directory.group_memberships m
                        WHERE m.tenant = $tenant AND m.group_id = $id AND m.member_id = id)
    UNION ALL
    SELECT id FROM present WHERE ${leaving}
  ), ${touched}`;

const touchesAllMembers = statement({
  name: 'protection.touches all members',
  reason: 'set',
  text: membersThat('id <> ALL ($add::uuid[])'),
  parameters: { ...listed, id: 'uuid', add: 'uuid[]' },
  columns: answer,
});

const touchesMembers = statement({
  name: 'protection.touches members',
  reason: 'set',
  text: membersThat('id = ANY ($remove::uuid[])'),
  parameters: { ...listed, id: 'uuid', add: 'uuid[]', remove: 'uuid[]' },
  columns: answer,
});

/** Determines whether a change would affect protected accounts of one tenant, each in one statement. */
export class PostgresProtectedAccounts implements ProtectedAccountsCheck {
  readonly #sql: Sql;
  readonly #tenant: string;

  constructor(sql: Sql, tenant: string) {
    this.#sql = sql;
    this.#tenant = tenant;
  }

  /** Reports whether a user, or a group with all its members, is protected. */
  async resource(accounts: ProtectedAccounts, id: string): Promise<boolean> {
    return isTouched(await touchesResource.first(this.#sql, { ...this.#listed(accounts), id }));
  }

  /** Reports whether a group itself is protected, without its members. */
  async group({ groups }: ProtectedAccounts, id: string): Promise<boolean> {
    if (groups.length === 0) return false;
    return isTouched(await touchesGroup.first(this.#sql, { tenant: this.#tenant, groups, id }));
  }

  /** Reports whether a protected account would enter or leave the group; the group's row is locked. */
  async members(accounts: ProtectedAccounts, groupId: string, planned: PlannedMembers): Promise<boolean> {
    const { exclusive, add, remove } = planned;
    if (!exclusive && add.size + remove.size === 0) return false;
    const asked = { ...this.#listed(accounts), id: groupId, add: [...add] };
    return isTouched(
      exclusive
        ? await touchesAllMembers.first(this.#sql, asked)
        : await touchesMembers.first(this.#sql, { ...asked, remove: [...remove] }),
    );
  }

  #listed({ users, groups }: ProtectedAccounts) {
    return { tenant: this.#tenant, users, groups };
  }
}

/** An absent row counts as protected. */
const isTouched = (row: { touched: boolean } | undefined): boolean => row?.touched !== false;
