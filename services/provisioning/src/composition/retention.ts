import type { Submissions } from '../bulk/submissions.data.ts';
import { pruneConnectorLog } from '../connectors/data/connector-log.ts';
import type { Connectors } from '../connectors/data/connectors.ts';
import { pruneIdempotencyKeys } from '../connectors/data/idempotency-keys.ts';
import type { OwnerSearch } from '../connectors/domain/owner-search.ts';
import type { Connection } from '../database/data/database.ts';
import type { RetentionStep } from '../database/maintenance.jobs.ts';
import { pruneLinks } from '../events/data/links.ts';
import { pruneLogByAge, pruneLogByCount, tenantsWithLog } from '../provisioning-log/log.data.ts';

export interface RetentionOptions {
  sql: Connection;
  connectors: Connectors;
  ownerSearch: Pick<OwnerSearch, 'round'>;
  submissions: Submissions;
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
