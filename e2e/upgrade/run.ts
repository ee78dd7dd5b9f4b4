import { setTimeout as sleep } from 'node:timers/promises';
import { audit } from '../invariants/audit.ts';
import { type Failure, Load } from '../support/load/load.ts';
import type { Prepared } from '../support/systems/start-own.ts';
import { Fleet } from './fleet/fleet.ts';
import { accessPathsEnv, type Leaving, LeavingUsers } from './leaving.ts';
import type { Order } from './orders.ts';
import type { Release } from './releases/previous.ts';

/** Replacement of all processes in one order. */
export interface Pass {
  direction: 'up' | 'back';
  order: Order;
  seconds: number;
  requests: number;
  departures: number;
}

export interface Outcome {
  previous: Pick<Release, 'version' | 'commit'>;
  seed: number;
  startedAt: Date;
  seconds: number;
  /** Processes that were not ready after this release's migrations. */
  unready: string[];
  passes: Pass[];
  counts: Readonly<Record<string, number>>;
  failures: readonly Failure[];
  leaving: Leaving;
  invariants: { checks: number; looked: number; broken: string[] };
}

export interface RunOptions {
  previous: Release;
  /** Folder of this release, built. */
  root: string;
  orders: readonly Order[];
  seed: number;
  /** Maximum duration in ms after which no further order begins. */
  maxMs?: number;
  prepared: Prepared;
  log(message: string): void;
}

/**
 * Runs both releases on one PostgreSQL and one Redis: it starts the previous release, applies the migrations of this
 * one, and then replaces all processes one at a time, forward and back, in each of the orders.
 */
export async function run(options: RunOptions): Promise<Outcome> {
  const { previous, root, orders, seed, prepared, log, maxMs = Number.POSITIVE_INFINITY } = options;
  const startedAt = new Date();
  const begun = performance.now();
  const fleet = await Fleet.start({ prepared, env: accessPathsEnv, root: previous.root });
  try {
    log(`eight processes of ${previous.version} are up`);
    const load = new Load({ demo: fleet.demo, people: 8, concurrency: 6, signInEveryMs: 500 });
    await load.begin();
    const leaving = await LeavingUsers.begin(fleet, seed);
    await fleet.system.migrate(root);
    await sleep(2_000);
    const unready = await fleet.unready();
    log(`the migrations of this release are applied; not ready afterwards: ${unready.join(', ') || 'none'}`);
    const passes: Pass[] = [];
    for (const [index, order] of orders.entries()) {
      if (performance.now() - begun > maxMs) break;
      for (const direction of ['up', 'back'] as const) {
        const before = { at: performance.now(), requests: load.requests, departures: leaving.count };
        const to = direction === 'up' ? root : previous.root;
        for (const service of order) for (const name of fleet.of(service)) await fleet.replace(name, to);
        const pass = {
          direction,
          order,
          seconds: Math.round((performance.now() - before.at) / 1_000),
          requests: load.requests - before.requests,
          departures: leaving.count - before.departures,
        };
        passes.push(pass);
        log(
          `${index + 1} of ${orders.length}, ${direction}: ${order.join(', ')}: ${pass.seconds} s, ` +
            `${pass.requests} requests, ${pass.departures} departures, ${load.failures.length} kinds of failures so far`,
        );
      }
    }
    const left = await leaving.end();
    await load.end();
    const { checks } = await audit(fleet.system.databaseUrl, { settleMs: 15_000 });
    return {
      previous,
      seed,
      startedAt,
      seconds: Math.round((performance.now() - begun) / 1_000),
      unready,
      passes,
      counts: load.counts,
      failures: load.failures,
      leaving: left,
      invariants: {
        checks: checks.length,
        looked: checks.reduce((sum, { looked }) => sum + Number(looked), 0),
        broken: checks
          .filter(({ flaws }) => flaws > 0)
          .map(({ says, examples }) => `${says} ${JSON.stringify(examples.slice(0, 5))}`),
      },
    };
  } finally {
    await fleet.stop();
  }
}

/** Maximum time in ms until access is closed after the acknowledgement, the same as without replacements. */
export const openBoundMs = 1_000;

/** Returns the violated guarantees of a run. */
export function broken({ unready, failures, leaving, invariants }: Outcome): string[] {
  return [
    ...unready.map((name) => `${name} of the previous release was not ready on this one's schema`),
    ...failures
      .filter(({ isRetried }) => !isRetried)
      .map(({ kind, said, count, first }) => `${count} × ${kind}, first after ${first} s: ${said}`),
    ...leaving.open,
    ...leaving.wrongEffects,
    ...(leaving.maxOpenMs > openBoundMs ? [`a door was open for ${leaving.maxOpenMs} ms`] : []),
    ...invariants.broken,
  ];
}
