import type { Sql } from '@ostiary/database';
import type { TenantPolicySettings, VersionedTenantPolicy } from '@ostiary/events';
import { announceClientsOf } from '../../clients/data/index.ts';

/** A tenant as the directory describes it. */
export interface ToldTenant {
  id: string;
  name: string;
  status: 'active' | 'suspended';
  /** What the tenant set for itself; left out by a directory of an older release. */
  policy?: VersionedTenantPolicy | undefined;
}

export interface TenantRow extends Omit<ToldTenant, 'policy'> {
  settings: TenantPolicySettings;
}

/** A tenant as the directory last described it to this service. */
export async function findTenant(sql: Sql, id: string): Promise<TenantRow | undefined> {
  const { rows } = await sql.query<TenantRow>(
    'SELECT id, name, status, policy AS settings FROM auth.tenants WHERE id = $1',
    [id],
  );
  return rows[0];
}

/**
 * Takes in what an event says about a tenant, unless something newer is known.
 * @returns the status and the settings before, and whether the news was taken; `suspendedVersion`: every suspension up to this version of the tenant
 * has been carried out. The row stays locked until the transaction ends
 */
export async function storeTenant(
  tx: Sql,
  tenant: ToldTenant,
  version: bigint,
): Promise<{
  stored: boolean;
  before: ToldTenant['status'] | undefined;
  settingsBefore: TenantPolicySettings;
  suspendedVersion: bigint;
}> {
  const { rows } = await tx.query<{
    status: ToldTenant['status'];
    settings: TenantPolicySettings;
    suspendedVersion: string;
  }>(
    `SELECT status, policy AS settings, suspended_version::text AS "suspendedVersion" FROM auth.tenants WHERE id = $1 FOR UPDATE`,
    [tenant.id],
  );
  const { rowCount } = await tx.query(
    `INSERT INTO auth.tenants AS t (id, name, status, version, policy, policy_version)
     VALUES ($1, $2, $3, $4, COALESCE($5::jsonb, '{}'), COALESCE($6::bigint, 0))
     ON CONFLICT (id) DO UPDATE SET name = excluded.name, status = excluded.status,
       policy = COALESCE($5::jsonb, t.policy), policy_version = COALESCE($6::bigint, t.policy_version),
       version = excluded.version, updated_at = now()
     WHERE t.version < excluded.version`,
    [tenant.id, tenant.name, tenant.status, version.toString(), ...columnsOf(tenant)],
  );
  return {
    stored: rowCount > 0,
    before: rows[0]?.status,
    settingsBefore: rows[0]?.settings ?? {},
    suspendedVersion: BigInt(rows[0]?.suspendedVersion ?? 0),
  };
}

/** Notes that suspensions up to a version are carried out. The caller holds the row. */
export async function noteSuspended(tx: Sql, id: string, version: bigint): Promise<void> {
  await tx.query(
    'UPDATE auth.tenants SET suspended_version = greatest(suspended_version, $2::bigint) WHERE id = $1',
    [id, version.toString()],
  );
}

const columnsOf = ({ policy }: ToldTenant): [settings: string | null, version: number | null] =>
  policy ? [JSON.stringify(policy.settings), policy.version] : [null, null];

/** Remembers a tenant the directory was asked about. Any event about it is newer. */
export async function rememberTenant(sql: Sql, tenant: ToldTenant): Promise<void> {
  await sql.query(
    `INSERT INTO auth.tenants (id, name, status, version, policy, policy_version)
     VALUES ($1, $2, $3, 0, COALESCE($4::jsonb, '{}'), COALESCE($5::bigint, 0)) ON CONFLICT (id) DO NOTHING`,
    [tenant.id, tenant.name, tenant.status, ...columnsOf(tenant)],
  );
}

/** What verifiers must hear of when everything of a tenant ends. */
export interface EndedOfTenant {
  /** Clients, and service accounts, which are clients to a verifier; each with its new epoch. */
  clients: readonly { clientId: string; epoch: number }[];
  /** Ids of people's personal access tokens, of which verifiers may remember a good answer. */
  personalTokens: readonly string[];
}

/**
 * Ends the grants and refresh tokens of a whole tenant, whose sessions have ended, and counts every client's and every service account's
 * epoch up: each access token names one of them and its epoch, so that reaches all of them. Secrets, keys, API keys and
 * personal access tokens stay for the day the tenant comes back; until then nobody accepts them.
 */
export async function endEverythingOfTenant(tx: Sql, tenant: string): Promise<EndedOfTenant> {
  await tx.query(
    `UPDATE auth.grants SET revoked_at = now(), expires_at = LEAST(expires_at, now() + interval '1 day')
      WHERE tenant = $1 AND revoked_at IS NULL`,
    [tenant],
  );
  await tx.query(
    'UPDATE auth.refresh_families SET revoked_at = now() WHERE tenant = $1 AND revoked_at IS NULL',
    [tenant],
  );
  const { rows: clients } = await tx.query<{ clientId: string; epoch: number }>(
    'UPDATE auth.clients SET epoch = epoch + 1 WHERE tenant = $1 RETURNING client_id AS "clientId", epoch',
    [tenant],
  );
  // Whoever still knew their last epoch would refuse what they ask for when the tenant is back.
  await announceClientsOf(tx, tenant);
  const { rows: accounts } = await tx.query<{ clientId: string; epoch: number }>(
    'UPDATE auth.service_accounts SET epoch = epoch + 1 WHERE tenant = $1 RETURNING id::text AS "clientId", epoch',
    [tenant],
  );
  const { rows: tokens } = await tx.query<{ id: string }>(
    `SELECT id FROM auth.api_tokens
      WHERE tenant = $1 AND subject_id IS NOT NULL AND revoked_at IS NULL AND expires_at > now()`,
    [tenant],
  );
  return { clients: [...clients, ...accounts], personalTokens: tokens.map(({ id }) => id) };
}
