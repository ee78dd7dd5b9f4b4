import {
  composedStatement,
  fragment,
  isUniqueViolation,
  type Sql,
  statement,
  typed,
  wayOf,
} from '@ostiary/database';
import type { IdPage } from '@ostiary/service';
import { Conditions, countOf } from '../../../platform/database/data/conditions.ts';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { unlessMissing } from '../../../platform/database/data/missing.ts';
import type { Prisma } from '../../../platform/database/generated/client.ts';
import { suspended } from '../../../tenancy/tenants/data/tenant-conditions.ts';
import { narrowToOwner } from '../../ownership/data/credential-owners.ts';
import type { OwnerFilter } from '../../ownership/domain/credential-owner.ts';
import {
  type AssertionKey,
  KeyTaken,
  type ServiceAccount,
  type ServiceAccountChange,
  type ServiceAccountKey,
  type ServiceAccountStore,
} from '../domain/service-account-store.ts';
import { recordingUses } from './recorded-uses.ts';

/** Columns of an account `a`. */
const account = fragment(
  `a.id, a.name, a.description, a.scopes, a.epoch, a.version, a.disabled_at IS NOT NULL AS disabled, a.created_at AS "createdAt"`,
  {
    id: 'uuid',
    name: 'text',
    description: 'text?',
    scopes: 'text[]!',
    epoch: 'int4',
    version: 'int4',
    disabled: 'bool',
    createdAt: 'timestamptz',
  },
);

const columns = {
  id: true,
  name: true,
  description: true,
  scopes: true,
  epoch: true,
  version: true,
  disabledAt: true,
  createdAt: true,
} as const;

type ServiceAccountRow = Prisma.ServiceAccountGetPayload<{ select: typeof columns }>;

const toServiceAccount = ({ disabledAt, ...row }: ServiceAccountRow): ServiceAccount => ({
  ...row,
  disabled: disabledAt !== null,
});

const keyColumns = {
  id: true,
  serviceAccountId: true,
  kid: true,
  alg: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
} as const;

const holdAccount = statement({
  name: 'service_accounts.hold',
  reason: 'atomic',
  text: `SELECT ${account} FROM auth.service_accounts a WHERE a.tenant = $tenant AND a.id = $id FOR NO KEY UPDATE`,
  parameters: { tenant: 'text', id: 'uuid' },
  columns: account.columns,
});

export async function findServiceAccount(
  sql: Connection,
  tenant: string,
  id: string,
  o: { lock?: boolean } = {},
): Promise<ServiceAccount | undefined> {
  if (o.lock) return holdAccount.first(sql, { tenant, id });
  const prisma = await sql.prisma();
  const row = await prisma.serviceAccount.findUnique({
    where: { tenant_id: { tenant, id } },
    select: columns,
  });
  return row ? toServiceAccount(row) : undefined;
}

interface AskedAccounts {
  tenant: string;
  filter: OwnerFilter;
}

interface AskedAccountPage extends AskedAccounts {
  page: IdPage;
}

/** Owners own several kinds of credentials, so there is no relation to them: the owner rows are joined by kind. */
function accountConditions({ tenant, filter }: AskedAccounts): Conditions {
  const where = new Conditions('a.tenant = $1', tenant);
  narrowToOwner(where, 'service_account', 'a.id::text', filter);
  return where;
}

const exampleFilters: readonly OwnerFilter[] = [{}, { ownerId: 'x', hasOwner: true }, { hasOwner: false }];

const accountPage = composedStatement({
  name: 'service_accounts.page',
  reason: 'set',
  columns: account.columns,
  compose: ({ page, ...asked }: AskedAccountPage) => {
    const where = accountConditions(asked);
    const { beyond, order } = wayOf(page);
    where.add((position) => `a.id ${beyond} ${position}::uuid`, page.position);
    return {
      text: `SELECT ${account} FROM auth.service_accounts a WHERE ${where.text}
              ORDER BY a.id ${order} LIMIT $${where.values.length + 1}`,
      values: [...where.values, page.limit],
    };
  },
  examples: () =>
    exampleFilters.flatMap((filter): AskedAccountPage[] => [
      { tenant: 't', filter, page: { limit: 1, direction: 'forward' } },
      { tenant: 't', filter, page: { limit: 1, direction: 'backward', position: 'x' } },
    ]),
});

const accountCount = countOf('service_accounts.count', 'auth.service_accounts a', accountConditions, () =>
  exampleFilters.map((filter) => ({ tenant: 't', filter })),
);

export async function listServiceAccounts(
  sql: Sql,
  tenant: string,
  page: IdPage,
  filter: OwnerFilter = {},
): Promise<{ accounts: ServiceAccount[]; total: number }> {
  const [accounts, count] = await Promise.all([
    accountPage.rows(sql, { tenant, filter, page }),
    accountCount.first(sql, { tenant, filter }),
  ]);
  return { accounts, total: count?.total ?? 0 };
}

export async function insertServiceAccount(
  sql: Connection,
  tenant: string,
  {
    id,
    name,
    description,
    scopes,
  }: { id: string; name: string; description: string | null; scopes: readonly string[] },
): Promise<ServiceAccount> {
  const prisma = await sql.prisma();
  const data = { tenant, id, name, description, scopes: [...scopes] };
  return toServiceAccount(await prisma.serviceAccount.create({ data, select: columns }));
}

/** The caller holds the row lock. */
export async function updateServiceAccount(
  tx: Connection,
  tenant: string,
  id: string,
  { name, description, scopes, disabled, nextEpoch }: ServiceAccountChange,
): Promise<ServiceAccount> {
  const prisma = await tx.prisma();
  const now = new Date();
  if (disabled) {
    // The time stays when the account is already disabled.
    await prisma.serviceAccount.updateMany({
      where: { tenant, id, disabledAt: null },
      data: { disabledAt: now },
    });
  }
  const row = await prisma.serviceAccount.update({
    where: { tenant_id: { tenant, id } },
    data: {
      name,
      description,
      scopes: [...scopes],
      ...(!disabled && { disabledAt: null }),
      ...(nextEpoch && { epoch: { increment: 1 } }),
      version: { increment: 1 },
      updatedAt: now,
    },
    select: columns,
  });
  return toServiceAccount(row);
}

export async function deleteServiceAccount(tx: Connection, tenant: string, id: string): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.serviceAccount.deleteMany({ where: { tenant, id } });
}

export async function insertServiceAccountKey(
  tx: Connection,
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
  const prisma = await tx.prisma();
  return prisma.serviceAccountKey
    .create({
      data: {
        tenant,
        id: key.id,
        serviceAccountId: key.serviceAccountId,
        kid: key.kid,
        alg: key.alg,
        publicJwk: key.publicJwk as Prisma.InputJsonObject,
        expiresAt: key.expiresAt,
      },
      select: keyColumns,
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new KeyTaken() : error;
    });
}

export async function listServiceAccountKeys(
  sql: Connection,
  tenant: string,
  accountIds: readonly string[],
): Promise<ServiceAccountKey[]> {
  const prisma = await sql.prisma();
  return prisma.serviceAccountKey.findMany({
    where: { tenant, serviceAccountId: { in: [...accountIds] } },
    select: keyColumns,
    orderBy: { id: 'desc' },
  });
}

export async function deleteServiceAccountKey(
  tx: Connection,
  tenant: string,
  id: string,
): Promise<{ id: string; serviceAccountId: string; kid: string; alg: string } | undefined> {
  const prisma = await tx.prisma();
  return unlessMissing(
    prisma.serviceAccountKey.delete({
      where: { tenant_id: { tenant, id } },
      select: { id: true, serviceAccountId: true, kid: true, alg: true },
    }),
  );
}

/** Reads key, account and tenant in one statement, so that none can end between two reads. */
const findKey = statement({
  name: 'service_account_keys.find_live',
  reason: 'atomic',
  text: `SELECT k.id, k.alg, k.public_jwk AS "publicJwk", a.scopes, a.epoch
           FROM auth.service_account_keys k
           JOIN auth.service_accounts a ON a.tenant = k.tenant AND a.id = k.service_account_id
          WHERE k.tenant = $tenant AND k.service_account_id = $accountId AND k.kid = $kid
            AND a.disabled_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now())
            AND NOT ${suspended('a.tenant')}`,
  parameters: { tenant: 'text', accountId: 'uuid', kid: 'text' },
  columns: {
    id: 'uuid',
    alg: 'text',
    publicJwk: typed<AssertionKey['publicJwk']>('jsonb'),
    scopes: 'text[]!',
    epoch: 'int4',
  },
});

export async function findAssertionKey(
  sql: Sql,
  tenant: string,
  accountId: string,
  kid: string,
): Promise<AssertionKey | undefined> {
  return findKey.first(sql, { tenant, accountId, kid });
}

export const touchServiceAccountKeys = recordingUses('service_account_keys');

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
