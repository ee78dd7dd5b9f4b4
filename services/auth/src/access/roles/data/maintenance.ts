import { composedStatement, fragment, type Scan, type Sql, statement } from '@ostiary/database';
import { waitingScan } from '../../../platform/database/data/maintenance.ts';
import type { Key, TableOfUsers } from '../../../tenancy/users/data/maintenance.ts';
import { notifiedAgainSeconds } from './role-holders-notified.ts';

export const pendingRoles = {
  groupRoles: `EXISTS (SELECT FROM auth.membership_checks) OR EXISTS (SELECT FROM auth.privileged_groups WHERE NOT notified)`,
  roleHolders: `EXISTS (SELECT FROM auth.role_holders WHERE notified_at IS NULL)
    OR EXISTS (SELECT FROM auth.role_holders WHERE notified_at < now() - interval '${notifiedAgainSeconds} seconds')`,
};

export const membershipCheckScan = (waitingSeconds: number): Scan =>
  waitingScan(
    {
      name: 'queries about groups',
      says: 'Membership of groups with roles is checked without delay: no user keeps the role of a group after leaving it.',
      table: 'auth.membership_checks',
      key: [['id', 'uuid']],
    },
    { since: 'created_at', detail: `'since ' || page.created_at`, waitingSeconds },
  );

export const roleTables: readonly TableOfUsers[] = [
  { name: 'role_assignments' },
  { name: 'group_role_holders' },
];

/** Role of a user through a group. */
export interface HoldingFact extends Key {
  groupId: string;
  role: string;
}

const holding = fragment('h.tenant, h.subject_id::text AS id, h.group_id::text AS "groupId", h.role', {
  tenant: 'text',
  id: 'text',
  groupId: 'text',
  role: 'text',
});

const listHoldings = composedStatement({
  name: 'maintenance.holdings-after',
  reason: 'set',
  columns: holding.columns,
  compose: ({ after, limit }: { after: HoldingFact | undefined; limit: number }) => ({
    text: `SELECT ${holding} FROM auth.group_role_holders h
      ${after === undefined ? '' : 'WHERE (h.tenant, h.subject_id, h.group_id, h.role) > ($2, $3::uuid, $4::uuid, $5)'}
      ORDER BY h.tenant, h.subject_id, h.group_id, h.role LIMIT $1`,
    values: [limit, ...(after === undefined ? [] : [after.tenant, after.id, after.groupId, after.role])],
  }),
  examples: () => [
    { after: undefined, limit: 1 },
    { after: { tenant: 'demo', id: '', groupId: '', role: '' }, limit: 1 },
  ],
});

/** Returns a page of roles through groups, in the order of their keys. */
export const holdingsAfter = (
  sql: Sql,
  after: HoldingFact | undefined,
  limit: number,
): Promise<HoldingFact[]> => listHoldings.rows(sql, { after, limit });

const findHoldings = statement({
  name: 'maintenance.holdings-of',
  reason: 'set',
  text: `SELECT DISTINCT ${holding} FROM unnest($tenants::text[], $ids::uuid[], $groupIds::uuid[]) AS k (tenant, id, group_id)
       JOIN auth.group_role_holders h ON h.tenant = k.tenant AND h.subject_id = k.id AND h.group_id = k.group_id`,
  parameters: { tenants: 'text[]', ids: 'uuid[]', groupIds: 'uuid[]' },
  columns: holding.columns,
});

export const holdingsOf = (sql: Sql, keys: readonly (Key & { groupId: string })[]): Promise<HoldingFact[]> =>
  findHoldings.rows(sql, {
    tenants: keys.map(({ tenant }) => tenant),
    ids: keys.map(({ id }) => id),
    groupIds: keys.map(({ groupId }) => groupId),
  });
