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
  /** Maximum age of entries of the provisioning log in days. */
  logDays: number;
  /** Maximum number of entries of the provisioning log per tenant. */
  logEntries: number;
  /** Maximum age of entries of the connector log in days. */
  connectorLogDays: number;
}

/** Returns the steps that remove expired data, in this order. */
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
    // Last, because it calls another service, which may be unavailable.
    () => ownerSearch.round(),
  ];
}
