import { isUniqueViolation, type Sql, statement } from '@ostiary/database';
import { type IdPage, isUuid } from '@ostiary/service';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { unlessMissing } from '../../../platform/database/data/missing.ts';
import { perhapsLive } from '../../../platform/database/data/perhaps-live.ts';
import { defined, stretchOf } from '../../../platform/database/data/stretch.ts';
import type { Prisma } from '../../../platform/database/generated/client.ts';
import type { CarriedRoles } from '../../../tenancy/index.ts';
import { storedRoles } from '../../../tenancy/users/data/stored-roles.ts';
import type { IssuerSubject, IssuerSubjectFilter } from '../domain/issuer-subject.ts';
import { type BoundSubject, type IssuerSubjectStore, SubjectTaken } from '../domain/issuer-subject-store.ts';

const columns = { id: true, issuerId: true, subject: true, subjectId: true, createdAt: true } as const;

type IssuerSubjectRow = Prisma.IssuerSubjectGetPayload<{ select: typeof columns }>;

const toIssuerSubject = ({ issuerId, ...row }: IssuerSubjectRow): IssuerSubject => ({
  ...row,
  trustedIssuerId: issuerId,
});

export async function insertIssuerSubject(
  tx: Connection,
  tenant: string,
  { trustedIssuerId: issuerId, carriedRoles, ...binding }: IssuerSubject & { carriedRoles: CarriedRoles },
): Promise<void> {
  const prisma = await tx.prisma();
  await prisma.issuerSubject
    .create({ data: { tenant, issuerId, ...binding, ...storedRoles(carriedRoles) } })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? new SubjectTaken() : error;
    });
}

/**
 * Locks the issuer while a binding is added, so that the count is valid and the issuer is not deleted in the meantime.
 */
const holdIssuer = statement({
  name: 'issuer_subjects.hold_issuer',
  reason: 'atomic',
  text: 'SELECT id FROM auth.trusted_issuers WHERE tenant = $tenant AND id = $id FOR NO KEY UPDATE',
  parameters: { tenant: 'text', id: 'uuid' },
  columns: { id: 'uuid' },
});

export async function holdIssuerSubjects(
  tx: Connection,
  tenant: string,
  trustedIssuerId: string,
): Promise<number | undefined> {
  if (!(await holdIssuer.first(tx, { tenant, id: trustedIssuerId }))) return undefined;
  return countIssuerSubjects(tx, tenant, { trustedIssuerId });
}

export async function deleteIssuerSubject(
  tx: Connection,
  tenant: string,
  id: string,
): Promise<
  { binding: IssuerSubject; grants: { id: string; subjectId: string; clientId: string }[] } | undefined
> {
  const prisma = await tx.prisma();
  const row = await unlessMissing(
    prisma.issuerSubject.delete({ where: { tenant_id: { tenant, id } }, select: columns }),
  );
  if (!row) return undefined;
  const grants = await prisma.grant.findMany({
    where: {
      tenant,
      trustedIssuerId: row.issuerId,
      subjectId: row.subjectId,
      ...perhapsLive(),
    },
    select: { id: true, subjectId: true, clientId: true },
  });
  return { binding: toIssuerSubject(row), grants };
}

/** Raw SQL, because Prisma reads NULL as an empty list, and only NULL means every role. */
const findBound = statement({
  name: 'issuer_subjects.find_bound',
  reason: 'atomic',
  text: `SELECT subject_id AS "subjectId", carried_roles AS "carriedRoles" FROM auth.issuer_subjects
          WHERE tenant = $tenant AND issuer_id = $trustedIssuerId AND subject = $subject`,
  parameters: { tenant: 'text', trustedIssuerId: 'uuid', subject: 'text' },
  columns: { subjectId: 'uuid', carriedRoles: 'text[]?' },
});

export function findBoundSubject(
  sql: Sql,
  tenant: string,
  trustedIssuerId: string,
  subject: string,
): Promise<BoundSubject | undefined> {
  return findBound.first(sql, { tenant, trustedIssuerId, subject });
}

/** Returns undefined for a value that cannot be an id, which matches nothing. */
function conditionsOf(
  tenant: string,
  { id, trustedIssuerId, userId }: IssuerSubjectFilter,
): Prisma.IssuerSubjectWhereInput | undefined {
  if ([id, trustedIssuerId, userId].some((asked) => asked !== undefined && !isUuid(asked))) return undefined;
  return { tenant, ...defined({ id, issuerId: trustedIssuerId, subjectId: userId }) };
}

export async function issuerSubjectPage(
  sql: Connection,
  tenant: string,
  filter: IssuerSubjectFilter,
  page: IdPage,
): Promise<IssuerSubject[]> {
  const where = conditionsOf(tenant, filter);
  if (!where || (page.position !== undefined && !isUuid(page.position))) return [];
  const { beyond, ...stretch } = stretchOf(page);
  const prisma = await sql.prisma();
  const rows = await prisma.issuerSubject.findMany({
    where: { AND: [where, beyond] },
    select: columns,
    ...stretch,
  });
  return rows.map(toIssuerSubject);
}

export async function countIssuerSubjects(
  sql: Connection,
  tenant: string,
  filter: IssuerSubjectFilter,
): Promise<number> {
  const where = conditionsOf(tenant, filter);
  if (!where) return 0;
  const prisma = await sql.prisma();
  return prisma.issuerSubject.count({ where });
}

export const postgresIssuerSubjects: IssuerSubjectStore = {
  insertIssuerSubject,
  holdIssuerSubjects,
  deleteIssuerSubject,
  findBoundSubject,
  issuerSubjectPage,
  countIssuerSubjects,
};
