import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { System, SystemOptions } from '@ostiary/embedded/system';
import { audit } from '../../invariants/audit.ts';
import type { Demo } from '../demo.ts';
import { endOwn, preparedBy, startOwn } from '../systems/start-own.ts';

/** The four services on given engines. */
export interface SystemOnEngine {
  system: System;
  demo: Demo;
  /** Log entries about commands that Redis rejected permanently. */
  refusals(): Promise<string[]>;
  brokenInvariants(): Promise<string[]>;
  stop(): Promise<void>;
}

/** Engines of a system instead of embedded ones: for an administrator, and for each process in `env`. */
export type EngineAt = Pick<SystemOptions, 'redisUrl' | 'databaseUrl' | 'env'>;

export async function systemOn(at: EngineAt): Promise<SystemOnEngine> {
  const prepared = preparedBy(process.env);
  // A prepared home contains embedded databases.
  if (at.databaseUrl !== undefined) delete prepared.home;
  const started = await startOwn(prepared, at);
  const { system, demo } = started;
  return {
    system,
    demo,
    async refusals() {
      const folder = join(system.home, 'logs');
      const texts = await Promise.all(
        (await readdir(folder)).map((file) => readFile(join(folder, file), 'utf8')),
      );
      return texts
        .join('\n')
        .split('\n')
        .filter((line) => /CROSSSLOT|NOPERM|unknown command|\bWRONGPASS\b/.test(line))
        .map((line) => line.slice(0, 500));
    },
    async brokenInvariants() {
      const { checks } = await audit(system.databaseUrl, { settleMs: 8_000 });
      return checks
        .filter(({ flaws }) => flaws > 0)
        .map(({ says, examples }) => `${says} ${JSON.stringify(examples.slice(0, 5))}`);
    },
    stop: () => endOwn(started),
  };
}
