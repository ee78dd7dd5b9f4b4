import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Demo } from './demo.ts';
import { type LeasedSystem, leaseSystem, type RunningSystem } from './systems/leased-system.ts';
import { brokenInvariants, endOwn, preparedBy, startOwn } from './systems/start-own.ts';
import type { Settings } from './systems/system-pool.ts';

export interface OwnSystem {
  system: RunningSystem;
  demo: Demo;
  /** Returns the log entries of a process. */
  logOf(process: string): Promise<Record<string, unknown>[]>;
  /** Returns the log texts of all processes. */
  logs(): Promise<string>;
  /** Returns the violated invariants after every process works again. */
  brokenInvariants(): Promise<string[]>;
  /**
   * Releases the system. @throws Error when invariants are violated in its databases
   * @param o.unsound whether violations are permitted, because the test wrote invalid data
   */
  stop(o?: { unsound?: boolean }): Promise<void>;
}

/** Environment of auth that delivers to local receivers without certificates and retries soon. */
export const deliversHere = {
  NODE_ENV: 'development',
  OUTGOING_ALLOW_PRIVATE: 'true',
  DELIVERY_RETRY_FIRST_SECONDS: '1',
  DELIVERY_RETRY_MAX_SECONDS: '2',
  DELIVERY_TIMEOUT_SECONDS: '3',
};

/** Environment with which every process soon rejects tokens whose state it cannot verify. */
export const briefStaleness = { REVOCATION_MAX_STALENESS_SECONDS: '3' };

export interface OwnSystemOptions extends Settings {
  /** Whether no other file uses it before or after. */
  fresh?: boolean;
}

/**
 * Returns a system for tests that stop, kill or configure processes. Another file may have used it before and may use
 * it later, so new names must be `unique`. The invariants are checked on release.
 */
export async function ownSystem({ fresh = false, ...settings }: OwnSystemOptions = {}): Promise<OwnSystem> {
  const provider = process.env.OSTIARY_TEST_PROVIDER;
  const isShared = !fresh && provider !== undefined;
  const { system, demo, broken, release } = isShared
    ? await leaseSystem(provider, settings)
    : await startedHere(settings);
  const logsOf = async (name: string): Promise<string> => {
    const files = (await readdir(join(system.home, 'logs'))).filter((file) => file.startsWith(name));
    const texts = await Promise.all(files.map((file) => readFile(join(system.home, 'logs', file), 'utf8')));
    return texts.join('\n');
  };
  return {
    system,
    demo,
    logOf: async (name) =>
      (await logsOf(name)).split('\n').flatMap((line) => {
        try {
          return [JSON.parse(line) as Record<string, unknown>];
        } catch {
          return [];
        }
      }),
    logs: () => logsOf(''),
    brokenInvariants: broken,
    stop: async ({ unsound = false } = {}) => {
      const hasFailed = process.env.OSTIARY_TEST_FAILED !== undefined;
      const flaws = await release({ keep: !unsound && !hasFailed, sound: !unsound });
      if (flaws.length > 0) throw new Error(`invariants are broken: ${flaws.join('; ')}`);
    },
  };
}

/** Starts a system without the pool. */
async function startedHere({ env, of }: Settings): Promise<LeasedSystem> {
  const started = await startOwn(preparedBy(process.env), {
    ...(env === undefined ? {} : { env }),
    adjust: (name, before) => ({ ...before, ...of?.[name as keyof typeof of] }),
  });
  const { system, demo } = started;
  return {
    demo,
    system: { ...system, pid: async (name) => system.pid(name) },
    broken: () => brokenInvariants(system),
    release: async ({ sound }) => {
      const flaws = sound ? await brokenInvariants(system).catch((error: unknown) => [String(error)]) : [];
      await endOwn(started);
      return flaws;
    },
  };
}
