import { type Sql, statement, typed } from '@ostiary/database';
import { revokedInProvisioning } from '../../../access/ownership/data/connector-owners.ts';
import { entriesWith } from '../../../platform/audit/security-log.data.ts';
import { deliveriesWithReceivers } from '../../../signals/data/delivery-list.ts';
import {
  accessPathNames,
  type Departure,
  type DepartureDelivery,
  type OffboardingReports,
} from '../domain/departure-report.ts';

/** Maximum number of reports per user, and of deliveries per report. */
const maxOffboardings = 50;
const maxDeliveries = 500;

const after = (name: string): string => `l.changes->'${name}'->>'after'`;

const departuresLogged = entriesWith('user.departed');

const latestOffboardings = statement({
  name: 'offboarding.departures',
  reason: 'set',
  text: `SELECT l.id, l.subject_id AS "subjectId", l.occurred_at AS "closedAt", ${after('trigger')} AS trigger,
            (${after('leftAt')})::timestamptz AS "leftAt", ${after('eventId')} AS "eventId",
            ${after('directoryVersion')} AS "directoryVersion", (${after('epoch')})::int AS epoch,
            (SELECT jsonb_object_agg(path, coalesce((l.changes->path->>'before')::int, 0))
               FROM unnest($accessPaths::text[]) AS path) AS "accessPaths", l.actor, l.trace_id AS "traceId",
            coalesce(l.changes->'secrets'->'before', '[]') AS secrets,
            (${revokedInProvisioning('person', `(${after('epoch')})::int`)}
                AND l.changes->'epoch'->>'before' <> ${after('epoch')}
              LIMIT 1) AS connectors
       FROM unnest($subjectIds::uuid[]) AS person CROSS JOIN LATERAL (
         SELECT * FROM ${departuresLogged} e WHERE tenant = $tenant AND subject_id = person
          ORDER BY id DESC LIMIT ${maxOffboardings}) l
      ORDER BY l.id DESC`,
  parameters: { tenant: 'text', subjectIds: 'uuid[]', accessPaths: 'text[]' },
  columns: {
    id: 'uuid',
    subjectId: 'uuid!',
    closedAt: 'timestamptz',
    trigger: typed<Departure['trigger']>('text'),
    leftAt: 'timestamptz?',
    eventId: 'text?',
    directoryVersion: 'text',
    epoch: 'int4',
    accessPaths: typed<Departure['accessPaths']>('jsonb'),
    actor: typed<Departure['actor']>('jsonb'),
    traceId: 'text?',
    secrets: typed<Departure['secrets']>('jsonb'),
    connectors: typed<{ count: number; closedAt: string; secrets: Departure['secrets'] } | null>('json?'),
  },
});

/** Returns the latest reports of each user, newest first. */
async function departuresOf(sql: Sql, tenant: string, subjectIds: readonly string[]): Promise<Departure[]> {
  const rows = await latestOffboardings.rows(sql, { tenant, subjectIds, accessPaths: accessPathNames });
  return rows.map(({ connectors, ...row }) => ({
    ...row,
    secrets: [...row.secrets, ...(connectors?.secrets ?? [])],
    connectors: connectors && { count: connectors.count, closedAt: new Date(connectors.closedAt) },
  }));
}

const deliveriesOfOffboardings = statement({
  name: 'offboarding.deliveries',
  reason: 'set',
  text: `SELECT l.id AS "departureId", t.*
       FROM ${departuresLogged} l CROSS JOIN LATERAL (
         SELECT d.id, d.receiver_kind AS kind, f.type AS "factType", d.receiver_id AS "receiverId",
                coalesce(r.name, c.name) AS "receiverName", d.state, d.attempts, d.last_status AS "lastStatus",
                d.last_error AS "lastError", d.created_at AS "createdAt", d.finished_at AS "finishedAt"
           FROM ${deliveriesWithReceivers}
          WHERE d.tenant = l.tenant AND d.subject_key = 'user:' || l.subject_id::text
            AND (d.payload->>'departureId' = l.id::text OR f.data->>'departureId' = l.id::text
              OR (f.type = ${after('trigger')} AND f.version::text = ${after('directoryVersion')}))
          ORDER BY d.id LIMIT ${maxDeliveries}) t
      WHERE l.tenant = $tenant AND l.id = ANY($offboardingIds::uuid[]) ORDER BY t.id`,
  parameters: { tenant: 'text', offboardingIds: 'uuid[]' },
  columns: {
    departureId: 'uuid',
    id: 'uuid',
    kind: typed<DepartureDelivery['kind']>('text'),
    factType: 'text?',
    receiverId: 'text',
    receiverName: 'text?',
    state: typed<DepartureDelivery['state']>('text'),
    attempts: 'int4',
    lastStatus: 'int4?',
    lastError: 'text?',
    createdAt: 'timestamptz',
    finishedAt: 'timestamptz?',
  },
});

/**
 * Returns the deliveries that reported these offboardings, in the order of creation, while deliveries are retained:
 * logout tokens, ends of sessions and grants, and the events of the directory.
 */
const deliveriesOf = (
  sql: Sql,
  tenant: string,
  offboardingIds: readonly string[],
): Promise<DepartureDelivery[]> => deliveriesOfOffboardings.rows(sql, { tenant, offboardingIds });

const hasReport = statement({
  name: 'offboarding.has-report',
  reason: 'atomic',
  text: `SELECT 1 AS found FROM ${departuresLogged} l WHERE l.tenant = $tenant AND l.subject_id = $subjectId
            AND ${after('directoryVersion')} = $version LIMIT 1`,
  parameters: { tenant: 'text', subjectId: 'uuid', version: 'text' },
  columns: { found: 'int4' },
});

/** @see OffboardingLog */
export async function hasOffboardingReport(
  tx: Sql,
  tenant: string,
  subjectId: string,
  version: bigint,
): Promise<boolean> {
  return (await hasReport.first(tx, { tenant, subjectId, version: version.toString() })) !== undefined;
}

/** @see OffboardingReports */
export class PostgresOffboardingReports implements OffboardingReports {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  of(tenant: string, subjectIds: readonly string[]): Promise<Departure[]> {
    return departuresOf(this.#sql, tenant, subjectIds);
  }

  deliveriesOf(tenant: string, offboardingIds: readonly string[]): Promise<DepartureDelivery[]> {
    return deliveriesOf(this.#sql, tenant, offboardingIds);
  }
}
