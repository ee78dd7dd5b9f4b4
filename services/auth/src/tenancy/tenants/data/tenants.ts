import { type Sql, statement, typed } from '@ostiary/database';
import type { TenantPolicySettings } from '@ostiary/events';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { perhapsLive } from '../../../platform/database/data/perhaps-live.ts';
import type { Prisma } from '../../../platform/database/generated/client.ts';
import type { DirectoryTenant, EndedOfTenant, TenantRow, TenantStore } from '../domain/tenant-store.ts';

export async function findTenant(sql: Connection, id: string): Promise<TenantRow | undefined> {
  const prisma = await sql.prisma();
  const row = await prisma.tenant.findUnique({
    where: { id },
    select: { id: true, name: true, status: true, policy: true },
  });
  if (!row) return undefined;
  const { policy, ...tenant } = row;
  return {
    ...tenant,
    status: tenant.status as TenantRow['status'],
    settings: policy as unknown as TenantPolicySettings,
  };
}

/** Locks the tenant against other updates until the end of the transaction. */
const holdTenant = statement({
  name: 'tenants.hold',
  reason: 'atomic',
  text: `SELECT status, policy AS settings, suspended_version AS "suspendedVersion"
           FROM auth.tenants WHERE id = $id FOR UPDATE`,
  parameters: { id: 'text' },
  columns: {
    status: typed<DirectoryTenant['status']>('text'),
    settings: typed<TenantPolicySettings>('jsonb'),
    suspendedVersion: 'int8',
  },
});

/** Stores the update unless a newer version is stored: for a new tenant there was no row to lock. */
const upsertTenant = statement({
  name: 'tenants.store-change',
  reason: 'atomic',
  text: `INSERT INTO auth.tenants AS t (id, name, status, version, policy, policy_version)
         VALUES ($id, $name, $status, $version, COALESCE($policy::jsonb, '{}'), COALESCE($policyVersion::bigint, 0))
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, status = excluded.status,
           policy = COALESCE($policy::jsonb, t.policy), policy_version = COALESCE($policyVersion::bigint, t.policy_version),
           version = excluded.version, updated_at = now()
         WHERE t.version < excluded.version`,
  parameters: {
    id: 'text',
    name: 'text',
    status: 'text',
    version: 'int8',
    policy: 'jsonb?',
    policyVersion: 'int8?',
  },
});

export async function storeTenant(
  tx: Sql,
  tenant: DirectoryTenant,
  version: bigint,
): Promise<{
  stored: boolean;
  before: DirectoryTenant['status'] | undefined;
  settingsBefore: TenantPolicySettings;
  suspendedVersion: bigint;
}> {
  const { id, name, status, policy } = tenant;
  const before = await holdTenant.first(tx, { id });
  const stored = await upsertTenant.count(tx, {
    id,
    name,
    status,
    version,
    policy: policy?.settings,
    policyVersion: policy?.version,
  });
  return {
    stored: stored > 0,
    before: before?.status,
    settingsBefore: before?.settings ?? {},
    suspendedVersion: BigInt(before?.suspendedVersion ?? 0),
  };
}

export async function noteSuspended(tx: Connection, id: string, version: bigint): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.tenant.updateMany({
    where: { id, suspendedVersion: { lt: version } },
    data: { suspendedVersion: version },
  });
}

export async function rememberTenant(sql: Connection, tenant: DirectoryTenant): Promise<void> {
  const { id, name, status, policy } = tenant;
  const prisma = await sql.prisma();
  await prisma.tenant.createMany({
    data: {
      id,
      name,
      status,
      version: 0,
      ...(policy && { policy: policy.settings as Prisma.InputJsonObject, policyVersion: policy.version }),
    },
    skipDuplicates: true,
  });
}

async function endEverythingOfTenant(
  tx: Connection,
  tenant: string,
  { announceClients, endGrants }: TenantEndings,
): Promise<EndedOfTenant> {
  await endGrants(tx, tenant);
  const prisma = await tx.prisma();
  const nextEpoch = { epoch: { increment: 1 } };
  const clients = await prisma.client.updateManyAndReturn({
    where: { tenant },
    data: nextEpoch,
    select: { clientId: true, epoch: true },
  });
  // Processes that cache the previous epochs would reject the clients' requests after the tenant is reactivated.
  await announceClients(tx, tenant);
  const accounts = await prisma.serviceAccount.updateManyAndReturn({
    where: { tenant },
    data: nextEpoch,
    select: { id: true, epoch: true },
  });
  const tokens = await prisma.apiToken.findMany({
    where: { tenant, subjectId: { not: null }, ...perhapsLive() },
    select: { id: true },
  });
  return {
    clients: [...clients, ...accounts.map(({ id, epoch }) => ({ clientId: id, epoch }))],
    personalTokens: tokens.map(({ id }) => id),
  };
}

export interface TenantEndings {
  /** Notifies every process after the commit that all clients of a tenant changed. */
  announceClients(tx: Sql, tenant: string): Promise<void>;
  /** Revokes all grants of a tenant with their refresh tokens. */
  endGrants(tx: Connection, tenant: string): Promise<void>;
}

export const postgresTenants = (endings: TenantEndings): TenantStore => ({
  findTenant,
  storeTenant,
  noteSuspended,
  rememberTenant,
  endEverythingOfTenant: (tx: Connection, tenant) => endEverythingOfTenant(tx, tenant, endings),
});
