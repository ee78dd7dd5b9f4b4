import { type IdPage, isUniqueViolation, type Sql, wayOf } from '@ostiary/database';
import { Conditions } from '../../database/data/index.ts';
import { narrowToOwner } from '../../ownership/data/index.ts';
import type { OwnerFilter } from '../../ownership/index.ts';
import {
  type AssertionKey,
  KeyTaken,
  type ServiceAccount,
  type ServiceAccountChange,
  type ServiceAccountKey,
  type ServiceAccountStore,
} from '../domain/service-account-store.ts';

const columns = `a.id, a.name, a.description, a.scopes, a.epoch, a.version, a.disabled_at IS NOT NULL AS disabled,
  a.created_at AS "createdAt"`;
const keyColumns = `k.id, k.service_account_id AS "serviceAccountId", k.kid, k.alg, k.created_at AS "createdAt",
  k.expires_at AS "expiresAt", k.last_used_at AS "lastUsedAt"`;

export async function findServiceAccount(
  sql: Sql,
  tenant: string,
  id: string,
  o: { lock?: boolean } = {},
): Promise<ServiceAccount | undefined> {
  const { rows } = await sql.query<ServiceAccount>(
    `SELECT ${columns} FROM auth.service_accounts a WHERE a.tenant = $1 AND a.id = $2
     ${o.lock ? 'FOR NO KEY UPDATE' : ''}`,
    [tenant, id],
  );
  return rows[0];
}

export async function listServiceAccounts(
  sql: Sql,
  tenant: string,
  page: IdPage,
  filter: OwnerFilter = {},
): Promise<{ accounts: ServiceAccount[]; total: number }> {
  const { beyond, order } = wayOf(page);
  const where = new Conditions('a.tenant = $1', tenant);
  narrowToOwner(where, 'service_account', 'a.id::text', filter);
  const counted = sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM auth.service_accounts a WHERE ${where.text}`,
    [...where.values],
  );
  where.add((position) => `a.id ${beyond} ${position}::uuid`, page.position);
  const [{ rows }, count] = await Promise.all([
    sql.query<ServiceAccount>(
      `SELECT ${columns} FROM auth.service_accounts a WHERE ${where.text}
        ORDER BY a.id ${order} LIMIT $${where.values.length + 1}`,
      [...where.values, page.limit],
    ),
    counted,
  ]);
  return { accounts: rows, total: count.rows[0]?.total ?? 0 };
}

export async function insertServiceAccount(
  sql: Sql,
  tenant: string,
  account: { id: string; name: string; description: string | null; scopes: readonly string[] },
): Promise<ServiceAccount> {
  const { rows } = await sql.query<ServiceAccount>(
    `INSERT INTO auth.service_accounts AS a (tenant, id, name, description, scopes)
     VALUES ($1, $2, $3, $4, $5) RETURNING ${columns}`,
    [tenant, account.id, account.name, account.description, account.scopes],
  );
  return rows[0] as ServiceAccount;
}

export async function updateServiceAccount(
  tx: Sql,
  tenant: string,
  id: string,
  change: ServiceAccountChange,
): Promise<ServiceAccount> {
  const { rows } = await tx.query<ServiceAccount>(
    `UPDATE auth.service_accounts a SET name = $3, description = $4, scopes = $5,
            disabled_at = CASE WHEN $6::boolean THEN coalesce(disabled_at, now()) END,
            epoch = epoch + $7::int, version = version + 1, updated_at = now()
      WHERE a.tenant = $1 AND a.id = $2 RETURNING ${columns}`,
    [tenant, id, change.name, change.description, change.scopes, change.disabled, change.nextEpoch ? 1 : 0],
  );
  return rows[0] as ServiceAccount;
}

export async function deleteServiceAccount(tx: Sql, tenant: string, id: string): Promise<void> {
  await tx.query('DELETE FROM auth.service_accounts WHERE tenant = $1 AND id = $2', [tenant, id]);
}

export async function insertServiceAccountKey(
  tx: Sql,
  tenant: string,
  key: {
    id: string;
    serviceAccountId: string;
    kid: string;
    alg: string;
    publicJwk: object;
    expiresAt: Date | null;
  },
): Promise<ServiceAccountKey> {
  const inserted = tx.query<ServiceAccountKey>(
    `INSERT INTO auth.service_account_keys AS k (tenant, id, service_account_id, kid, alg, public_jwk, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING ${keyColumns}`,
    [tenant, key.id, key.serviceAccountId, key.kid, key.alg, JSON.stringify(key.publicJwk), key.expiresAt],
  );
  const { rows } = await inserted.catch((error) => {
    throw isUniqueViolation(error) ? new KeyTaken() : error;
  });
  return rows[0] as ServiceAccountKey;
}

export async function listServiceAccountKeys(
  sql: Sql,
  tenant: string,
  accountIds: readonly string[],
): Promise<ServiceAccountKey[]> {
  const { rows } = await sql.query<ServiceAccountKey>(
    `SELECT ${keyColumns} FROM auth.service_account_keys k
      WHERE k.tenant = $1 AND k.service_account_id = ANY($2::uuid[]) ORDER BY k.id DESC`,
    [tenant, [...accountIds]],
  );
  return rows;
}

export async function deleteServiceAccountKey(
  tx: Sql,
  tenant: string,
  id: string,
): Promise<{ id: string; serviceAccountId: string; kid: string; alg: string } | undefined> {
  const { rows } = await tx.query<{ id: string; serviceAccountId: string; kid: string; alg: string }>(
    `DELETE FROM auth.service_account_keys WHERE tenant = $1 AND id = $2
     RETURNING id, service_account_id AS "serviceAccountId", kid, alg`,
    [tenant, id],
  );
  return rows[0];
}

export async function findAssertionKey(
  sql: Sql,
  tenant: string,
  accountId: string,
  kid: string,
): Promise<AssertionKey | undefined> {
  const { rows } = await sql.query<AssertionKey>(
    `SELECT k.id, k.alg, k.public_jwk AS "publicJwk", a.scopes, a.epoch
       FROM auth.service_account_keys k
       JOIN auth.service_accounts a ON a.tenant = k.tenant AND a.id = k.service_account_id
      WHERE k.tenant = $1 AND k.service_account_id = $2 AND k.kid = $3
        AND a.disabled_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
        AND NOT EXISTS (SELECT 1 FROM auth.tenants n WHERE n.id = a.tenant AND n.status = 'suspended')`,
    [tenant, accountId, kid],
  );
  return rows[0];
}

/** Notes when keys were last used. */
export async function touchServiceAccountKeys(
  sql: Sql,
  used: readonly { tenant: string; id: string; at: Date }[],
): Promise<void> {
  await sql.query(
    `UPDATE auth.service_account_keys k SET last_used_at = u.at
       FROM unnest($1::text[], $2::uuid[], $3::timestamptz[]) AS u(tenant, id, at)
      WHERE k.tenant = u.tenant AND k.id = u.id AND (k.last_used_at IS NULL OR k.last_used_at < u.at)`,
    [used.map((use) => use.tenant), used.map((use) => use.id), used.map((use) => use.at)],
  );
}

export const postgresServiceAccounts: ServiceAccountStore = {
  findServiceAccount,
  listServiceAccounts,
  insertServiceAccount,
  updateServiceAccount,
  deleteServiceAccount,
  insertServiceAccountKey,
  listServiceAccountKeys,
  deleteServiceAccountKey,
  findAssertionKey,
};
