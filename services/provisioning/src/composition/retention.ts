import type { Submissions } from '../bulk/data/index.ts';
import { type Connectors, pruneConnectorLog, pruneIdempotencyKeys } from '../connectors/data/index.ts';
import type { OwnerSearch } from '../connectors/index.ts';
import type { Connection } from '../database/data/index.ts';
import type { RetentionStep } from '../database/jobs/index.ts';
import { pruneLinks } from '../events/data/index.ts';
import { pruneLogByAge, pruneLogByCount, tenantsWithLog } from '../provisioning-log/data/index.ts';

export interface RetentionOptions {
  sql: Connection;
  connectors: Pick<Connectors, 'pruneTokens'>;
  ownerSearch: Pick<OwnerSearch, 'round'>;
  submissions: Pick<Submissions, 'prune'>;
  /** Age at which entries of the provisioning log go, in days. */
  logDays: number;
  /** Entries of the provisioning log kept per tenant. */
  logEntries: number;
  /** Age at which entries of the connectors' log go, in days. */
  connectorLogDays: number;
}

/** What housekeeping takes away, in this order. */
export function retentionSteps(options: RetentionOptions): RetentionStep[] {
  const { sql, connectors, submissions, ownerSearch, logDays, logEntries, connectorLogDays } = options;
  return [
    () => pruneLogByAge(sql, logDays),
    async (signal) => {
      for (const tenant of await tenantsWithLog(sql)) {
        if (signal?.aborted) break;
        await pruneLogByCount(sql, tenant, logEntries);
      }
      return 0;
    },
    () => pruneConnectorLog(sql, connectorLogDays),
    () => pruneIdempotencyKeys(sql),
    () => pruneLinks(sql),
    () => connectors.pruneTokens(),
    () => submissions.prune(),
    // Last, because it asks another service, which may be away.
    () => ownerSearch.round(),
  ];
}
