import type { Scan } from '@ostiary/database';
import { entriesWith } from '../../../platform/audit/security-log.data.ts';
import {
  keyOfPage,
  liveInPage,
  longBefore,
  waitingScan,
} from '../../../platform/database/data/maintenance.ts';
import { ofSuspendedTenant } from '../../../tenancy/tenants/data/maintenance.ts';
import { offboarded, subjectOfPage } from '../../../tenancy/users/data/maintenance.ts';

export const pendingLiveEvents = { liveEvents: 'EXISTS (SELECT FROM auth.live_events)' };

export const sessionNode = `SELECT 'Session' AS type, id::text AS id, subject_id::text AS "ownerId" FROM auth.sessions
   WHERE tenant = $tenant AND id = ANY($uuids::uuid[]) AND revoked_at IS NULL AND expires_at > now()
     AND last_seen_at > now() - make_interval(secs => $idleSeconds::float8)`;

const aboutUser = (action: 'user.departed' | 'user.signed_out_everywhere'): string =>
  `SELECT FROM ${entriesWith(action)} l WHERE l.tenant = page.tenant AND l.subject_id = page.subject_id`;

export const sessionScan: Scan = {
  name: 'sessions',
  says: 'An offboarded user has no active session; a reactivated user has none from before the offboarding.',
  table: 'auth.sessions',
  key: keyOfPage,
  flaws: `SELECT page.tenant, page.id::text AS id, 'session of ' || s.id AS detail FROM page ${subjectOfPage}
           WHERE ${liveInPage} AND (${offboarded} OR EXISTS (
             ${aboutUser('user.departed')} AND l.occurred_at > page.created_at))`,
};

export const grantSessionScan: Scan = {
  name: 'grants and sessions',
  says: 'A grant and its session belong to the same user.',
  table: 'auth.grants',
  key: keyOfPage,
  flaws: `SELECT page.tenant, page.id::text AS id, 'grant of ' || page.subject_id || ', session of ' || o.subject_id AS detail
            FROM page JOIN auth.sessions o ON o.tenant = page.tenant AND o.id = page.session_id
           WHERE o.subject_id <> page.subject_id`,
};

export const liveEventScan = (waitingSeconds: number): Scan =>
  waitingScan(
    {
      name: 'live events of auth',
      says: 'Live events of auth are published without delay.',
      table: 'auth.live_events',
      key: [['id', 'uuid']],
    },
    { since: 'occurred_at', detail: `page.type || ' since ' || page.occurred_at`, waitingSeconds },
  );

export const sessionAfterSignOutScan: Scan = {
  name: 'sessions of users signed out everywhere',
  says: 'A user who was signed out everywhere has no active session from before.',
  table: 'auth.sessions',
  key: keyOfPage,
  flaws: `SELECT page.tenant, page.id::text AS id, 'session of ' || page.subject_id AS detail FROM page
           WHERE ${liveInPage} AND EXISTS (
             ${aboutUser('user.signed_out_everywhere')} AND ${longBefore('l.occurred_at')})`,
};

export const sessionOfSuspendedTenantScan: Scan = {
  name: 'sessions of suspended tenants',
  says: 'A suspended tenant has no active session.',
  table: 'auth.sessions',
  key: keyOfPage,
  flaws: `SELECT page.tenant, page.id::text AS id, 'session of ' || page.subject_id AS detail FROM page ${ofSuspendedTenant}
           WHERE ${liveInPage}`,
};
