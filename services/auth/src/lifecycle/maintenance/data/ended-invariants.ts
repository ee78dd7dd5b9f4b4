import type { Scan } from '@ostiary/database';

const key = [
  ['tenant', 'text'],
  ['id', 'uuid'],
] as const;

const live = 'page.revoked_at IS NULL AND page.expires_at > now()';

/**
 * Condition for rows created so long before an end that the end must have found them, including the longest
 * transaction. Rows created concurrently are subject to epochs and locks and prove nothing.
 */
const longBefore = (end: string): string => `page.created_at < ${end} - interval '10 seconds'`;

const suspended = `JOIN auth.tenants n ON n.id = page.tenant AND n.status = 'suspended' AND ${longBefore('n.updated_at')}`;

/** Invariants after ends other than offboarding: of a client, of a tenant, of everything of an active user. */
export const endedScans: readonly Scan[] = [
  {
    name: 'sessions of users signed out everywhere',
    says: 'A user who was signed out everywhere has no active session from before.',
    table: 'auth.sessions',
    key,
    flaws: `SELECT page.tenant, page.id::text AS id, 'session of ' || page.subject_id AS detail FROM page
             WHERE ${live} AND EXISTS (
                 SELECT FROM auth.security_log l
                  WHERE l.tenant = page.tenant AND l.subject_id = page.subject_id
                    AND l.action = 'user.signed_out_everywhere' AND ${longBefore('l.occurred_at')})`,
  },
  {
    name: 'grants of disabled clients',
    says: 'A disabled client has no active grant.',
    table: 'auth.grants',
    key,
    // A grant of an earlier epoch is invalid, whenever it was written.
    flaws: `SELECT page.tenant, page.id::text AS id, 'grant to ' || page.client_id AS detail
              FROM page JOIN auth.clients c ON c.tenant = page.tenant AND c.client_id = page.client_id
             WHERE ${live} AND c.disabled_at IS NOT NULL
               AND (page.client_epoch >= c.epoch OR ${longBefore('c.disabled_at')})`,
  },
  {
    name: 'personal access tokens of disabled clients',
    says: 'A disabled client has no active personal access token that it created.',
    table: 'auth.api_tokens',
    key,
    flaws: `SELECT page.tenant, page.id::text AS id, 'personal access token made by ' || page.client_id AS detail
              FROM page JOIN auth.clients c ON c.tenant = page.tenant AND c.client_id = page.client_id
             WHERE ${live} AND c.disabled_at IS NOT NULL AND ${longBefore('c.disabled_at')}`,
  },
  {
    name: 'sessions of suspended tenants',
    says: 'A suspended tenant has no active session.',
    table: 'auth.sessions',
    key,
    flaws: `SELECT page.tenant, page.id::text AS id, 'session of ' || page.subject_id AS detail FROM page ${suspended}
             WHERE ${live}`,
  },
  {
    name: 'grants of suspended tenants',
    says: 'A suspended tenant has no active grant.',
    table: 'auth.grants',
    key,
    flaws: `SELECT page.tenant, page.id::text AS id, 'grant of ' || page.subject_id AS detail FROM page ${suspended}
             WHERE ${live}`,
  },
];
