import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type System, type SystemOptions, seedDemo, startSystem } from '@ostiary/embedded/system';
import { audit } from '../invariants/audit.ts';
import { compileCache } from './compile-cache.ts';
import { type Demo, readDemo } from './demo.ts';
import { copyHome } from './prepared-home.ts';

export interface OwnSystem {
  system: System;
  demo: Demo;
  /** Everything a process has logged, a line an object. */
  logOf(process: string): Promise<Record<string, unknown>[]>;
  /** The text of everything that any process has logged. */
  logs(): Promise<string>;
  /**
   * Ends it. @throws Error when the invariants don't hold in its databases
   * @param o.unsound they needn't: the test wrote what no process would
   */
  stop(o?: { unsound?: boolean }): Promise<void>;
}

/** A system of one's own, for tests that stop, kill or configure processes. The invariants are checked at its end. */
export async function ownSystem(options: Partial<SystemOptions> = {}): Promise<OwnSystem> {
  const home = await mkdtemp(join(tmpdir(), 'ostiary-e2e-'));
  const prepared = process.env.OSTIARY_TEST_HOME;
  if (prepared) await copyHome(prepared, home);
  const system = await startSystem({
    home,
    migrated: prepared !== undefined,
    durable: false,
    log: () => undefined,
    ...options,
    env: { ...compileCache, ...options.env },
  });
  await seedDemo(system, () => undefined);
  return {
    system,
    demo: readDemo(join(home, 'demo.json')),
    logOf: async (process) => {
      const files = (await readdir(join(home, 'logs'))).filter((file) => file.startsWith(process));
      const text = (await Promise.all(files.map((file) => readFile(join(home, 'logs', file), 'utf8')))).join(
        '\n',
      );
      return text.split('\n').flatMap((line) => {
        try {
          return [JSON.parse(line) as Record<string, unknown>];
        } catch {
          return [];
        }
      });
    },
    logs: async () => {
      const files = await readdir(join(home, 'logs'));
      return (await Promise.all(files.map((file) => readFile(join(home, 'logs', file), 'utf8')))).join('\n');
    },
    stop: async ({ unsound = false } = {}) => {
      const broken = unsound ? [] : await brokenInvariants(system).catch((error: unknown) => [String(error)]);
      await system.stopAll();
      await rm(home, { recursive: true, force: true });
      if (broken.length > 0) throw new Error(`invariants are broken: ${broken.join('; ')}`);
    },
  };
}

async function brokenInvariants(system: System): Promise<string[]> {
  // Somebody may have left processes or PostgreSQL stopped; what is on its way needs all of them.
  await Promise.all(['postgres', 'valkey'].map((server) => system.start(server)));
  const { checks } = await audit(system.databaseUrl, { settleMs: 8_000 });
  return checks
    .filter(({ flaws }) => flaws > 0)
    .map(({ says, examples }) => `${says} ${JSON.stringify(examples.slice(0, 5))}`);
}
