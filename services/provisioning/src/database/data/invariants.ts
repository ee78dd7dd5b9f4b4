import { type Scan, type Sql, statement, typed } from '@ostiary/database';

export interface Key {
  tenant: string;
  id: string;
}

/** The projected externalIds of a user. */
export interface LinksFact extends Key {
  /** Version of the newest applied change. */
  version: number;
  deleted: boolean;
  /** Source → externalId. */
  externalIds: Record<string, string>;
}

/**
 * Returns the invariants of this service's own tables. @param waitingSeconds maximum time for which a delivery may be
 * pending
 */
export const scans = (waitingSeconds: number): Scan[] => [
  {
    name: 'tokens of deleted connectors',
    says: 'A deleted connector has no valid token.',
    table: 'provisioning.connector_tokens',
    key: [
      ['tenant', 'text'],
      ['id', 'uuid'],
    ],
    flaws: `SELECT page.tenant, page.id::text AS id, 'token of ' || page.connector_id AS detail
              FROM page JOIN provisioning.connectors c ON c.tenant = page.tenant AND c.id = page.connector_id
             WHERE c.status = 'deleted' AND page.revoked_at IS NULL
               AND (page.expires_at IS NULL OR page.expires_at > now())`,
  },
  {
    name: 'live events of provisioning',
    says: 'Live events of provisioning are published without delay.',
    table: 'provisioning.live_events',
    key: [['id', 'uuid']],
    parameter: waitingSeconds,
    flaws: `SELECT page.tenant, page.id::text AS id, page.type || ' since ' || page.occurred_at AS detail FROM page
             WHERE page.occurred_at < now() - $1::float8 * interval '1 second'`,
  },
];

const findLinks = statement({
  name: 'invariants.linksOf',
  reason: 'set',
  text: `SELECT l.tenant, l.resource_id::text AS id, max(l.version)::float8 AS version,
                bool_and(l.deleted_at IS NOT NULL) AS deleted,
                coalesce(jsonb_object_agg(l.source, l.external_id)
                  FILTER (WHERE l.external_id IS NOT NULL AND l.deleted_at IS NULL), '{}') AS "externalIds"
           FROM unnest($tenants::text[], $ids::uuid[]) AS k (tenant, id)
           JOIN provisioning.resource_links l
             ON l.tenant = k.tenant AND l.resource_type = 'User' AND l.resource_id = k.id
          GROUP BY l.tenant, l.resource_id`,
  parameters: { tenants: 'text[]', ids: 'uuid[]' },
  columns: {
    tenant: 'text',
    id: 'text',
    version: 'float8',
    deleted: 'bool',
    externalIds: typed<Record<string, string>>('jsonb'),
  },
});

/** Returns the projected externalIds of these users; users without a source are omitted. */
export const linksOf = (sql: Sql, keys: readonly Key[]): Promise<LinksFact[]> =>
  findLinks.rows(sql, { tenants: keys.map(({ tenant }) => tenant), ids: keys.map(({ id }) => id) });

const findReceived = statement({
  name: 'invariants.received',
  reason: 'set',
  text: `SELECT event_id::text AS id FROM provisioning.inbox_entries
          WHERE consumer = 'provisioning' AND event_id = ANY ($ids)`,
  parameters: { ids: 'uuid[]' },
  columns: { id: 'text' },
});

/** Returns the events that were applied here. */
export async function received(sql: Sql, eventIds: readonly string[]): Promise<Set<string>> {
  const rows = await findReceived.rows(sql, { ids: eventIds });
  return new Set(rows.map(({ id }) => id));
}

const allTenants = statement({
  name: 'invariants.tenants',
  reason: 'set',
  text: 'SELECT id, status, version::float8 AS version FROM provisioning.tenants',
  columns: { id: 'text', status: 'text', version: 'float8' },
});

/** Returns the projected tenants; those without an event count as active. */
export const tenants = (sql: Sql): Promise<{ id: string; status: string; version: number }[]> =>
  allTenants.rows(sql);
