import { Gauge, type Logger, repeat, type ServiceKit } from '@ostiary/service';
import type { Directory } from '../../composition/directory.ts';

/**
 * Makes keys of user names anew that an earlier release made, purges what nobody restored in time and takes out what is no longer
 * defined, about once a minute. Several processes may do it at once.
 * @returns the function that stops it, letting what is under way finish
 */
export function startHousekeeping(
  directory: Pick<Directory, 'tidy'>,
  { log, metrics }: { log: Logger; metrics: ServiceKit['metrics'] },
): () => Promise<void> {
  const shared = new Gauge({
    name: 'directory_shared_user_names',
    help: 'People whose user name is also that of somebody else in their tenant',
    registers: [metrics],
  });
  let told = 0;
  return repeat({
    name: 'housekeeping',
    everyMs: 60_000,
    pauseFirst: true,
    jitter: true,
    log,
    async work(signal) {
      const { sharedUserNames } = await directory.tidy(() => signal.aborted);
      shared.set(sharedUserNames);
      if (sharedUserNames > told) {
        log.warn(
          { people: sharedUserNames },
          'people have the user name of somebody else in their tenant; the graph lists them: usersSharingNames',
        );
      }
      told = sharedUserNames;
    },
  });
}
