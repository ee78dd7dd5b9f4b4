import { type Sql, statement, typed } from '@ostiary/database';
import { fromSubject } from '../../../tenancy/users/data/subject-conditions.ts';
import type { CredentialSummary } from '../domain/credential-summaries.ts';

/** For many users at a time, from five tables. */
const summaries = statement({
  name: 'sign_in.credential_summaries',
  reason: 'set',
  text: `SELECT person.id AS "subjectId",
              (SELECT max(c.activated_at) FROM auth.credentials c
                WHERE c.tenant = $tenant AND c.subject_id = person.id AND c.kind = 'password' AND c.activated_at IS NOT NULL
                  AND c.replaced_at IS NULL) AS "passwordSince",
              (SELECT f.created_at FROM auth.totp_factors f
                WHERE f.tenant = $tenant AND f.subject_id = person.id) AS "totpSince",
              (SELECT count(*)::int FROM auth.recovery_codes r
                WHERE r.tenant = $tenant AND r.subject_id = person.id AND r.used_at IS NULL) AS "recoveryCodesLeft",
              coalesce((SELECT jsonb_agg(jsonb_build_object('id', p.id, 'name', p.name, 'synced', p.synced,
                          'createdAt', p.created_at, 'lastUsedAt', p.last_used_at) ORDER BY p.created_at, p.id)
                         FROM auth.passkeys p WHERE p.tenant = $tenant AND p.subject_id = person.id), '[]') AS passkeys
         ${fromSubject('person', '$tenant', '= ANY($subjectIds::uuid[])')} AND NOT person.deleted`,
  parameters: { tenant: 'text', subjectIds: 'uuid[]' },
  columns: {
    subjectId: 'uuid',
    passwordSince: 'timestamptz?',
    totpSince: 'timestamptz?',
    recoveryCodesLeft: 'int4',
    passkeys: typed<CredentialSummary['passkeys']>('jsonb'),
  },
});

export const credentialSummaries = (
  sql: Sql,
  tenant: string,
  subjectIds: readonly string[],
): Promise<CredentialSummary[]> => summaries.rows(sql, { tenant, subjectIds });
