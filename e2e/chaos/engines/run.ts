import { systemOn } from '../../support/engines/system-on.ts';
import { type Figures, longest, offboardingUnder, recoveryMs } from '../../support/engines/under-fault.ts';
import { Random } from '../random.ts';
import type { Engine } from './engine.ts';
import { postgres } from './postgres.ts';
import { cluster, sentinels } from './redis.ts';

/** People who leave during each fault. */
const people = 8;

interface Ran {
  engine: string;
  figures: Figures[];
  /** What didn't hold, a sentence each. */
  broken: string[];
}

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
          say(`${engine.name}: ${fault}: all right again after ${Math.round(longest(one))} ms`);
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
 * The four services on engines that fail over, each fault once, in an order that the seed gives.
 * @param o.only which engines; all unless said @returns the page about it, and what didn't hold
 */
export async function runEngines(o: {
  seed: number;
  only?: readonly string[] | undefined;
  say: (line: string) => void;
}): Promise<{ page: string; broken: string[] }> {
  const unknown = o.only?.filter((name) => !Object.hasOwn(engines, name)) ?? [];
  if (unknown.length > 0)
    throw new Error(`there is no engine ${unknown.join()}: ${Object.keys(engines).join(', ')}`);
  const random = new Random(o.seed);
  const ran: Ran[] = [];
  for (const [name, begin] of Object.entries(engines)) {
    // Each has its own faults in the same order, whichever others are run.
    const own = random.fork(name);
    if (o.only !== undefined && !o.only.includes(name)) continue;
    const engine = await begin().catch((error: Error) => error);
    ran.push(
      engine instanceof Error
        ? { engine: name, figures: [], broken: [`${name}: ${engine.message}`] }
        : await runOn(engine, own, o.say),
    );
  }
  return { page: pageOf(o.seed, ran), broken: ran.flatMap(({ broken }) => broken) };
}

function pageOf(seed: number, ran: readonly Ran[]): string {
  const ms = (value: number) => `${Math.round(value).toLocaleString('en')} ms`;
  const rows = ran.flatMap(({ engine, figures }) =>
    figures.map(
      ({ fault, closedMs, signsInMs, heardMs }) =>
        `| ${engine} | ${fault} | ${closedMs.length} | ${ms(Math.max(...closedMs))} | ${ms(signsInMs)} | ${ms(heardMs)} |`,
    ),
  );
  const broken = ran.flatMap((one) => one.broken);
  return [
    '# Engines that fail over',
    '',
    `Made by \`npm run chaos -- --engines ha --seed ${seed}\`: the four services on Debian's Redis and PostgreSQL on loopback, while ${people} people are offboarded in each fault.`,
    'Servers count as failed after 1.5 s; then Redis chooses another primary by itself, and the standby of PostgreSQL is promoted. Nobody does anything about Ostiary.',
    '',
    '| engine | fault | offboarded | last door closed after | somebody new signs in after | a subscriber hears after |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    'Doors are counted from the answer to each departure, the rest from the fault. A departure is answered at once whatever becomes of Redis; without PostgreSQL it is answered',
    'with 503, and sent again by its identity source. Somebody new arrives at the authorization server by the queue; a subscriber is one of before, or one who subscribes anew',
    'because events may have been lost.',
    '',
    broken.length === 0
      ? `Everybody who was offboarded is refused at every door, everything was right again within ${recoveryMs / 1000} s, nobody works at a former primary, that changes were lost is said where they were, and [the invariants](../guides/audit-the-invariants.md) hold.`
      : `Broken: ${broken.join('; ')}`,
    '',
    '`npm run test:full` has the short form, of Redis with everything over TLS by a private authority, and a harder one: nothing that the primary writes reaches a replica any more,',
    'people with every door there is leave, the primary is killed and a replica that never heard of it takes over. No door lets them in, before the',
    'fail-over or after it, and a code that was used in those moments is used up (`e2e/engines/redis-sentinel.test.ts`). That of PostgreSQL is',
    '`e2e/system/database-fail-over.test.ts`.',
    '',
  ].join('\n');
}
