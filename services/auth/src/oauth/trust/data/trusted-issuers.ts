import { isUniqueViolation, type Sql, statement } from '@ostiary/database';
import { storingGrantOfIssuer } from '../../../access/grants/data/grant-conditions.ts';
import { clientAs } from '../../../clients/data/client-conditions.ts';
import type { ClientKey } from '../../../clients/index.ts';
import { holdName } from '../../../platform/database/data/advisory-lock.ts';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { unlessMissing } from '../../../platform/database/data/missing.ts';
import { perhapsLive } from '../../../platform/database/data/perhaps-live.ts';
import type { Prisma } from '../../../platform/database/generated/client.ts';
import { invalidRequest } from '../../../platform/index.ts';
import { isActive, subjectAs } from '../../../tenancy/users/data/subject-conditions.ts';
import type { AssertedGrant } from '../domain/asserted-grant.ts';
import type { TrustedIssuer, TrustedIssuerStore } from '../domain/trusted-issuer-store.ts';

const columns = {
  id: true,
  name: true,
  issuer: true,
  jwks: true,
  jwksUri: true,
  clientIds: true,
  scopes: true,
  version: true,
  createdAt: true,
} as const;

type IssuerRow = Prisma.TrustedIssuerGetPayload<{ select: typeof columns }>;

const toTrustedIssuer = ({ jwks, ...row }: IssuerRow): TrustedIssuer => ({
  ...row,
  keys: (jwks as unknown as { keys: readonly ClientKey[] } | null)?.keys ?? null,
});

export async function findTrustedIssuer(
  sql: Connection,
  tenant: string,
  issuer: string,
): Promise<TrustedIssuer | undefined> {
  const prisma = await sql.prisma();
  const row = await prisma.trustedIssuer.findUnique({
    where: { tenant_issuer: { tenant, issuer } },
    select: columns,
  });
  return row ? toTrustedIssuer(row) : undefined;
}

export async function listTrustedIssuers(sql: Connection, tenant: string): Promise<TrustedIssuer[]> {
  const prisma = await sql.prisma();
  const rows = await prisma.trustedIssuer.findMany({
    where: { tenant },
    select: columns,
    orderBy: { id: 'asc' },
  });
  return rows.map(toTrustedIssuer);
}

const addTrustedIssuer = statement({
  name: 'trusted_issuers.add',
  reason: 'atomic',
  text: `INSERT INTO auth.trusted_issuers
           (tenant, id, name, issuer, jwks, jwks_uri, client_ids, scopes, version, created_at)
         SELECT $tenant, $id, $name, $issuer, $jwks, $jwksUri, $clientIds, $scopes, $version, $createdAt
          WHERE (SELECT count(*) FROM auth.trusted_issuers WHERE tenant = $tenant) < $most`,
  parameters: {
    tenant: 'text',
    id: 'uuid',
    name: 'text',
    issuer: 'text',
    jwks: 'jsonb?',
    jwksUri: 'text?',
    clientIds: 'text[]',
    scopes: 'text[]',
    version: 'int4',
    createdAt: 'timestamptz',
    most: 'int8',
  },
});

export async function insertTrustedIssuer(
  tx: Sql,
  tenant: string,
  { keys, ...issuer }: TrustedIssuer,
  most: number,
): Promise<boolean> {
  // Serializes inserts in one tenant, so that the count is valid.
  await holdName(tx, `trusted_issuers/${tenant}`);
  const added = addTrustedIssuer.count(tx, {
    ...issuer,
    tenant,
    jwks: keys === null ? null : { keys },
    most,
  });
  return (
    (await added.catch((error: unknown) => {
      throw isUniqueViolation(error) ? invalidRequest('This issuer is already trusted.') : error;
    })) === 1
  );
}

export async function deleteTrustedIssuer(
  tx: Connection,
  tenant: string,
  id: string,
): Promise<
  { issuer: TrustedIssuer; grants: { id: string; subjectId: string; clientId: string }[] } | undefined
> {
  const prisma = await tx.prisma();
  const row = await unlessMissing(
    prisma.trustedIssuer.delete({ where: { tenant_id: { tenant, id } }, select: columns }),
  );
  if (!row) return undefined;
  const grants = await prisma.grant.findMany({
    where: { tenant, trustedIssuerId: id, ...perhapsLive() },
    select: { id: true, subjectId: true, clientId: true },
  });
  return { issuer: toTrustedIssuer(row), grants };
}

/**
 * Stores the grant of an assertion in one statement. User, issuer and binding are locked against a concurrent
 * offboarding, deletion or unbinding: either this statement sees its effect, or it sees this grant.
 */
const openGrant = statement({
  name: 'trusted_issuers.open_grant',
  reason: 'atomic',
  text: `WITH allowed AS (
           SELECT b.carried_roles FROM auth.trusted_issuers i JOIN ${subjectAs('s', '$tenant', '$subjectId')} JOIN ${clientAs('$tenant', '$clientId')},
                auth.issuer_subjects b WHERE ${isActive('s')} AND s.epoch = $subjectEpoch
              AND c.disabled_at IS NULL AND c.epoch = $clientEpoch
              AND i.tenant = $tenant AND i.id = $trustedIssuerId AND $clientId = ANY(i.client_ids)
              AND b.tenant = $tenant AND b.issuer_id = $trustedIssuerId AND b.subject_id = $subjectId
              AND b.subject = $issuerSubject
              FOR SHARE OF s, i, b
         )
         ${storingGrantOfIssuer}`,
  parameters: {
    tenant: 'text',
    id: 'uuid',
    subjectId: 'uuid',
    subjectEpoch: 'int4',
    clientId: 'text',
    clientEpoch: 'int4',
    trustedIssuerId: 'uuid',
    scopes: 'text[]',
    resources: 'text[]',
    lifetimeSeconds: 'float8',
    issuerSubject: 'text',
  },
  columns: { expiresAt: 'float8' },
});

export async function openAssertedGrant(
  sql: Sql,
  tenant: string,
  grant: AssertedGrant,
): Promise<number | undefined> {
  const opened = await openGrant.first(sql, { ...grant, tenant });
  return opened && Math.floor(opened.expiresAt);
}

export const postgresTrustedIssuers: TrustedIssuerStore = {
  findTrustedIssuer,
  listTrustedIssuers,
  insertTrustedIssuer,
  deleteTrustedIssuer,
  openAssertedGrant,
};

export const trustedIssuerNode = `SELECT 'TrustedIssuer' AS type, id::text AS id, NULL AS "ownerId" FROM auth.trusted_issuers
   WHERE tenant = $tenant AND id = ANY($uuids::uuid[])`;
