import { type Sql, statement } from '@ostiary/database';
import { clientAs, clientsServing } from '../../../clients/data/client-conditions.ts';
import { pruning } from '../../../platform/database/data/pruning.ts';
import type { FollowerReport } from '../domain/follower-activity.ts';
import { maxVerifiers, type Verifier } from '../domain/verifier.ts';

/** Without the clients that were deleted in the meantime. */
const save = statement({
  name: 'feed_followers.save',
  reason: 'set',
  text: `INSERT INTO auth.feed_followers (tenant, client_id, audience, process, followers, is_following, current_at, seen_at)
     SELECT c.tenant, c.client_id, r.audience, $process, r.followers, r.is_following,
            now() - make_interval(secs => r.lag_ms / 1000), now()
       FROM unnest($tenants::text[], $clientIds::text[], $audiences::text[], $followers::float8[], $areFollowing::bool[],
                   $lags::float8[]) AS r(tenant, client_id, audience, followers, is_following, lag_ms)
       JOIN ${clientAs('r.tenant', 'r.client_id')}
     ON CONFLICT (tenant, client_id, audience, process) DO UPDATE
       SET followers = excluded.followers, is_following = excluded.is_following, current_at = excluded.current_at,
           seen_at = excluded.seen_at`,
  parameters: {
    process: 'uuid',
    tenants: 'text[]',
    clientIds: 'text[]',
    audiences: 'text[]',
    followers: 'float8[]',
    areFollowing: 'bool[]',
    lags: 'float8[]',
  },
});

/** Saves the followers of a process in one statement. */
export async function saveFollowers(
  sql: Sql,
  process: string,
  reports: readonly FollowerReport[],
): Promise<void> {
  await save.run(sql, {
    process,
    tenants: reports.map(({ tenant }) => tenant),
    clientIds: reports.map(({ clientId }) => clientId),
    audiences: reports.map(({ audience }) => audience),
    followers: reports.map(({ followers }) => followers),
    areFollowing: reports.map(({ isFollowing }) => isFollowing),
    lags: reports.map(({ lagMs }) => lagMs),
  });
}

/**
 * A process that was killed leaves its rows; they count for three intervals of reports. An identifier with an empty path
 * has two forms (RFC 3986 §6.2.3) and is stored without the slash.
 */
const findVerifiers = statement({
  name: 'feed_followers.verifiers',
  reason: 'set',
  text: `WITH asked AS (
       SELECT identifier, CASE WHEN identifier ~* '^https?://[^/?#]+$' THEN ARRAY[identifier, identifier || '/']
                               ELSE ARRAY[identifier] END AS resources
         FROM unnest($identifiers::text[]) AS i(identifier)
     )
     SELECT asked.identifier, served.client_id AS "clientId", coalesce(seen.followers, 0)::int AS followers,
            seen.current_at AS "lastSeenAt", seen.lag_ms AS "lagMs"
       FROM asked
       CROSS JOIN LATERAL (SELECT c.tenant, c.client_id, c.created_at FROM ${clientsServing('asked.resources')}
                            ORDER BY c.created_at, c.client_id LIMIT $limit) served
       CROSS JOIN LATERAL (
         SELECT max(f.current_at) AS current_at,
                greatest(round(sum(f.followers) FILTER (WHERE live)), max(1) FILTER (WHERE live)) AS followers,
                extract(epoch FROM coalesce(max(f.seen_at - f.current_at) FILTER (WHERE live), now() - max(f.current_at)))::float8
                  * 1000 AS lag_ms
           FROM auth.feed_followers f
           CROSS JOIN LATERAL (SELECT f.is_following AND f.seen_at > now() - interval '30 seconds' AS live) l
          WHERE f.tenant = served.tenant AND f.client_id = served.client_id AND f.audience = ANY(asked.resources)
       ) seen
      ORDER BY asked.identifier, served.created_at, served.client_id`,
  parameters: { tenant: 'text', identifiers: 'text[]', limit: 'int8' },
  columns: {
    identifier: 'text',
    clientId: 'text',
    followers: 'int4',
    lastSeenAt: 'timestamptz?',
    lagMs: 'float8?',
  },
});

export const verifiersOf = (sql: Sql, tenant: string, identifiers: readonly string[]): Promise<Verifier[]> =>
  findVerifiers.rows(sql, { tenant, identifiers, limit: maxVerifiers });

/** Deletes reports that a later one of another process replaces, and old ones. */
export const pruneFeedFollowers = pruning(
  'maintenance.prune-feed-followers',
  'feed_followers',
  `seen_at < now() - interval '90 days' OR seen_at < now() - interval '1 minute' AND EXISTS (
     SELECT FROM auth.feed_followers later
      WHERE later.tenant = feed_followers.tenant AND later.client_id = feed_followers.client_id
        AND later.audience = feed_followers.audience AND later.current_at > feed_followers.current_at)`,
  'tenant, client_id, audience, process',
);
