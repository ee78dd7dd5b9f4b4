import { type IdPage, isUniqueViolation, type Sql, wayOf } from '@ostiary/database';
import { Conditions } from '../../database/data/index.ts';
import type { IssuerSubject, IssuerSubjectFilter, IssuerSubjectList } from '../domain/issuer-subject.ts';
import { type IssuerSubjectStore, SubjectTaken } from '../domain/issuer-subject-store.ts';

const columns = `b.id, b.issuer_id AS "trustedIssuerId", b.subject, b.subject_id AS "subjectId", b.created_at AS "createdAt"`;

export async function insertIssuerSubject(
  tx: Sql,
  tenant: string,
  { id, trustedIssuerId, subject, subjectId, createdAt }: IssuerSubject,
): Promise<void> {
  const inserted = tx.query(
    `INSERT INTO auth.issuer_subjects (tenant, id, issuer_id, subject, subject_id, created_at)
     VALUES ($1, $2, $3, $4, $5, $6)`,
    [tenant, id, trustedIssuerId, subject, subjectId, createdAt],
  );
  await inserted.catch((error) => {
    throw isUniqueViolation(error) ? new SubjectTaken() : error;
  });
}

export async function holdIssuerSubjects(
  tx: Sql,
  tenant: string,
  trustedIssuerId: string,
): Promise<number | undefined> {
  const issuer = await tx.query(
    'SELECT 1 FROM auth.trusted_issuers WHERE tenant = $1 AND id = $2 FOR NO KEY UPDATE',
    [tenant, trustedIssuerId],
  );
  if (issuer.rowCount === 0) return undefined;
  return countIssuerSubjects(tx, tenant, { trustedIssuerId });
}

export async function deleteIssuerSubject(
  tx: Sql,
  tenant: string,
  id: string,
): Promise<
  { binding: IssuerSubject; grants: { id: string; subjectId: string; clientId: string }[] } | undefined
> {
  const { rows } = await tx.query<IssuerSubject>(
    `DELETE FROM auth.issuer_subjects b WHERE b.tenant = $1 AND b.id = $2 RETURNING ${columns}`,
    [tenant, id],
  );
  const [binding] = rows;
  if (!binding) return undefined;
  const grants = await tx.query<{ id: string; subjectId: string; clientId: string }>(
    `SELECT id, subject_id AS "subjectId", client_id AS "clientId" FROM auth.grants
     WHERE tenant = $1 AND trusted_issuer_id = $2 AND subject_id = $3 AND revoked_at IS NULL AND expires_at > now()`,
    [tenant, binding.trustedIssuerId, binding.subjectId],
  );
  return { binding, grants: grants.rows };
}

export async function findBoundSubject(
  sql: Sql,
  tenant: string,
  trustedIssuerId: string,
  subject: string,
): Promise<string | undefined> {
  const { rows } = await sql.query<{ subjectId: string }>(
    `SELECT subject_id AS "subjectId" FROM auth.issuer_subjects
     WHERE tenant = $1 AND issuer_id = $2 AND subject = $3`,
    [tenant, trustedIssuerId, subject],
  );
  return rows[0]?.subjectId;
}

function conditionsOf(tenant: string, { id, trustedIssuerId, userId }: IssuerSubjectFilter): Conditions {
  const where = new Conditions('b.tenant = $1', tenant);
  where.uuid('b.id', id);
  where.uuid('b.issuer_id', trustedIssuerId);
  where.uuid('b.subject_id', userId);
  return where;
}

export async function issuerSubjectPage(
  sql: Sql,
  tenant: string,
  filter: IssuerSubjectFilter,
  page: IdPage,
): Promise<IssuerSubject[]> {
  const where = conditionsOf(tenant, filter);
  const { beyond, order } = wayOf(page);
  where.uuid('b.id', page.position, beyond);
  const { rows } = await sql.query<IssuerSubject>(
    `SELECT ${columns} FROM auth.issuer_subjects b WHERE ${where.text} ORDER BY b.id ${order} LIMIT ${Math.trunc(page.limit)}`,
    where.values,
  );
  return rows;
}

export async function countIssuerSubjects(
  sql: Sql,
  tenant: string,
  filter: IssuerSubjectFilter,
): Promise<number> {
  const where = conditionsOf(tenant, filter);
  const { rows } = await sql.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM auth.issuer_subjects b WHERE ${where.text}`,
    where.values,
  );
  return rows[0]?.total ?? 0;
}

export const postgresIssuerSubjects: IssuerSubjectStore = {
  insertIssuerSubject,
  holdIssuerSubjects,
  deleteIssuerSubject,
  findBoundSubject,
  issuerSubjectPage,
  countIssuerSubjects,
};

/** @see IssuerSubjectList */
export class PostgresIssuerSubjectList implements IssuerSubjectList {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  page(tenant: string, filter: IssuerSubjectFilter, page: IdPage): Promise<IssuerSubject[]> {
    return issuerSubjectPage(this.#sql, tenant, filter, page);
  }

  count(tenant: string, filter: IssuerSubjectFilter): Promise<number> {
    return countIssuerSubjects(this.#sql, tenant, filter);
  }
}
