import { type Sql, statement } from '@ostiary/database';
import {
  securityEventClause,
  securityEventParameters,
  securityEventValues,
} from '../../../platform/audit/security-log.data.ts';
import type { Connection } from '../../../platform/database/data/connection.ts';
import { changesBetween } from '../../../platform/index.ts';
import { isActive, subjectAs } from '../../../tenancy/users/data/subject-conditions.ts';
import type { ConsentingUser, ConsentStore } from '../domain/consents.ts';
import { delegationsOfUser } from './delegation-conditions.ts';

/** Runs in each authorization request. */
const scopesOf = statement({
  name: 'consents.scopes',
  reason: 'hot path',
  text: `SELECT scopes FROM auth.consents
          WHERE tenant = $tenant AND subject_id = $subjectId AND client_id = $clientId AND revoked_at IS NULL`,
  parameters: { tenant: 'text', subjectId: 'uuid', clientId: 'text' },
  columns: { scopes: 'text[]!' },
});

export async function consentedScopes(
  sql: Sql,
  tenant: string,
  subjectId: string,
  clientId: string,
): Promise<ReadonlySet<string>> {
  const found = await scopesOf.first(sql, { tenant, subjectId, clientId });
  return new Set(found?.scopes ?? []);
}

/**
 * Stores the consent if the user is still signed in, has withdrawn no consent since the request, and the client's
 * registration is unchanged. These rows stay locked until the commit.
 */
const remember = statement({
  name: 'consents.remember',
  reason: 'atomic',
  text: `WITH person AS (
       SELECT 1 FROM auth.sessions o JOIN ${subjectAs('s', '$tenant', '$subjectId')}, auth.clients k
        WHERE ${isActive('s')} AND s.epoch = $subjectEpoch
          AND COALESCE((s.withdrawals->>$clientId::text)::int, 0) = $withdrawals
          AND o.tenant = $tenant AND o.id = $sessionId AND o.subject_id = s.id AND o.revoked_at IS NULL
          AND k.tenant = $tenant AND k.client_id = $clientId AND k.version = $clientVersion
       FOR SHARE OF s, o, k
     ), ${securityEventClause('person')}
     INSERT INTO auth.consents AS c (tenant, subject_id, client_id, scopes) SELECT $tenant, $subjectId, $clientId, $scopes FROM person
     ON CONFLICT (tenant, subject_id, client_id) DO UPDATE SET
       scopes = CASE WHEN c.revoked_at IS NULL
                     THEN ARRAY(SELECT DISTINCT unnest(c.scopes || excluded.scopes) ORDER BY 1)
                     ELSE excluded.scopes END,
       granted_at = now(), revoked_at = NULL`,
  parameters: {
    tenant: 'text',
    subjectId: 'uuid',
    clientId: 'text',
    scopes: 'text[]',
    subjectEpoch: 'int4',
    withdrawals: 'int4',
    clientVersion: 'int4',
    sessionId: 'uuid',
    ...securityEventParameters,
  },
});

export async function rememberConsent(
  sql: Sql,
  tenant: string,
  { session: { id: sessionId, subjectId, subjectEpoch }, withdrawals, clientVersion }: ConsentingUser,
  clientId: string,
  scopes: readonly string[],
): Promise<void> {
  const event = securityEventValues(tenant, {
    action: 'user.app_allowed',
    resourceType: 'Client',
    resourceId: clientId,
    subjectId,
    changes: changesBetween(undefined, { scopes: [...scopes] }),
  });
  const consent = { subjectId, clientId, scopes, subjectEpoch, withdrawals, clientVersion, sessionId };
  await remember.run(sql, { tenant, ...consent, ...event });
}

export async function forgetConsents(tx: Connection, tenant: string, subjectId: string): Promise<void> {
  const prisma = await tx.prisma();
  const data = { revokedAt: new Date() };
  await prisma.consent.updateMany({ where: { tenant, subjectId, revokedAt: null }, data });
}

const endOfConsents = statement({
  name: 'clients.end_consents',
  reason: 'set',
  text: `UPDATE auth.consents SET revoked_at = now()
          WHERE tenant = $tenant AND client_id = $clientId AND revoked_at IS NULL`,
  parameters: { tenant: 'text', clientId: 'text' },
});

/** Revokes all consents to a client. Returns their number. */
export const endConsentsTo = (tx: Sql, client: { tenant: string; clientId: string }): Promise<number> =>
  endOfConsents.count(tx, client);

/** Consents, active grants and active delegations of a user, with client, scopes and time. */
export const allowedByUser = `SELECT client_id, scopes, granted_at AS since, false AS agent FROM auth.consents
   WHERE tenant = $tenant AND subject_id = $subjectId AND revoked_at IS NULL
  UNION ALL
  SELECT client_id, scopes, created_at, false FROM auth.grants
   WHERE tenant = $tenant AND subject_id = $subjectId AND revoked_at IS NULL AND expires_at > now()
  UNION ALL
  ${delegationsOfUser}`;

export const postgresConsents: ConsentStore = { consentedScopes, rememberConsent, forgetConsents };
