import type { Sql } from '@ostiary/database';
import { type Logger, Rounds } from '@ostiary/service';
import type { Connectors } from '../data/connectors.ts';
import { pruneLinks } from '../data/links.ts';
import { pruneLogByAge, pruneLogByCount, tenantsWithLog } from '../data/log.ts';
import type { Submissions } from '../data/submissions.ts';

export interface HousekeepingOptions {
  sql: Sql;
  connectors: Pick<Connectors, 'pruneTokens'>;
  submissions: Pick<Submissions, 'prune'>;
  log: Logger;
  /** Age at which log entries go, in days. */
  logDays: number;
  /** Log entries kept per tenant. */
  logEntries: number;
  /** Milliseconds between rounds. */
  intervalMs?: number;
}

/** Keeps the tables at a steady size. Several processes may do it at once. */
export class Housekeeping extends Rounds {
  constructor(options: HousekeepingOptions) {
    const { log, intervalMs } = options;
    super({ name: 'housekeeping', work: (stopping) => prune(options, stopping), log, intervalMs });
  }
}

async function prune(options: HousekeepingOptions, stopping: () => boolean): Promise<void> {
  const { sql, connectors, submissions, logDays, logEntries } = options;
  const repeat = async (step: () => Promise<number>): Promise<void> => {
    while (!stopping() && (await step()) > 0);
  };
  await repeat(() => pruneLogByAge(sql, logDays));
  for (const tenant of await tenantsWithLog(sql)) {
    if (stopping()) return;
    await pruneLogByCount(sql, tenant, logEntries);
  }
  await repeat(() => pruneLinks(sql));
  await repeat(() => connectors.pruneTokens());
  await repeat(() => submissions.prune());
}
