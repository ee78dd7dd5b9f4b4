import { type Sql, statement, typed } from '@ostiary/database';
import type { Remembered, Standing } from '../domain/restoring.ts';

const findStandings = statement({
  name: 'restoring.standings',
  reason: 'set',
  text: `SELECT k.tenant AS "tenant", k.id AS "id", u.version, u.active,
                (SELECT max(a.resource_version) FROM directory.audit_log a
                  WHERE a.tenant = k.tenant AND a.resource_id = k.id::text AND a.action = 'user.deleted') AS "deletedVersion",
                (SELECT max(a.resource_version) FROM directory.audit_log a
                  WHERE a.tenant = k.tenant AND a.resource_id = k.id::text AND a.action = 'user.deactivated') AS "deactivatedVersion",
                (SELECT bool_or(e.type IN ('user.deactivated', 'user.reactivated', 'user.deleted'))
                   FROM directory.outbox_deliveries d JOIN directory.outbox_events e ON e.id = d.event_id
                  WHERE d.consumer = 'auth' AND d.state <> 'done' AND e.tenant = k.tenant
                    AND e.subject = k.id::text) AS telling
           FROM jsonb_to_recordset($people) AS k (tenant text, id uuid)
           LEFT JOIN directory.users u ON u.tenant = k.tenant AND u.id = k.id`,
  parameters: { people: 'jsonb' },
  columns: {
    tenant: 'text',
    id: 'uuid',
    version: typed<number>('int8?'),
    active: 'bool?',
    deletedVersion: typed<number>('int8?'),
    deactivatedVersion: typed<number>('int8?'),
    telling: 'bool?',
  },
});

const raiseVersion = statement({
  name: 'restoring.raise version',
  reason: 'atomic',
  text: `UPDATE directory.users SET version = $version
          WHERE tenant = $tenant AND id = $id AND version < $version`,
  parameters: { tenant: 'text', id: 'uuid', version: typed<number>('int8') },
});

export async function standingsOf(
  sql: Sql,
  people: readonly Pick<Remembered, 'tenant' | 'id'>[],
): Promise<Standing[]> {
  const rows = await findStandings.rows(sql, { people: people.map(({ tenant, id }) => ({ tenant, id })) });
  return rows.map(({ version, active, deletedVersion, deactivatedVersion, telling, ...who }) => ({
    ...who,
    version: version ?? undefined,
    active: active ?? undefined,
    deletedVersion: deletedVersion ?? undefined,
    deactivatedVersion: deactivatedVersion ?? undefined,
    telling: telling ?? undefined,
  }));
}

export async function raise(sql: Sql, tenant: string, id: string, version: number): Promise<void> {
  await raiseVersion.run(sql, { tenant, id, version });
}
