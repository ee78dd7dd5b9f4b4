import { statement } from '@ostiary/database';
import type { Connection } from '../../database/data/database.ts';
import type { LinkedType, ResourceLink, ResourceLinks, ResourceState } from '../domain/resource-links.ts';

const lockResources = statement({
  name: 'resourceLinks.lockResources',
  reason: 'set',
  text: `SELECT pg_advisory_xact_lock(key)
           FROM (SELECT DISTINCT hashtextextended(name, 0) AS key FROM unnest($names::text[]) AS name ORDER BY 1) keys`,
  parameters: { names: 'text[]' },
  columns: { pg_advisory_xact_lock: 'void' },
});

const project = statement({
  name: 'resourceLinks.project',
  reason: 'set',
  text: `WITH changes AS MATERIALIZED (
           SELECT n.*, known.version >= n.version AS late,
                  CASE WHEN known.version >= n.version THEN known.deleted_at WHEN n.deleted THEN n.changed_at END AS deleted_at
             FROM jsonb_to_recordset($states) AS n (tenant text, resource_type text, resource_id uuid, version bigint,
                    external_ids jsonb, sources text[], source text, changed_at timestamptz, deleted boolean)
             LEFT JOIN LATERAL (
               SELECT l.version, l.deleted_at FROM provisioning.resource_links l
                WHERE l.tenant = n.tenant AND l.resource_type = n.resource_type AND l.resource_id = n.resource_id
                ORDER BY l.version DESC LIMIT 1
             ) known ON true
         ), others AS (
           UPDATE provisioning.resource_links l SET external_id = NULL, deleted_at = n.deleted_at, version = n.version
             FROM changes n
            WHERE l.tenant = n.tenant AND l.resource_type = n.resource_type AND l.resource_id = n.resource_id
              AND n.late IS NOT TRUE AND l.source <> ALL (n.sources)
         )
         INSERT INTO provisioning.resource_links AS l
           (tenant, resource_type, resource_id, source, external_id, last_changed_at, version, deleted_at)
         SELECT n.tenant, n.resource_type, n.resource_id, s.source,
                CASE WHEN n.late IS NOT TRUE THEN n.external_ids ->> s.source END,
                CASE WHEN s.source = n.source THEN n.changed_at END, n.version, n.deleted_at
           FROM changes n CROSS JOIN LATERAL unnest(n.sources) AS s (source)
         ON CONFLICT (tenant, resource_type, resource_id, source) DO UPDATE SET
           external_id = CASE WHEN excluded.version > l.version THEN excluded.external_id ELSE l.external_id END,
           deleted_at = CASE WHEN excluded.version > l.version THEN excluded.deleted_at ELSE l.deleted_at END,
           last_changed_at = greatest(l.last_changed_at, excluded.last_changed_at),
           version = greatest(l.version, excluded.version)`,
  parameters: { states: 'jsonb' },
});

/**
 * Applies one event each to the links of resources; no resource may occur twice. Events may arrive in any order:
 * externalId and deletion come from the highest version, lastChangedAt from the latest change of that source.
 */
export async function projectLinks(tx: Connection, states: readonly ResourceState[]): Promise<void> {
  const names = states.map(
    ({ tenant, resourceType, resourceId }) => `links:${tenant}:${resourceType}:${resourceId}`,
  );
  // Two events of one resource may be handled concurrently, and the second write depends on the first. The locks are
  // taken in one order, so that no deadlock occurs.
  await lockResources.run(tx, { names });
  await project.run(tx, { states: states.map(rowOf) });
}

const rowOf = (state: ResourceState) => ({
  tenant: state.tenant,
  resource_type: state.resourceType,
  resource_id: state.resourceId,
  version: state.version,
  external_ids: state.externalIds,
  sources: [...new Set([...Object.keys(state.externalIds), ...(state.source ? [state.source] : [])])],
  source: state.source ?? null,
  changed_at: state.changedAt.toISOString(),
  deleted: state.deleted,
});

/** Returns the links of several resources, oldest source first. */
export async function linksOf(
  sql: Connection,
  tenant: string,
  resourceType: LinkedType,
  ids: readonly string[],
): Promise<ResourceLink[]> {
  const prisma = await sql.prisma();
  return prisma.resourceLink.findMany({
    where: { tenant, resourceType, resourceId: { in: [...ids] }, deletedAt: null },
    select: { resourceId: true, source: true, externalId: true, lastChangedAt: true },
    orderBy: [{ resourceId: 'asc' }, { source: 'asc' }],
  });
}

const prune = statement({
  name: 'resourceLinks.prune',
  reason: 'set',
  text: `DELETE FROM provisioning.resource_links
          WHERE ctid IN (SELECT ctid FROM provisioning.resource_links
                          WHERE deleted_at < now() - interval '7 days' LIMIT 1000)`,
});

/** Removes tombstones older than a week, at most 1000. @returns the number of removed tombstones */
export const pruneLinks = (sql: Connection): Promise<number> => prune.count(sql);

export const resourceLinks: ResourceLinks = { project: projectLinks, linksOf };
