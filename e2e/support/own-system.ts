import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Demo } from './demo.ts';
import { type LeasedSystem, leaseSystem, type RunningSystem } from './systems/leased-system.ts';
import { brokenInvariants, endOwn, preparedBy, startOwn } from './systems/start-own.ts';
import type { Settings } from './systems/system-pool.ts';

export interface OwnSystem {
  system: RunningSystem;
  demo: Demo;
  /** Everything a process has logged, a line an object. */
  logOf(process: string): Promise<Record<string, unknown>[]>;
  /** The text of everything that any process has logged. */
  logs(): Promise<string>;
  /** What is broken in its databases; every process works again first. */
  brokenInvariants(): Promise<string[]>;
  /**
   * Gives it back. @throws Error when the invariants don't hold in its databases
   * @param o.unsound they needn't: the test wrote what no process would
   */
  stop(o?: { unsound?: boolean }): Promise<void>;
}

/** Of auth: it delivers to receivers on this machine, without certificates, as production doesn't, and tries again soon. */
export const deliversHere = {
  NODE_ENV: 'development',
  OUTGOING_ALLOW_PRIVATE: 'true',
  DELIVERY_RETRY_FIRST_SECONDS: '1',
  DELIVERY_RETRY_MAX_SECONDS: '2',
  DELIVERY_TIMEOUT_SECONDS: '3',
};

/** Of every process: it soon refuses what it can't ask about. */
export const briefStaleness = { REVOCATION_MAX_STALENESS_SECONDS: '3' };

export interface OwnSystemOptions extends Settings {
  /** Nobody has had it before, and nobody has it afterwards. */
  fresh?: boolean;
}

/**
 * A system of one's own, for tests that stop, kill or configure processes: another file may have had it before, and another has it when
 * this one is done. Names that are to be new are `unique`. The invariants are checked when it is given back.
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

/** Without a pool, or for a file that wants one that is new. */
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
