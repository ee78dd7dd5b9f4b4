import type { Scan } from '@ostiary/database';
import { keyOfPage } from '../../../platform/database/data/maintenance.ts';
import { offboarded, subjectOfPage } from '../../../tenancy/users/data/maintenance.ts';

export const delegationNode = `SELECT 'Delegation' AS type, d.id::text AS id, d.subject_id::text AS "ownerId"
   FROM auth.delegations d JOIN auth.grants g ON g.tenant = d.tenant AND g.id = d.grant_id
  WHERE d.tenant = $tenant AND d.id = ANY($uuids::uuid[]) AND d.ended_at IS NULL AND g.revoked_at IS NULL
    AND g.expires_at > now()`;

// Offboarding ends delegations in its transaction. A row whose grant ended is not active, as `User.delegations` reads it.
export const delegationScan: Scan = {
  name: 'delegations',
  says: 'An offboarded user has no active delegation, and a delegation belongs to the user of its grant.',
  table: 'auth.delegations',
  key: keyOfPage,
  flaws: `SELECT page.tenant, page.id::text AS id, 'delegation of ' || s.id || ' to ' || page.client_id AS detail
            FROM page ${subjectOfPage}
            LEFT JOIN auth.grants g ON g.tenant = page.tenant AND g.id = page.grant_id
           WHERE page.ended_at IS NULL AND ((${offboarded} AND g.revoked_at IS NULL AND g.expires_at > now())
                OR g.subject_id IS DISTINCT FROM page.subject_id)`,
};
