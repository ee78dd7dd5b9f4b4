import { once } from 'node:events';
import { connect } from 'node:net';
import { Worker } from 'node:worker_threads';
import type { Options } from 'autocannon';
import { Client } from 'pg';
import type { Reached } from '../background.ts';
import { percentile } from '../measure.ts';
import { adminToken, type BenchContext, basic, type Row, type Scenario } from '../scenario.ts';
import { type Door, doors, type Employee, employ, source } from './departing.ts';
import { offBoard, partnersOf } from './off-boarding.ts';

/** People a door; BENCH_LEAVERS=3 for a look. */
const people = Number(process.env.BENCH_LEAVERS ?? 40);
const background = 500;
/** How many leave at once; BENCH_CROWDS=1,10 for a look. */
const crowds = (process.env.BENCH_CROWDS ?? '1,10,100,1000,10000').split(',').map(Number);
const watched = 20;

const ms = (value: number): string => value.toFixed(1);
const figures = (delays: readonly number[]) => ({
  p50: ms(percentile(delays, 0.5)),
  p99: ms(percentile(delays, 0.99)),
  max: ms(Math.max(...delays)),
});

/** What can't be had for less: one commit of PostgreSQL and one round trip to Redis, each by a connection of its own. */
async function floor({ system }: BenchContext): Promise<Row> {
  const database = new Client({ connectionString: system.databaseUrl });
  const { hostname, port, password } = new URL(system.redisUrl);
  const redis = connect(Number(port), hostname);
  if (password !== '') {
    redis.write(`AUTH ${password}\r\n`);
    await once(redis, 'data');
  }
  await database.connect();
  try {
    await database.query('CREATE TABLE public.bench_floor (id bigserial PRIMARY KEY, at timestamptz)');
    const delays: number[] = [];
    for (let round = 0; round < 500; round += 1) {
      const begun = performance.now();
      await database.query('INSERT INTO public.bench_floor (at) VALUES (now())');
      redis.write('PING\r\n');
      await once(redis, 'data');
      delays.push(performance.now() - begun);
    }
    return {
      name: 'floor: one commit of PostgreSQL and one round trip to Redis, ms',
      figures: figures(delays),
    };
  } finally {
    await database.query('DROP TABLE IF EXISTS public.bench_floor').catch(() => undefined);
    await database.end();
    redis.destroy();
  }
}

/** Milliseconds from the answer to `active: false` to the first refusal; with it, one round trip to the door. */
async function timeToClose(context: BenchContext, door: Door, person: Employee): Promise<number> {
  const held = await door.hold(person);
  try {
    if (!(await held.isOpen())) throw new Error(`${door.name} should have been open`);
    await source(context).deactivate(person.id);
    const acknowledged = performance.now();
    while (await held.isOpen()) {
      if (performance.now() - acknowledged > 10_000)
        throw new Error(`${door.name} stayed open for ten seconds`);
    }
    return performance.now() - acknowledged;
  } finally {
    held.close?.();
  }
}

async function oneDoor(context: BenchContext, door: Door, when: string, load?: Load): Promise<Row> {
  const delays: number[] = [];
  load?.begin();
  for (let person = 0; person < people; person += 1) {
    delays.push(await timeToClose(context, door, await employ(context)));
  }
  context.log(`${door.name}, ${when}`);
  return {
    name: `departure → ${door.name}, ${when}, ${people} people, ms`,
    figures: { ...figures(delays), ...(load && { 'other requests, a second': await load.reached() }) },
  };
}

async function everyDoor(context: BenchContext): Promise<Row[]> {
  const rows: Row[] = [];
  for (const door of doors(context)) rows.push(await oneDoor(context, door, 'at rest'));
  for (const door of doors(context)) {
    // A load for each, because the token it goes by expires.
    const when = `at ${background} requests a second`;
    rows.push(await underLoad(context, (load) => oneDoor(context, door, when, load)));
  }
  return rows;
}

/** A load that goes on beside what is timed. */
interface Load {
  /** From now on it is counted. */
  begin(): void;
  /**
   * Requests answered a second since then, of those asked for: on a machine that can't, the figures beside it are of less.
   * @throws Error when some were refused, which are no load
   */
  reached(): Promise<string>;
}

/** Counts what the thread says of each second. */
function counting(load: Worker): Load {
  let seconds: Reached[] = [];
  load.on('message', (second: Reached) => seconds.push(second));
  return {
    begin() {
      seconds = [];
    },
    async reached() {
      while (seconds.length === 0) await once(load, 'message');
      const failed = seconds.reduce((sum, second) => sum + second.failed, 0);
      if (failed > 0) throw new Error(`${failed} requests of the load failed`);
      const completed = seconds.reduce((sum, second) => sum + second.completed, 0);
      return `${(completed / seconds.length).toFixed(0)} of ${background}`;
    },
  };
}

/** Reads of the graph and tokens for clients, as many a second as said, from a thread of its own. */
async function underLoad<T>(context: BenchContext, work: (load: Load) => Promise<T>): Promise<T> {
  const { demo } = context;
  const { issuer, clients } = demo.tenants.demo;
  const token = await adminToken(context);
  const options: Options = {
    url: demo.origin,
    overallRate: background,
    connections: 20,
    duration: 3_600,
    requests: [
      {
        method: 'POST',
        path: '/graphql',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: '{"query":"{ users(first: 1) { edges { node { id userName } } } }"}',
      },
      {
        method: 'POST',
        path: new URL(`${issuer}/token`).pathname,
        headers: {
          authorization: basic(clients.admin),
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: 'grant_type=client_credentials',
      },
    ],
  };
  const load = new Worker(new URL('../background.ts', import.meta.url), { workerData: options });
  try {
    // The first second is that of the thread's start.
    await once(load, 'message');
    return await work(counting(load));
  } finally {
    await load.terminate();
  }
}

async function growth(context: BenchContext): Promise<Row[]> {
  const partners = await partnersOf(context);
  const rows: Row[] = [];
  for (const count of crowds) {
    // One departure says little: those of a small crowd are repeated.
    const repeats = Math.max(1, Math.min(20, Math.floor(200 / count)));
    const delays: number[] = [];
    const answered: number[] = [];
    for (let round = 0; round < repeats; round += 1) {
      const result = await offBoard(context, await partners(count), watched);
      delays.push(...result.delays);
      answered.push(result.answered);
    }
    context.log(`${count} at once`);
    rows.push({
      name: `${count} departures at once, answer to their Bulk → refusal at the graph, ms`,
      figures: { ...figures(delays), 'Bulks answered after': ms(percentile(answered, 0.5)) },
    });
  }
  return rows;
}

/** How long every door takes to close: at rest, under load, and when many leave at once. */
export const departures: Scenario = {
  name: 'departures',
  async run(context): Promise<Row[]> {
    return [await floor(context), ...(await everyDoor(context)), ...(await growth(context))];
  },
};
