import type { Scan } from '@ostiary/database';
import { keyOfPage, liveInPage } from '../../../platform/database/data/maintenance.ts';
import { pruning } from '../../../platform/database/data/pruning.ts';
import { ofSuspendedTenant } from '../../../tenancy/tenants/data/maintenance.ts';
import { offboarded, subjectOfPage } from '../../../tenancy/users/data/maintenance.ts';

// A grant is kept for an hour after its expiry, so that a late replay is detected; its refresh families are deleted
// with it.
export const pruneGrants = pruning(
  'maintenance.prune-grants',
  'grants',
  "expires_at < now() - interval '1 hour'",
);

export const grantNode = `SELECT 'Grant' AS type, id::text AS id, subject_id::text AS "ownerId" FROM auth.grants
   WHERE tenant = $tenant AND id = ANY($uuids::uuid[]) AND revoked_at IS NULL AND expires_at > now()`;

// Incrementing the epoch revokes grants in the same transaction, so a live row of an earlier epoch is a violation.
export const grantScan: Scan = {
  name: 'grants',
  says: 'An offboarded user has no active grant or refresh token; a reactivated user has none from before the offboarding.',
  table: 'auth.grants',
  key: keyOfPage,
  flaws: `SELECT page.tenant, page.id::text AS id, 'grant of ' || s.id AS detail FROM page ${subjectOfPage}
           WHERE ${liveInPage} AND (page.subject_epoch < s.epoch OR ${offboarded})`,
};

export const refreshFamilyScan: Scan = {
  name: 'refresh tokens and grants',
  says: 'A refresh token and its grant belong to the same client.',
  table: 'auth.refresh_families',
  key: keyOfPage,
  flaws: `SELECT page.tenant, page.id::text AS id, 'refresh token of ' || page.client_id || ', grant of ' || g.client_id AS detail
            FROM page JOIN auth.grants g ON g.tenant = page.tenant AND g.id = page.grant_id
           WHERE g.client_id <> page.client_id`,
};

export const grantOfSuspendedTenantScan: Scan = {
  name: 'grants of suspended tenants',
  says: 'A suspended tenant has no active grant.',
  table: 'auth.grants',
  key: keyOfPage,
  flaws: `SELECT page.tenant, page.id::text AS id, 'grant of ' || page.subject_id AS detail FROM page ${ofSuspendedTenant}
           WHERE ${liveInPage}`,
};
