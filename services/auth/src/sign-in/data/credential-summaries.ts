import type { Sql } from '@ostiary/database';
import type { CredentialSummaries, CredentialSummary } from '../domain/credential-summaries.ts';

/** @see CredentialSummaries */
export class PostgresCredentialSummaries implements CredentialSummaries {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async of(tenant: string, subjectIds: readonly string[]): Promise<CredentialSummary[]> {
    const { rows } = await this.#sql.query<CredentialSummary>(
      `SELECT person.id AS "subjectId",
              (SELECT max(c.activated_at) FROM auth.credentials c
                WHERE c.tenant = $1 AND c.subject_id = person.id AND c.kind = 'password' AND c.activated_at IS NOT NULL
                  AND c.replaced_at IS NULL) AS "passwordSince",
              (SELECT f.created_at FROM auth.totp_factors f WHERE f.tenant = $1 AND f.subject_id = person.id) AS "totpSince",
              (SELECT count(*)::int FROM auth.recovery_codes r
                WHERE r.tenant = $1 AND r.subject_id = person.id AND r.used_at IS NULL) AS "recoveryCodesLeft",
              coalesce((SELECT jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'synced', p.synced,
                          'createdAt', p.created_at, 'lastUsedAt', p.last_used_at) ORDER BY p.created_at, p.id)
                         FROM auth.passkeys p WHERE p.tenant = $1 AND p.subject_id = person.id), '[]') AS passkeys
         FROM auth.subjects person WHERE person.tenant = $1 AND person.id = ANY($2::uuid[]) AND NOT person.deleted`,
      [tenant, [...subjectIds]],
    );
    return rows;
  }
}
