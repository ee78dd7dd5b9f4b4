import { Gauge, type Logger, repeat, type ServiceKit } from '@ostiary/service';

/**
 * Runs the periodic tasks about once a minute.
 * @param maintain runs them once; returns the number of users who share their user name
 * @returns the function that stops it after the running task
 */
export function startMaintenance(
  maintain: (stopped: () => boolean) => Promise<number>,
  { log, metrics }: { log: Logger; metrics: ServiceKit['metrics'] },
): () => Promise<void> {
  const shared = new Gauge({
    name: 'directory_shared_user_names',
    help: 'Number of users whose user name equals that of another user of the tenant',
    registers: [metrics],
  });
  let warnedOf = 0;
  return repeat({
    name: 'maintenance',
    everyMs: 60_000,
    pauseFirst: true,
    jitter: true,
    log,
    async work(signal) {
      const sharedUserNames = await maintain(() => signal.aborted);
      shared.set(sharedUserNames);
      if (sharedUserNames > warnedOf) {
        log.warn(
          { event: 'user_names.shared', people: sharedUserNames },
          'Users share a user name in their tenant; the query usersSharingNames lists them',
        );
      }
      warnedOf = sharedUserNames;
    },
  });
}
