import type { Sql } from '@ostiary/database';
import { type Logger, repeat } from '@ostiary/service';
import type { Submissions } from '../../bulk/data/submissions.ts';
import { pruneConnectorLog, pruneIdempotencyKeys } from '../../connectors/data/connector-log.ts';
import type { Connectors } from '../../connectors/data/connectors.ts';
import { pruneLinks } from '../../events/data/links.ts';
import { pruneLogByAge, pruneLogByCount, tenantsWithLog } from '../../provisioning-log/data/log.ts';

export interface HousekeepingOptions {
  sql: Sql;
  connectors: Pick<Connectors, 'pruneTokens'>;
  /** Gives connectors from before there were owners to who made them. @returns how many it looked at */
  findOwners: () => Promise<number>;
  submissions: Pick<Submissions, 'prune'>;
  /** Age at which entries of the provisioning log go, in days. */
  logDays: number;
  /** Entries of the provisioning log kept per tenant. */
  logEntries: number;
  /** Age at which entries of the connectors' log go, in days. */
  connectorLogDays: number;
}

/**
 * Keeps the tables at a steady size, about once a minute. Several processes may do it at once.
 * @returns the function that stops it, letting what is under way finish
 */
export const startHousekeeping = (log: Logger, options: HousekeepingOptions): (() => Promise<void>) =>
  repeat({
    name: 'housekeeping',
    everyMs: 60_000,
    pauseFirst: true,
    jitter: true,
    log,
    work: (signal) => tidy(options, signal),
  });

/** Takes away everything that has had its time, unless it is told to stop. */
export async function tidy(options: HousekeepingOptions, signal?: AbortSignal): Promise<void> {
  const { sql, connectors, submissions, findOwners, logDays, logEntries, connectorLogDays } = options;
  const untilDone = async (step: () => Promise<number>): Promise<void> => {
    while (!signal?.aborted && (await step()) > 0);
  };
  await untilDone(() => pruneLogByAge(sql, logDays));
  for (const tenant of await tenantsWithLog(sql)) {
    if (signal?.aborted) return;
    await pruneLogByCount(sql, tenant, logEntries);
  }
  await untilDone(() => pruneConnectorLog(sql, connectorLogDays));
  await untilDone(() => pruneIdempotencyKeys(sql));
  await untilDone(() => pruneLinks(sql));
  await untilDone(() => connectors.pruneTokens());
  await untilDone(() => submissions.prune());
  // Last, because it asks another service, which may be away.
  await untilDone(findOwners);
}
