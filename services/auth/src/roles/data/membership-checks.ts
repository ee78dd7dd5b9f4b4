import type { Sql } from '@ostiary/database';
import { uuidv7 } from '@ostiary/service';
import type { DueCheck, MembershipCheckStore } from '../domain/membership-checks.ts';

export async function addMembershipCheck(
  tx: Sql,
  tenant: string,
  memberIds: readonly string[] | undefined,
): Promise<void> {
  await tx.query(
    'INSERT INTO auth.membership_checks (id, tenant, everybody, member_ids) VALUES ($1, $2, $3, $4)',
    [uuidv7(), tenant, memberIds === undefined, [...(memberIds ?? [])]],
  );
}

export async function lockMembershipChecks(tx: Sql, tenant: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('auth.membership_checks:' || $1, 0))`, [
    tenant,
  ]);
}

/** Checks of some people that are looked at together. */
const atOnce = 20;

export async function dueCheck(
  tx: Sql,
  tenant: string,
  { limit, everybodyFirst }: { limit: number; everybodyFirst: boolean },
): Promise<DueCheck | undefined> {
  const { rows } = await tx.query<{
    id: string;
    everybody: boolean;
    memberIds: string[];
    position: string | null;
  }>(
    `(SELECT id, everybody, member_ids AS "memberIds", position FROM auth.membership_checks
       WHERE tenant = $1 AND NOT everybody ORDER BY id LIMIT ${atOnce})
     UNION ALL
     (SELECT id, everybody, member_ids, position FROM auth.membership_checks
       WHERE tenant = $1 AND everybody ORDER BY position IS NULL, id)`,
    [tenant],
  );
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

export async function finishChecks(tx: Sql, checkIds: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM auth.membership_checks WHERE id = ANY($1::uuid[])', [[...checkIds]]);
}

export async function advanceCheck(tx: Sql, checkIds: readonly string[], position: string): Promise<void> {
  const [first = '', ...others] = checkIds;
  await tx.query('UPDATE auth.membership_checks SET position = $2 WHERE id = $1', [first, position]);
  await finishChecks(tx, others);
}

export async function tenantsWithChecks(sql: Sql, limit: number): Promise<string[]> {
  const { rows } = await sql.query<{ tenant: string }>(
    'SELECT tenant FROM auth.membership_checks GROUP BY tenant ORDER BY min(id::text) LIMIT $1',
    [limit],
  );
  return rows.map((row) => row.tenant);
}

export async function oldestCheckSeconds(sql: Sql): Promise<number> {
  const { rows } = await sql.query<{ age: number }>(
    `SELECT coalesce(extract(epoch FROM now() - min(created_at)), 0)::float8 AS age FROM auth.membership_checks`,
  );
  return rows[0]?.age ?? 0;
}

export async function noteCompared(tx: Sql, tenant: string): Promise<void> {
  await tx.query('UPDATE auth.privileged_groups SET checked_at = now() WHERE tenant = $1', [tenant]);
}

export async function addOverdueChecks(sql: Sql, afterSeconds: number, limit: number): Promise<number> {
  const { rows } = await sql.query<{ tenant: string }>(
    `SELECT p.tenant FROM auth.privileged_groups p
      WHERE NOT EXISTS (SELECT FROM auth.membership_checks c WHERE c.tenant = p.tenant AND c.everybody)
      GROUP BY p.tenant HAVING bool_or(p.checked_at IS NULL OR p.checked_at < now() - make_interval(secs => $1))
      ORDER BY min(p.checked_at) NULLS FIRST LIMIT $2`,
    [afterSeconds, limit],
  );
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
