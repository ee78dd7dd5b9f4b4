import type { Sql } from '@ostiary/database';

export type LinkedType = 'User' | 'Group';

/** What one event says of a resource and its sources. */
export interface ResourceState {
  tenant: string;
  resourceType: LinkedType;
  resourceId: string;
  version: number;
  externalIds: Readonly<Record<string, string>>;
  /** The source that made the change, if one did. */
  source: string | undefined;
  changedAt: Date;
  deleted: boolean;
}

export interface ResourceLink {
  resourceId: string;
  source: string;
  externalId: string | null;
  lastChangedAt: Date | null;
}

/**
 * Brings the links of one resource up to an event. Events may come in any order: externalId and deletion belong to
 * the highest version, lastChangedAt to the latest change of that source, whenever it arrives.
 */
export async function projectLinks(tx: Sql, state: ResourceState): Promise<void> {
  const sources = [...new Set([...Object.keys(state.externalIds), ...(state.source ? [state.source] : [])])];
  const key = [state.tenant, state.resourceType, state.resourceId];
  // Two events of one resource may be handled at once; what the second one may write depends on the first.
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, [`links:${key.join(':')}`]);
  const { rows } = await tx.query<{ version: string; deleted_at: Date | null }>(
    `SELECT version::text, deleted_at FROM provisioning.resource_links
      WHERE tenant = $1 AND resource_type = $2 AND resource_id = $3 ORDER BY version DESC LIMIT 1`,
    key,
  );
  const known = rows[0];
  const late = known !== undefined && BigInt(known.version) >= BigInt(state.version);
  const deletedAt = late ? known.deleted_at : state.deleted ? state.changedAt : null;
  await tx.query(
    `INSERT INTO provisioning.resource_links AS l
       (tenant, resource_type, resource_id, source, external_id, last_changed_at, version, deleted_at)
     SELECT $1, $2, $3, s.source, s.external_id,
            CASE WHEN s.source = $6 THEN $7::timestamptz END, $4::bigint, $8::timestamptz
       FROM unnest($5::text[], $9::text[]) AS s(source, external_id)
     ON CONFLICT (tenant, resource_type, resource_id, source) DO UPDATE SET
       external_id = CASE WHEN excluded.version > l.version THEN excluded.external_id ELSE l.external_id END,
       last_changed_at = greatest(l.last_changed_at, excluded.last_changed_at),
       version = greatest(l.version, excluded.version)`,
    [
      ...key,
      state.version,
      sources,
      state.source ?? null,
      state.changedAt,
      deletedAt,
      sources.map((source) => (late ? null : (state.externalIds[source] ?? null))),
    ],
  );
  if (late) return;
  await tx.query(
    `UPDATE provisioning.resource_links
        SET external_id = CASE WHEN source = ANY($4::text[]) THEN external_id END, deleted_at = $5, version = $6
      WHERE tenant = $1 AND resource_type = $2 AND resource_id = $3`,
    [...key, sources, deletedAt, state.version],
  );
}

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
