import { type Sql, statement } from '@ostiary/database';
import { uuidv7 } from '@ostiary/service';
import { holdName } from '../../../platform/database/data/advisory-lock.ts';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { DueCheck, MembershipCheckStore } from '../domain/membership-checks.ts';

export async function addMembershipCheck(
  tx: Connection,
  tenant: string,
  memberIds: readonly string[] | undefined,
): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.membershipCheck.create({
    data: { id: uuidv7(), tenant, everybody: memberIds === undefined, memberIds: [...(memberIds ?? [])] },
    select: { id: true },
  });
}

export async function lockMembershipChecks(tx: Sql, tenant: string): Promise<void> {
  await holdName(tx, `auth.membership_checks:${tenant}`);
}

/** Maximum number of checks of named users that are taken together. */
const batchSize = 20;

const listChecks = statement({
  name: 'membership_checks.due',
  reason: 'set',
  text: `(SELECT id, everybody, member_ids AS "memberIds", position FROM auth.membership_checks
           WHERE tenant = $tenant AND NOT everybody ORDER BY id LIMIT ${batchSize})
         UNION ALL
         (SELECT id, everybody, member_ids, position FROM auth.membership_checks
           WHERE tenant = $tenant AND everybody ORDER BY position IS NULL, id)`,
  parameters: { tenant: 'text' },
  columns: { id: 'uuid', everybody: 'bool', memberIds: 'uuid[]', position: 'uuid?' },
});

export async function dueCheck(
  tx: Sql,
  tenant: string,
  { limit, everybodyFirst }: { limit: number; everybodyFirst: boolean },
): Promise<DueCheck | undefined> {
  const rows = await listChecks.rows(tx, { tenant });
  const rounds = rows.filter(({ everybody }) => everybody);
  const [first] = rounds;
  const checkIds: string[] = [];
  const memberIds = new Set<string>();
  for (const row of rows.filter(({ everybody }) => !everybody)) {
    if (first && everybodyFirst) break;
    if (checkIds.length > 0 && memberIds.size + row.memberIds.length > limit) break;
    checkIds.push(row.id);
    for (const id of row.memberIds) memberIds.add(id);
  }
  if (checkIds.length > 0) return { everybody: false, checkIds, memberIds: [...memberIds] };
  if (!first) return undefined;
  if (first.position !== null) return { everybody: true, checkIds: [first.id], position: first.position };
  return { everybody: true, checkIds: rounds.map(({ id }) => id), position: undefined };
}

export async function finishChecks(tx: Connection, checkIds: readonly string[]): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.membershipCheck.deleteMany({ where: { id: { in: [...checkIds] } } });
}

export async function advanceCheck(
  tx: Connection,
  checkIds: readonly string[],
  position: string,
): Promise<void> {
  const [first = '', ...others] = checkIds;
  const prisma = await tx.prisma();
  await prisma.membershipCheck.updateMany({ where: { id: first }, data: { position } });
  await finishChecks(tx, others);
}

const listTenants = statement({
  name: 'membership_checks.tenants',
  reason: 'set',
  text: 'SELECT tenant FROM auth.membership_checks GROUP BY tenant ORDER BY min(id::text) LIMIT $limit',
  parameters: { limit: 'int8' },
  columns: { tenant: 'text' },
});

export async function tenantsWithChecks(sql: Sql, limit: number): Promise<string[]> {
  const rows = await listTenants.rows(sql, { limit });
  return rows.map((row) => row.tenant);
}

const oldestCheck = statement({
  name: 'membership_checks.oldest',
  reason: 'set',
  text: `SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age FROM auth.membership_checks`,
  columns: { age: 'float8' },
});

export async function oldestCheckSeconds(sql: Sql): Promise<number> {
  return (await oldestCheck.first(sql))?.age ?? 0;
}

export async function noteCompared(tx: Connection, tenant: string): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.privilegedGroup.updateMany({ where: { tenant }, data: { checkedAt: new Date() } });
}

const listOverdue = statement({
  name: 'membership_checks.overdue',
  reason: 'set',
  text: `SELECT p.tenant FROM auth.privileged_groups p
          WHERE NOT EXISTS (SELECT FROM auth.membership_checks c WHERE c.tenant = p.tenant AND c.everybody)
          GROUP BY p.tenant HAVING bool_or(p.checked_at IS NULL OR p.checked_at < now() - make_interval(secs => $seconds))
          ORDER BY min(p.checked_at) NULLS FIRST LIMIT $limit`,
  parameters: { seconds: 'float8', limit: 'int8' },
  columns: { tenant: 'text' },
});

export async function addOverdueChecks(
  sql: Connection,
  afterSeconds: number,
  limit: number,
): Promise<number> {
  const rows = await listOverdue.rows(sql, { seconds: afterSeconds, limit });
  for (const { tenant } of rows) await addMembershipCheck(sql, tenant, undefined);
  return rows.length;
}

export const postgresMembershipChecks: MembershipCheckStore = {
  addMembershipCheck,
  lockMembershipChecks,
  dueCheck,
  finishChecks,
  advanceCheck,
  tenantsWithChecks,
  oldestCheckSeconds,
  noteCompared,
  addOverdueChecks,
};
