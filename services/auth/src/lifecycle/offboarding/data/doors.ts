import { type Sql, statement, typed } from '@ostiary/database';
import { endingDelegations } from '../../../access/grants/data/delegation-conditions.ts';
import {
  endingFamilies,
  endingGrants,
  grantLives,
  notedClients,
} from '../../../access/grants/data/grant-conditions.ts';
import { endingPersonalTokens } from '../../../access/machines/data/machine-conditions.ts';
import {
  endingSessions,
  joiningNotifiedClients,
} from '../../../identity/sessions/data/session-conditions.ts';
import { notifySubscribers } from '../../../identity/sessions/data/sessions.ts';
import { countingInvitations } from '../../../identity/sign-in/data/invitations.ts';
import type { ClosedAccessPaths } from '../../../tenancy/index.ts';

/** Column of client `c`. */
const sessionRequired = "coalesce((c.metadata->>'backchannel_logout_session_required')::boolean, false)";

/**
 * The tenant as an expression, which excludes the primary key. With outdated statistics the planner would use it to
 * read all rows of the tenant for one user.
 */
const ofTenant = "tenant || '' = $tenant";

const closeAccessPaths = statement({
  name: 'offboarding.close-doors',
  reason: 'atomic',
  text: `WITH sessions AS (
       ${endingSessions(`${ofTenant} AND subject_id = $subjectId`)}
       RETURNING id, expires_at = now()::timestamptz(3) AS live
     ), tokens AS (
       ${endingPersonalTokens} RETURNING expires_at > now() AS live
     ), grants AS (
       ${endingGrants(`${ofTenant} AND subject_id = $subjectId`)}
       RETURNING id, client_id, session_id, expires_at > now() AS live
     ), families AS (
       ${endingFamilies(`${ofTenant} AND grant_id = ANY (ARRAY(SELECT id FROM grants))`)}
       RETURNING LEAST(idle_expires_at, absolute_expires_at) > now() AS live
     ), delegations AS (
       ${endingDelegations(`${ofTenant} AND subject_id = $subjectId`)}
       RETURNING ${grantLives('delegations.grant_id')} AS live
     ), held AS (
       ${notedClients('IN (SELECT id FROM sessions)')}
       UNION
       SELECT client_id, session_id FROM grants WHERE live
     ), clients AS (
       SELECT c.client_id, ${sessionRequired} AS required, array_remove(array_agg(held.session_id), NULL) AS sessions
         FROM held ${joiningNotifiedClients}
        GROUP BY 1, 2
     )
     SELECT ARRAY(SELECT id FROM sessions) AS sessions,
       jsonb_build_object(
         'sessions', (SELECT count(*) FROM sessions WHERE live),
         'grants', (SELECT count(*) FROM grants WHERE live),
         'refreshTokens', (SELECT count(*) FROM families WHERE live),
         'delegations', (SELECT count(*) FROM delegations WHERE live),
         'personalAccessTokens', (SELECT count(*) FROM tokens WHERE live),
         'invitations', (${countingInvitations})) AS counts,
       coalesce((SELECT jsonb_agg(jsonb_build_object('clientId', client_id, 'sessionRequired', required,
          'sessions', sessions) ORDER BY client_id) FROM clients), '[]') AS clients`,
  parameters: { tenant: 'text', subjectId: 'uuid' },
  columns: {
    sessions: 'uuid[]',
    counts: typed<ClosedAccessPaths['counts']>('jsonb'),
    clients: typed<ClosedAccessPaths['clients']>('jsonb'),
  },
});

/**
 * Revokes everything issued to a user so far in one statement. The caller holds the user's row and has incremented the
 * epoch, which ends invitations and access tokens.
 */
export async function closeAccessPathsOf(
  tx: Sql,
  tenant: string,
  subjectId: string,
): Promise<ClosedAccessPaths> {
  const closed = (await closeAccessPaths.first(tx, { tenant, subjectId })) as ClosedAccessPaths;
  await notifySubscribers(
    tx,
    tenant,
    closed.sessions.map((id) => ({ id, subjectId })),
  );
  return closed;
}
