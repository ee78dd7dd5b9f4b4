import type { Sql } from '@ostiary/database';
import type { LinkedType, ResourceLink, ResourceLinks, ResourceState } from '../domain/resource-links.ts';

/**
 * Brings the links of resources up to one event each; no resource may be there twice. Events may come in any order:
 * externalId and deletion belong to the highest version, lastChangedAt to the latest change of that source, whenever it
 * arrives.
 */
export async function projectLinks(tx: Sql, states: readonly ResourceState[]): Promise<void> {
  const keys = states.map(
    ({ tenant, resourceType, resourceId }) => `links:${tenant}:${resourceType}:${resourceId}`,
  );
  // Two events of one resource may be handled at once; what the second one may write depends on the first. In one order,
  // so that nobody waits in a ring.
  await tx.query(
    `SELECT pg_advisory_xact_lock(key)
       FROM (SELECT DISTINCT hashtextextended(name, 0) AS key FROM unnest($1::text[]) AS name ORDER BY 1) keys`,
    [keys],
  );
  await tx.query(
    `WITH news AS MATERIALIZED (
       SELECT n.*, known.version >= n.version AS late,
              CASE WHEN known.version >= n.version THEN known.deleted_at WHEN n.deleted THEN n.changed_at END AS deleted_at
         FROM jsonb_to_recordset($1::jsonb) AS n (tenant text, resource_type text, resource_id uuid, version bigint,
                external_ids jsonb, sources text[], source text, changed_at timestamptz, deleted boolean)
         LEFT JOIN LATERAL (
           SELECT l.version, l.deleted_at FROM provisioning.resource_links l
            WHERE l.tenant = n.tenant AND l.resource_type = n.resource_type AND l.resource_id = n.resource_id
            ORDER BY l.version DESC LIMIT 1
         ) known ON true
     ), others AS (
       UPDATE provisioning.resource_links l SET external_id = NULL, deleted_at = n.deleted_at, version = n.version
         FROM news n
        WHERE l.tenant = n.tenant AND l.resource_type = n.resource_type AND l.resource_id = n.resource_id
          AND n.late IS NOT TRUE AND l.source <> ALL (n.sources)
     )
     INSERT INTO provisioning.resource_links AS l
       (tenant, resource_type, resource_id, source, external_id, last_changed_at, version, deleted_at)
     SELECT n.tenant, n.resource_type, n.resource_id, s.source,
            CASE WHEN n.late IS NOT TRUE THEN n.external_ids ->> s.source END,
            CASE WHEN s.source = n.source THEN n.changed_at END, n.version, n.deleted_at
       FROM news n CROSS JOIN LATERAL unnest(n.sources) AS s (source)
     ON CONFLICT (tenant, resource_type, resource_id, source) DO UPDATE SET
       external_id = CASE WHEN excluded.version > l.version THEN excluded.external_id ELSE l.external_id END,
       deleted_at = CASE WHEN excluded.version > l.version THEN excluded.deleted_at ELSE l.deleted_at END,
       last_changed_at = greatest(l.last_changed_at, excluded.last_changed_at),
       version = greatest(l.version, excluded.version)`,
    [JSON.stringify(states.map(rowOf))],
  );
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

/** The links of several resources, oldest source first. */
export async function linksOf(
  sql: Sql,
  tenant: string,
  resourceType: LinkedType,
  ids: readonly string[],
): Promise<ResourceLink[]> {
  const { rows } = await sql.query<{
    resource_id: string;
    source: string;
    external_id: string | null;
    last_changed_at: Date | null;
  }>(
    `SELECT resource_id, source, external_id, last_changed_at FROM provisioning.resource_links
      WHERE tenant = $1 AND resource_type = $2 AND resource_id = ANY($3::uuid[]) AND deleted_at IS NULL
      ORDER BY resource_id, source`,
    [tenant, resourceType, ids],
  );
  return rows.map((row) => ({
    resourceId: row.resource_id,
    source: row.source,
    externalId: row.external_id,
    lastChangedAt: row.last_changed_at,
  }));
}

/** Removes tombstones older than a week, in steps of 1000. @returns how many */
export async function pruneLinks(sql: Sql): Promise<number> {
  const { rowCount } = await sql.query(
    `DELETE FROM provisioning.resource_links
      WHERE ctid IN (SELECT ctid FROM provisioning.resource_links
                      WHERE deleted_at < now() - interval '7 days' LIMIT 1000)`,
  );
  return rowCount;
}

export const resourceLinks: ResourceLinks = { project: projectLinks, linksOf };
