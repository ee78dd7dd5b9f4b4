import { isUniqueViolation, type Sql } from '@ostiary/database';
import type { ClientKey } from '../../clients/index.ts';
import { invalidRequest } from '../../protocol/index.ts';
import type { AssertedGrant } from '../domain/asserted-grant.ts';
import type { TrustedIssuer, TrustedIssuerStore } from '../domain/trusted-issuer-store.ts';

interface IssuerRow {
  id: string;
  name: string;
  issuer: string;
  jwks: { keys: readonly ClientKey[] } | null;
  jwksUri: string | null;
  clientIds: string[];
  scopes: string[];
  version: number;
  createdAt: Date;
}

const columns = `id, name, issuer, jwks, jwks_uri AS "jwksUri",
  client_ids AS "clientIds", scopes, version, created_at AS "createdAt"`;

const fromRow = ({ jwks, ...row }: IssuerRow): TrustedIssuer => ({ ...row, keys: jwks?.keys ?? null });

export async function findTrustedIssuer(
  sql: Sql,
  tenant: string,
  issuer: string,
): Promise<TrustedIssuer | undefined> {
  const { rows } = await sql.query<IssuerRow>(
    `SELECT ${columns} FROM auth.trusted_issuers WHERE tenant = $1 AND issuer = $2`,
    [tenant, issuer],
  );
  return rows[0] && fromRow(rows[0]);
}

export async function listTrustedIssuers(sql: Sql, tenant: string): Promise<TrustedIssuer[]> {
  const { rows } = await sql.query<IssuerRow>(
    `SELECT ${columns} FROM auth.trusted_issuers WHERE tenant = $1 ORDER BY id`,
    [tenant],
  );
  return rows.map(fromRow);
}

export async function insertTrustedIssuer(
  tx: Sql,
  tenant: string,
  issuer: TrustedIssuer,
  most: number,
): Promise<boolean> {
  // Serializes those who add to one tenant, so that the count holds.
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`trusted_issuers/${tenant}`]);
  const inserted = tx.query(
    `INSERT INTO auth.trusted_issuers
       (tenant, id, name, issuer, jwks, jwks_uri, client_ids, scopes, version, created_at)
     SELECT $1, $2, $3, $4, $5::jsonb, $6, $7::text[], $8::text[], $9, $10
     WHERE (SELECT count(*) FROM auth.trusted_issuers WHERE tenant = $1) < $11`,
    [
      tenant,
      issuer.id,
      issuer.name,
      issuer.issuer,
      issuer.keys === null ? null : JSON.stringify({ keys: issuer.keys }),
      issuer.jwksUri,
      issuer.clientIds,
      issuer.scopes,
      issuer.version,
      issuer.createdAt,
      most,
    ],
  );
  const { rowCount } = await inserted.catch((error) => {
    throw isUniqueViolation(error) ? invalidRequest('This issuer is trusted already.') : error;
  });
  return rowCount === 1;
}

export async function deleteTrustedIssuer(
  tx: Sql,
  tenant: string,
  id: string,
): Promise<
  { issuer: TrustedIssuer; grants: { id: string; subjectId: string; clientId: string }[] } | undefined
> {
  const deleted = await tx.query<IssuerRow>(
    `DELETE FROM auth.trusted_issuers WHERE tenant = $1 AND id = $2 RETURNING ${columns}`,
    [tenant, id],
  );
  if (!deleted.rows[0]) return undefined;
  const { rows } = await tx.query<{ id: string; subjectId: string; clientId: string }>(
    `SELECT id, subject_id AS "subjectId", client_id AS "clientId" FROM auth.grants
     WHERE tenant = $1 AND trusted_issuer_id = $2 AND revoked_at IS NULL AND expires_at > now()`,
    [tenant, id],
  );
  return { issuer: fromRow(deleted.rows[0]), grants: rows };
}

/**
 * The grant behind an assertion, in one statement. Person, issuer and binding are locked against a departure, or a withdrawal of the
 * trust or of the binding, at the same time: it either sees this grant, or is seen by it.
 */
const openStatement = `
WITH allowed AS (
  SELECT 1 FROM auth.subjects s, auth.clients c, auth.trusted_issuers i, auth.issuer_subjects b
  WHERE s.tenant = $1 AND s.id = $3 AND s.active AND NOT s.deleted AND s.epoch = $4
    AND c.tenant = $1 AND c.client_id = $5 AND c.disabled_at IS NULL AND c.epoch = $6
    AND i.tenant = $1 AND i.id = $7 AND $5 = ANY(i.client_ids)
    AND b.tenant = $1 AND b.issuer_id = $7 AND b.subject_id = $3 AND b.subject = $11
  FOR SHARE OF s, i, b
)
INSERT INTO auth.grants (tenant, id, client_id, subject_id, subject_epoch, client_epoch, scopes, resources, amr, expires_at,
  trusted_issuer_id)
SELECT $1, $2, $5, $3, $4, $6, $8::text[], $9::text[], '{}', now() + $10 * interval '1 second', $7 FROM allowed
RETURNING extract(epoch FROM expires_at)::float8 AS "expiresAt"`;

export async function openAssertedGrant(
  sql: Sql,
  tenant: string,
  grant: AssertedGrant,
): Promise<number | undefined> {
  const { rows } = await sql.query<{ expiresAt: number }>(openStatement, [
    tenant,
    grant.id,
    grant.subjectId,
    grant.subjectEpoch,
    grant.clientId,
    grant.clientEpoch,
    grant.trustedIssuerId,
    grant.scopes,
    grant.resources,
    grant.lifetimeSeconds,
    grant.issuerSubject,
  ]);
  return rows[0] && Math.floor(rows[0].expiresAt);
}

export const postgresTrustedIssuers: TrustedIssuerStore = {
  findTrustedIssuer,
  listTrustedIssuers,
  insertTrustedIssuer,
  deleteTrustedIssuer,
  openAssertedGrant,
};
