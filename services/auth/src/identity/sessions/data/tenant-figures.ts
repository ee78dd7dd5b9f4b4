import { type ReplicaReads, type Sql, statement } from '@ostiary/database';
import { countingGrants } from '../../../access/grants/data/grant-conditions.ts';
import { countingAccounts, countingApiTokens } from '../../../access/machines/data/machine-conditions.ts';
import { countingClients } from '../../../clients/data/client-conditions.ts';
import type { Connection } from '../../../platform/database/data/connection.ts';
import type { PrismaClient } from '../../../platform/database/generated/client.ts';
import { LoadingCache } from '../../../platform/index.ts';
import type { TenantFigures, TenantStatistics } from '../../../tenancy/index.ts';

/** Counts live rows of a tenant. It reads all of them, so it must not run for every request. */
const countLive = statement({
  name: 'tenants.figures',
  reason: 'set',
  text: `SELECT
    (SELECT count(*)::int FROM auth.sessions WHERE tenant = $tenant AND revoked_at IS NULL AND expires_at > now()
        AND last_seen_at > now() - make_interval(secs => $idleSeconds)) AS sessions,
    (${countingGrants}) AS grants, (${countingApiTokens('subject_id')}) AS "personalAccessTokens",
    (${countingApiTokens('service_account_id')}) AS "apiKeys", (${countingClients}) AS clients,
    (${countingAccounts}) AS "serviceAccounts"`,
  parameters: { tenant: 'text', idleSeconds: 'float8' },
  columns: {
    sessions: 'int4',
    grants: 'int4',
    personalAccessTokens: 'int4',
    apiKeys: 'int4',
    clients: 'int4',
    serviceAccounts: 'int4',
  },
});

async function tenantFigures(sql: Sql, tenant: string, idleSeconds: number): Promise<TenantFigures> {
  return (await countLive.first(sql, { tenant, idleSeconds })) as TenantFigures;
}

/** Lifetime in milliseconds of cached figures, because counting reads all rows of the tenant. */
const freshMs = 60_000;

/** @see TenantStatistics */
export class PostgresTenantStatistics implements TenantStatistics {
  readonly signIns: TenantStatistics['signIns'];
  readonly #figures: LoadingCache<TenantFigures>;

  constructor(o: {
    sql: Connection;
    replica: ReplicaReads<PrismaClient>;
    idleSeconds: number;
    clock: () => number;
    signIns: TenantStatistics['signIns'];
  }) {
    this.signIns = o.signIns;
    this.#figures = new LoadingCache<TenantFigures>({
      max: 10_000,
      freshMs,
      clock: o.clock,
      load: (tenant) =>
        o.replica.read('auth.tenants.figures', [tenant], o.sql, (sql) =>
          tenantFigures(sql, tenant, o.idleSeconds),
        ),
    });
  }

  figures(tenant: string): Promise<TenantFigures> {
    return this.#figures.get(tenant);
  }
}
