import { systemOn } from '../../support/engines/system-on.ts';
import {
  type Figures,
  longest,
  offboardingUnder,
  recoveryMs,
  recoveryOf,
} from '../../support/engines/under-fault.ts';
import { Random } from '../random.ts';
import type { Engine } from './engine.ts';
import { pageOf, people, type Ran } from './page.ts';
import { postgres } from './postgres.ts';
import { cluster, sentinels } from './redis.ts';

async function runOn(engine: Engine, random: Random, say: (line: string) => void): Promise<Ran> {
  const figures: Figures[] = [];
  const broken: string[] = [];
  try {
    const on = await systemOn(engine.at);
    try {
      for (const [fault, o] of random.shuffled(Object.entries(engine.faults))) {
        try {
          await o.prepare?.(on);
          const one = await offboardingUnder(on.demo, { ...o, fault, people });
          figures.push(one);
          for (const sentence of (await o.broken?.(on)) ?? [])
            broken.push(`${engine.name}: ${fault}: ${sentence}`);
          say(`${engine.name}: ${recoveryOf(one)}`);
          if (longest(one) > recoveryMs)
            broken.push(`${engine.name}: ${fault}: not all right within ${recoveryMs} ms`);
        } catch (error) {
          broken.push(`${engine.name}: ${fault}: ${error instanceof Error ? error.message : String(error)}`);
        }
      }
      broken.push(...(await on.refusals()), ...(await on.brokenInvariants()));
    } finally {
      await on.stop();
    }
  } finally {
    await engine.stop();
  }
  return { engine: engine.name, figures, broken };
}

const engines: Readonly<Record<string, () => Promise<Engine>>> = { sentinels, cluster, postgres };

/**
 * Runs the four services on engines that fail over, with each fault once, in the order of the seed.
 * @param o.only names of engines, default all @returns the page, and the violations
 */
export async function runEngines(o: {
  seed: number;
  only?: readonly string[] | undefined;
  say: (line: string) => void;
}): Promise<{ page: string; broken: string[] }> {
  const unknown = o.only?.filter((name) => !Object.hasOwn(engines, name)) ?? [];
  if (unknown.length > 0)
    throw new Error(`there is no engine ${unknown.join()}: ${Object.keys(engines).join(', ')}`);
  const startedAt = new Date();
  const random = new Random(o.seed);
  const ran: Ran[] = [];
  for (const [name, begin] of Object.entries(engines)) {
    // The order of the faults of an engine does not depend on the other engines.
    const own = random.fork(name);
    if (o.only !== undefined && !o.only.includes(name)) continue;
    const engine = await begin().catch((error: Error) => error);
    ran.push(
      engine instanceof Error
        ? { engine: name, figures: [], broken: [`${name}: ${engine.message}`] }
        : await runOn(engine, own, o.say),
    );
  }
  return { page: pageOf(o.seed, startedAt, ran), broken: ran.flatMap(({ broken }) => broken) };
}
