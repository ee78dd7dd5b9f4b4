import { batchOne, type DataLoader, type LoaderScope } from '@ostiary/graph';
import type { Transaction } from '@ostiary/service';
import type { LogEntry, ProvisioningLogQueries } from '../domain/provisioning-log.ts';

export interface LogLoaders {
  /** Of the provisioning log, by id. */
  logEntry: DataLoader<string, LogEntry | null>;
}

/** The loaders of one request, bound to the caller's tenant: another tenant's ids find nothing. */
export const logLoaders =
  (sql: Transaction, log: ProvisioningLogQueries) =>
  ({ tenant }: LoaderScope): LogLoaders => ({
    logEntry: batchOne(
      (ids) => log.byIds(sql, tenant, ids),
      (entry) => entry.id,
    ),
  });
