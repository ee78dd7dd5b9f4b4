import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type System,
  type SystemOptions,
  seedDemo,
  serviceNames,
  startSystem,
} from '@ostiary/embedded/system';
import { audit } from '../../invariants/audit.ts';
import { compileCache } from '../compile-cache.ts';
import { type Demo, readDemo } from '../demo.ts';
import { copyHome } from '../prepared-home.ts';

export interface StartedSystem {
  system: System;
  demo: Demo;
}

/** Artifacts that a run prepared for systems of tests. */
export interface Prepared {
  /** Home of which each system gets a copy. */
  home?: string;
  /** Authorization server program whose password hash costs as little as those in the home. */
  auth?: string;
}

/** Reads the variables that the run sets (`scripts/jest/setup.mjs`). */
export const preparedBy = (env: Record<string, string | undefined>): Prepared => ({
  ...(env.OSTIARY_TEST_HOME && { home: env.OSTIARY_TEST_HOME }),
  ...(env.OSTIARY_TEST_AUTH && { auth: env.OSTIARY_TEST_AUTH }),
});

/** Starts a complete system with the demo tenants. By default its authorization server is the production one. */
export async function startOwn(
  { home: prepared, auth }: Prepared,
  options: Partial<SystemOptions> = {},
): Promise<StartedSystem> {
  const home = await mkdtemp(join(tmpdir(), 'ostiary-e2e-'));
  let system: System | undefined;
  try {
    if (prepared) await copyHome(prepared, home);
    system = await startSystem({
      home,
      migrated: prepared !== undefined,
      durable: false,
      ...(auth === undefined ? {} : { programs: { auth } }),
      log: () => undefined,
      ...options,
      env: { ...compileCache, ...options.env },
    });
    await seedDemo(system, () => undefined);
    return { system, demo: readDemo(join(home, 'demo.json')) };
  } catch (error) {
    await system?.stopAll().catch(() => undefined);
    await rm(home, { recursive: true, force: true });
    throw error;
  }
}

/** Stops the system and deletes its files. */
export async function endOwn({ system }: StartedSystem): Promise<void> {
  await system.stopAll();
  await rm(system.home, { recursive: true, force: true });
}

/** Restarts every process that a test stopped or killed. */
async function allRunning(system: System): Promise<void> {
  await Promise.all(['postgres', 'valkey'].map((name) => running(system, name)));
  await Promise.all(serviceNames.map((name) => running(system, name)));
}

async function running(system: System, name: string): Promise<void> {
  await system.kill(name, 'SIGCONT');
  // A crashed process restarts automatically; a stopped one does not.
  await system.ready(name).catch(() => undefined);
  await system.start(name);
}

/** Returns the violated invariants when every process works again and all events have arrived. */
export async function brokenInvariants(system: System): Promise<string[]> {
  await allRunning(system);
  const { checks } = await audit(system.databaseUrl, { settleMs: 8_000 });
  return checks
    .filter(({ flaws }) => flaws > 0)
    .map(({ says, examples }) => `${says} ${JSON.stringify(examples.slice(0, 5))}`);
}
