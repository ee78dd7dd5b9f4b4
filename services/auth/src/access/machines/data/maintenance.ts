import type { Scan } from '@ostiary/database';
import { keyOfPage, liveInPage } from '../../../platform/database/data/maintenance.ts';
import { offboarded, subjectOfPage, type TableOfUsers } from '../../../tenancy/users/data/maintenance.ts';

export const serviceAccountNode = `SELECT 'ServiceAccount' AS type, id::text AS id, NULL AS "ownerId" FROM auth.service_accounts
   WHERE tenant = $tenant AND id = ANY($uuids::uuid[])`;

export const apiTokenNode = `SELECT CASE WHEN subject_id IS NULL THEN 'ApiKey' ELSE 'PersonalAccessToken' END AS type,
    id::text AS id, subject_id::text AS "ownerId" FROM auth.api_tokens
   WHERE tenant = $tenant AND id = ANY($uuids::uuid[]) AND revoked_at IS NULL`;

// Incrementing the epoch revokes tokens in the same transaction, so a live row of an earlier epoch is a violation.
export const personalAccessTokenScan: Scan = {
  name: 'personal access tokens',
  says: 'An offboarded user has no active personal access token; a reactivated user has none from before the offboarding.',
  table: 'auth.api_tokens',
  key: keyOfPage,
  flaws: `SELECT page.tenant, page.id::text AS id, 'personal access token of ' || s.id AS detail FROM page ${subjectOfPage}
           WHERE ${liveInPage} AND (page.owner_epoch < s.epoch OR ${offboarded})`,
};

export const apiTokenTables: readonly TableOfUsers[] = [{ name: 'api_tokens' }];
