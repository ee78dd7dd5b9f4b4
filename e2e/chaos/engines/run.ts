import { systemOn } from '../../support/engines/system-on.ts';
import { type Figures, longest, offboardingUnder, recoveryMs } from '../../support/engines/under-fault.ts';
import { Random } from '../random.ts';
import type { Engine } from './engine.ts';
import { postgres } from './postgres.ts';
import { cluster, sentinels } from './redis.ts';

/** Number of users offboarded during each fault. */
const people = 8;

interface Ran {
  engine: string;
  figures: Figures[];
  /** Violations, a sentence each. */
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
    '# High availability',
    '',
    `This page shows how long offboarding and sign-in take during a failover of Redis or PostgreSQL. \`npm run chaos -- --engines ha --seed ${seed}\` writes it: the four services on Debian's Redis and PostgreSQL on`,
    `loopback, ${people} users offboarded during each fault. Servers count as failed after 1.5 s; then Redis elects another primary, and the standby of PostgreSQL is promoted. Ostiary needs no intervention.`,
    '',
    '| engine | fault | users offboarded | last access path closed after | new user signs in after | subscriber receives events after |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
    '| measurement | definition |',
    '|---|---|',
    '| access path closed | from the answer to the offboarding request; independent of Redis. Without PostgreSQL the answer is 503, and the identity source retries |',
    '| new user signs in | from the fault; the user reaches the authorization server by the queue |',
    '| subscriber receives events | from the fault; an existing subscriber, or one that subscribes again because events may be lost |',
    '',
    broken.length === 0
      ? `All offboarded users are rejected on every access path. All functions recovered within ${recoveryMs / 1000} s. No process uses a former primary. Lost changes are reported. [The invariants](../guides/audit-the-invariants.md) hold.`
      : `Failed: ${broken.join('; ')}`,
    '',
    '`npm run test:full` contains a short form with TLS by a private authority and a stricter one: replication stops, users with every access path are offboarded, the primary is killed, and a replica without these changes',
    'becomes primary. No access path is open before or after the failover, and authorization codes used in between stay used (`e2e/engines/redis-sentinel.test.ts`). For PostgreSQL see',
    '`e2e/system/database-fail-over.test.ts`.',
    '',
  ].join('\n');
}
