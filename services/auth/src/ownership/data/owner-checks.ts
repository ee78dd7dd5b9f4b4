import type { Sql } from '@ostiary/database';
import type { Actor } from '@ostiary/events';
import { uuidv7 } from '@ostiary/service';
import type { OwnedCredential, OwnerCheckStore } from '../domain/owner-checks.ts';

export async function addOwnerCheck(tx: Sql, tenant: string, actor: Actor): Promise<void> {
  await tx.query('INSERT INTO auth.owner_checks (tenant, id, actor) VALUES ($1, $2, $3)', [
    tenant,
    uuidv7(),
    JSON.stringify(actor),
  ]);
}

export async function dueOwnerChecks(sql: Sql, tenant: string): Promise<{ ids: string[]; actors: Actor[] }> {
  const { rows } = await sql.query<{ id: string; actor: Actor }>(
    'SELECT id, actor FROM auth.owner_checks WHERE tenant = $1 ORDER BY id',
    [tenant],
  );
  return { ids: rows.map(({ id }) => id), actors: rows.map(({ actor }) => actor) };
}

export async function finishOwnerChecks(sql: Sql, tenant: string, ids: readonly string[]): Promise<void> {
  await sql.query('DELETE FROM auth.owner_checks WHERE tenant = $1 AND id = ANY($2::uuid[])', [
    tenant,
    [...ids],
  ]);
}

export async function tenantsWithOwnerChecks(sql: Sql, limit: number): Promise<string[]> {
  const { rows } = await sql.query<{ tenant: string }>(
    'SELECT tenant FROM auth.owner_checks GROUP BY tenant ORDER BY min(id::text) LIMIT $1',
    [limit],
  );
  return rows.map((row) => row.tenant);
}

/** Who owns connectors and isn't about to lose them: an end that provisioning hasn't carried out yet needs no other. */
const ofConnectors = `SELECT c.tenant, c.owner_id FROM auth.connector_owners c
   WHERE c.kind = 'group' AND NOT EXISTS (SELECT FROM auth.ownership_ends e
     WHERE e.tenant = c.tenant AND e.owner_id = c.owner_id AND e.number > c.named AND e.told_at IS NULL)`;

export async function tenantsWithGroupOwners(sql: Sql, tenants: readonly string[]): Promise<string[]> {
  if (tenants.length === 0) return [];
  const { rows } = await sql.query<{ tenant: string }>(
    `SELECT tenant FROM unnest($1::text[]) AS tenant
      WHERE EXISTS (SELECT FROM auth.credential_owners o WHERE o.tenant = tenant.tenant AND o.owner_kind = 'group')
         OR EXISTS (SELECT FROM (${ofConnectors}) o WHERE o.tenant = tenant.tenant)`,
    [[...tenants]],
  );
  return rows.map((row) => row.tenant);
}

export async function groupOwners(sql: Sql, tenant: string, among?: readonly string[]): Promise<string[]> {
  const { rows } = await sql.query<{ id: string }>(
    `SELECT owner_id AS id FROM auth.credential_owners
      WHERE tenant = $1 AND owner_kind = 'group' AND ($2::uuid[] IS NULL OR owner_id = ANY($2))
     UNION
     SELECT owner_id FROM (${ofConnectors}) o WHERE tenant = $1 AND ($2::uuid[] IS NULL OR owner_id = ANY($2))
     ORDER BY id`,
    [tenant, among ? [...among] : null],
  );
  return rows.map((row) => row.id);
}

export async function ownedByGroup(tx: Sql, tenant: string, groupId: string): Promise<OwnedCredential[]> {
  const { rows } = await tx.query<OwnedCredential>(
    `SELECT kind, credential_id AS id FROM auth.credential_owners
      WHERE tenant = $1 AND owner_kind = 'group' AND owner_id = $2`,
    [tenant, groupId],
  );
  return rows;
}

export async function forgetGroupOwner(
  tx: Sql,
  tenant: string,
  groupId: string,
  owned: readonly OwnedCredential[],
): Promise<void> {
  await tx.query(
    `DELETE FROM auth.credential_owners o USING unnest($3::text[], $4::text[]) AS x(kind, id)
      WHERE o.tenant = $1 AND o.owner_kind = 'group' AND o.owner_id = $2 AND o.kind = x.kind AND o.credential_id = x.id`,
    [tenant, groupId, owned.map(({ kind }) => kind), owned.map(({ id }) => id)],
  );
}

export const postgresOwnerChecks: OwnerCheckStore = {
  addOwnerCheck,
  dueOwnerChecks,
  finishOwnerChecks,
  tenantsWithOwnerChecks,
  tenantsWithGroupOwners,
  groupOwners,
  ownedByGroup,
  forgetGroupOwner,
};
