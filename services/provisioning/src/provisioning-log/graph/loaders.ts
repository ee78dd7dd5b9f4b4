import { batchOne, type DataLoader, type LoaderScope } from '@ostiary/graph';
import type { Transaction } from '@ostiary/service';
import type { LogEntry, ProvisioningLogQueries } from '../provisioning-log.ts';

export interface LogLoaders {
  /** Entries of the provisioning log, by id. */
  logEntry: DataLoader<string, LogEntry | null>;
}

/** Creates the loaders of one request, bound to the caller's tenant: ids of another tenant find nothing. */
export const logLoaders =
  (sql: Transaction, log: ProvisioningLogQueries) =>
  ({ tenant }: LoaderScope): LogLoaders => ({
    logEntry: batchOne(
      (ids) => log.byIds(sql, tenant, ids),
      (entry) => entry.id,
    ),
  });
