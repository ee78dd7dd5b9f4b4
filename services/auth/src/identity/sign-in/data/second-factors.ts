import { type Sql, statement } from '@ostiary/database';
import { LiveApiTokens } from '../../../access/machines/data/live-api-tokens.ts';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { CarriedRoles } from '../../../tenancy/index.ts';
import { storedRoles } from '../../../tenancy/users/data/stored-roles.ts';
import type { FactorCounts, SecondFactorStore, SpentCode, StoredTotp } from '../domain/credential-store.ts';

const hasSecondFactor = (tenant: string, subjectId: string): string =>
  `(EXISTS (SELECT 1 FROM auth.totp_factors f WHERE f.tenant = ${tenant} AND f.subject_id = ${subjectId})
    OR EXISTS (SELECT 1 FROM auth.passkeys p WHERE p.tenant = ${tenant} AND p.subject_id = ${subjectId}))`;

export const liveApiTokens = new LiveApiTokens(hasSecondFactor);

/** Read by each sign-in. */
const count = statement({
  name: 'second_factors.count',
  reason: 'hot path',
  text: `SELECT EXISTS (SELECT 1 FROM auth.totp_factors WHERE tenant = $tenant AND subject_id = $subjectId) AS totp,
            (SELECT count(*)::int FROM auth.passkeys WHERE tenant = $tenant AND subject_id = $subjectId) AS passkeys,
            (SELECT count(*)::int FROM auth.recovery_codes
              WHERE tenant = $tenant AND subject_id = $subjectId AND used_at IS NULL) AS "recoveryCodes"`,
  parameters: { tenant: 'text', subjectId: 'uuid' },
  columns: { totp: 'bool', passkeys: 'int4', recoveryCodes: 'int4' },
});

export async function countFactors(sql: Sql, tenant: string, subjectId: string): Promise<FactorCounts> {
  const counted = await count.first(sql, { tenant, subjectId });
  return counted ?? { totp: false, passkeys: 0, recoveryCodes: 0 };
}

/** Prisma returns an empty list for NULL, but only NULL means every role. */
const find = statement({
  name: 'second_factors.find_totp',
  reason: 'atomic',
  text: `SELECT secret, carried_roles AS "carriedRoles" FROM auth.totp_factors
          WHERE tenant = $tenant AND subject_id = $subjectId`,
  parameters: { tenant: 'text', subjectId: 'uuid' },
  columns: { secret: 'bytea', carriedRoles: 'text[]?' },
});

export function findTotp(sql: Sql, tenant: string, subjectId: string): Promise<StoredTotp | undefined> {
  return find.first(sql, { tenant, subjectId });
}

export async function insertTotp(
  tx: Connection,
  tenant: string,
  subjectId: string,
  { secret, lastStep, carriedRoles }: { secret: Buffer; lastStep: number; carriedRoles: CarriedRoles },
): Promise<boolean> {
  const prisma = await tx.prisma();
  const stored = { secret: new Uint8Array(secret), lastStep, ...storedRoles(carriedRoles) };
  const data = [{ tenant, subjectId, ...stored }];
  return (await prisma.totpFactor.createMany({ data, skipDuplicates: true })).count > 0;
}

export async function spendTotpStep(
  sql: Connection,
  tenant: string,
  subjectId: string,
  step: number,
): Promise<boolean> {
  const prisma = await sql.prisma();
  // One UPDATE, so that a waiting caller sees the step of the previous one.
  const where = { tenant, subjectId, lastStep: { lt: step } };
  return (await prisma.totpFactor.updateMany({ where, data: { lastStep: step } })).count > 0;
}

export async function deleteTotp(tx: Connection, tenant: string, subjectId: string): Promise<boolean> {
  const prisma = await tx.prisma();
  return (await prisma.totpFactor.deleteMany({ where: { tenant, subjectId } })).count > 0;
}

export async function replaceRecoveryCodes(
  tx: Connection,
  tenant: string,
  subjectId: string,
  { digests, carriedRoles }: { digests: readonly Buffer[]; carriedRoles: CarriedRoles },
): Promise<void> {
  await deleteRecoveryCodes(tx, tenant, subjectId);
  const prisma = await tx.prisma();
  const shared = { tenant, subjectId, ...storedRoles(carriedRoles) };
  const data = digests.map((digest) => ({ ...shared, digest: new Uint8Array(digest) }));
  await prisma.recoveryCode.createMany({ data });
}

export async function deleteRecoveryCodes(tx: Connection, tenant: string, subjectId: string): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.recoveryCode.deleteMany({ where: { tenant, subjectId } });
}

/** A caller that waits for another UPDATE finds the code used. */
const spendCode = statement({
  name: 'second_factors.spend_recovery_code',
  reason: 'atomic',
  text: `UPDATE auth.recovery_codes SET used_at = now()
          WHERE tenant = $tenant AND subject_id = $subjectId AND digest = $digest AND used_at IS NULL
          RETURNING carried_roles AS "carriedRoles"`,
  parameters: { tenant: 'text', subjectId: 'uuid', digest: 'bytea' },
  columns: { carriedRoles: 'text[]?' },
});

export function spendRecoveryCode(
  sql: Sql,
  tenant: string,
  subjectId: string,
  digest: Buffer,
): Promise<SpentCode | undefined> {
  return spendCode.first(sql, { tenant, subjectId, digest });
}

/** Recovery codes replace a second factor and are useless without one. */
export async function dropNeedlessRecoveryCodes(
  tx: Connection,
  tenant: string,
  subjectId: string,
): Promise<void> {
  const prisma = await tx.prisma();
  const withoutFactors = { totpFactor: null, passkeys: { none: {} } };
  await prisma.recoveryCode.deleteMany({ where: { tenant, subjectId, subject: withoutFactors } });
}

export async function activeEpoch(
  sql: Connection,
  tenant: string,
  subjectId: string,
): Promise<number | undefined> {
  const prisma = await sql.prisma();
  const subject = await prisma.subject.findUnique({
    where: { tenant_id: { tenant, id: subjectId }, active: true, deleted: false },
    select: { epoch: true },
  });
  return subject?.epoch;
}

export const secondFactorStore: SecondFactorStore = {
  count: countFactors,
  activeEpoch,
  findTotp,
  insertTotp,
  spendTotpStep,
  deleteTotp,
  replaceRecoveryCodes,
  deleteRecoveryCodes,
  spendRecoveryCode,
  dropNeedlessRecoveryCodes,
};
