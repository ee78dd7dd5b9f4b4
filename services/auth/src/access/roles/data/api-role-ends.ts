import { type Sql, statement } from '@ostiary/database';

/** Groups are locked in one order, before their roles, as where a role is assigned or removed. */
const holdGroups = statement({
  name: 'api_roles.hold_groups',
  reason: 'atomic',
  text: `WITH held AS (
       SELECT p.group_id FROM auth.privileged_groups p
        WHERE p.tenant = $tenant AND EXISTS (SELECT FROM auth.group_roles r
                WHERE r.tenant = p.tenant AND r.group_id = p.group_id AND r.role = ANY($roles::text[]))
        ORDER BY p.group_id FOR UPDATE
     )
     UPDATE auth.privileged_groups p SET notified = false FROM held
      WHERE p.tenant = $tenant AND p.group_id = held.group_id`,
  parameters: { tenant: 'text', roles: 'text[]' },
});

const endIn = (table: 'group_roles' | 'group_role_holders' | 'role_assignments') =>
  statement({
    name: `api_roles.end_in_${table}`,
    reason: 'set',
    text: `DELETE FROM auth.${table} WHERE tenant = $tenant AND role = ANY($roles::text[])`,
    parameters: { tenant: 'text', roles: 'text[]' },
  });

const endOfGroups = endIn('group_roles');
const endOfMembers = endIn('group_role_holders');
const endOfAssignments = endIn('role_assignments');

/**
 * Removes roles that no longer exist from groups and users. The caller ends the tokens, and prevents that the roles are
 * assigned concurrently.
 * @returns whether a user had one of them
 */
export async function endRoles(tx: Sql, tenant: string, roles: readonly string[]): Promise<boolean> {
  if (roles.length === 0) return false;
  await holdGroups.run(tx, { tenant, roles });
  // First, because it waits for a projection of members that is being written with these roles.
  await endOfGroups.run(tx, { tenant, roles });
  const members = await endOfMembers.count(tx, { tenant, roles });
  return members + (await endOfAssignments.count(tx, { tenant, roles })) > 0;
}
