import { type Sql, statement, typed } from '@ostiary/database';
import type { Actor } from '@ostiary/events';
import { uuidv7 } from '@ostiary/service';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { Prisma } from '../../../platform/database/generated/client.ts';
import { administratorsOf } from '../../roles/data/administrators.ts';
import type { OwnedCredential, OwnerCheckStore, OwningGroup, OwningScope } from '../domain/owner-checks.ts';

export async function addOwnerCheck(tx: Connection, tenant: string, actor: Actor): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.ownerCheck.create({
    data: { tenant, id: uuidv7(), actor: actor as unknown as Prisma.InputJsonObject },
    select: { id: true },
  });
}

export async function dueOwnerChecks(
  sql: Connection,
  tenant: string,
): Promise<{ ids: string[]; actors: Actor[] }> {
  const prisma = await sql.prisma();
  const rows = await prisma.ownerCheck.findMany({
    where: { tenant },
    select: { id: true, actor: true },
    orderBy: { id: 'asc' },
  });
  return { ids: rows.map(({ id }) => id), actors: rows.map(({ actor }) => actor as unknown as Actor) };
}

export async function finishOwnerChecks(
  sql: Connection,
  tenant: string,
  ids: readonly string[],
): Promise<void> {
  const prisma = await sql.prisma();
  await prisma.ownerCheck.deleteMany({ where: { tenant, id: { in: [...ids] } } });
}

const listTenants = statement({
  name: 'owner_checks.tenants',
  reason: 'set',
  text: 'SELECT tenant FROM auth.owner_checks GROUP BY tenant ORDER BY min(id::text) LIMIT $limit',
  parameters: { limit: 'int8' },
  columns: { tenant: 'text' },
});

export async function tenantsWithOwnerChecks(sql: Sql, limit: number): Promise<string[]> {
  const rows = await listTenants.rows(sql, { limit });
  return rows.map((row) => row.tenant);
}

export async function managersOf(
  sql: Sql,
  tenant: string,
  roles: readonly string[],
): Promise<{ users: string[]; groups: string[] }> {
  const { subjects, groups } = await administratorsOf(sql, tenant, roles);
  return { users: subjects, groups };
}

/**
 * Groups that may own connectors and have no pending end. An end that provisioning has not carried out yet needs no
 * second one.
 */
const ofConnectors = `SELECT c.tenant, c.owner_id FROM auth.connector_owners c
   WHERE c.kind = 'group' AND NOT EXISTS (SELECT FROM auth.ownership_ends e
     WHERE e.tenant = c.tenant AND e.owner_id = c.owner_id AND e.number > c.named AND e.notified_at IS NULL)`;

const tenantsWithAny = statement({
  name: 'owner_checks.tenants_with_group_owners',
  reason: 'set',
  text: `SELECT tenant FROM unnest($tenants::text[]) AS tenant
          WHERE EXISTS (SELECT FROM auth.credential_owners o WHERE o.tenant = tenant.tenant AND o.owner_kind = 'group')
             OR EXISTS (SELECT FROM auth.group_knowers k WHERE k.tenant = tenant.tenant)
             OR EXISTS (SELECT FROM (${ofConnectors}) o WHERE o.tenant = tenant.tenant)`,
  parameters: { tenants: 'text[]' },
  columns: { tenant: 'text' },
});

export async function tenantsWithGroupOwners(sql: Sql, tenants: readonly string[]): Promise<string[]> {
  if (tenants.length === 0) return [];
  const rows = await tenantsWithAny.rows(sql, { tenants });
  return rows.map((row) => row.tenant);
}

const listGroupOwners = statement({
  name: 'owner_checks.group_owners',
  reason: 'set',
  text: `SELECT x.id, array_agg(x.scope ORDER BY x.scope) AS scopes FROM (
           SELECT owner_id AS id, 'clients:write' AS scope FROM auth.credential_owners WHERE tenant = $tenant AND owner_kind = 'group'
           UNION SELECT group_id, 'clients:write' FROM auth.group_knowers WHERE tenant = $tenant
           UNION SELECT owner_id, 'connectors:write' FROM (${ofConnectors}) o WHERE tenant = $tenant
         ) x WHERE $among::uuid[] IS NULL OR x.id = ANY($among) GROUP BY x.id ORDER BY x.id`,
  parameters: { tenant: 'text', among: 'uuid[]?' },
  columns: { id: 'uuid', scopes: typed<OwningScope[]>('text[]') },
});

export const groupOwners = (sql: Sql, tenant: string, among?: readonly string[]): Promise<OwningGroup[]> =>
  listGroupOwners.rows(sql, { tenant, among });

export async function ownedByGroup(
  tx: Connection,
  tenant: string,
  groupId: string,
): Promise<OwnedCredential[]> {
  const prisma = await tx.prisma();
  const rows = await prisma.credentialOwner.findMany({
    where: { tenant, ownerKind: 'group', ownerId: groupId },
    select: { kind: true, credentialId: true },
  });
  const knower = await prisma.groupKnower.findUnique({
    where: { tenant_groupId: { tenant, groupId } },
    select: { noted: true },
  });
  return [
    ...rows.map(({ kind, credentialId }) => ({ kind, id: credentialId })),
    ...(knower ? [{ kind: knowing, id: String(knower.noted) }] : []),
  ];
}

/** Kind in the list of a group's credentials: the group knows secrets. Its id is the number of the last note. */
const knowing = 'known_secrets';

const noteKnower = statement({
  name: 'owner_checks.note_group_knower',
  reason: 'atomic',
  text: `INSERT INTO auth.group_knowers (tenant, group_id) VALUES ($tenant, $groupId)
         ON CONFLICT (tenant, group_id) DO UPDATE SET noted = nextval('auth.group_knowers_noted_seq')`,
  parameters: { tenant: 'text', groupId: 'uuid' },
});

export async function noteGroupKnower(tx: Sql, tenant: string, groupId: string): Promise<void> {
  await noteKnower.run(tx, { tenant, groupId });
}

const forget = statement({
  name: 'owner_checks.forget_owner',
  reason: 'set',
  text: `WITH known AS (
           DELETE FROM auth.group_knowers k USING unnest($kinds::text[], $ids::text[]) AS x(kind, id)
            WHERE k.tenant = $tenant AND k.group_id = $groupId AND k.noted = CASE WHEN x.kind = '${knowing}' THEN x.id::int8 END
         )
         DELETE FROM auth.credential_owners o USING unnest($kinds::text[], $ids::text[]) AS x(kind, id)
          WHERE o.tenant = $tenant AND o.owner_kind = 'group' AND o.owner_id = $groupId
            AND o.kind = x.kind AND o.credential_id = x.id`,
  parameters: { tenant: 'text', groupId: 'uuid', kinds: 'text[]', ids: 'text[]' },
});

export async function forgetGroupOwner(
  tx: Sql,
  tenant: string,
  groupId: string,
  owned: readonly OwnedCredential[],
): Promise<void> {
  await forget.run(tx, {
    tenant,
    groupId,
    kinds: owned.map(({ kind }) => kind),
    ids: owned.map(({ id }) => id),
  });
}

export const postgresOwnerChecks: OwnerCheckStore = {
  addOwnerCheck,
  managersOf,
  dueOwnerChecks,
  finishOwnerChecks,
  tenantsWithOwnerChecks,
  tenantsWithGroupOwners,
  groupOwners,
  ownedByGroup,
  forgetGroupOwner,
};
