import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Options } from 'autocannon';
import type { Reached } from '../background.ts';
import { percentile } from '../measure.ts';
import { adminToken, type BenchContext, basic, type Row, type Scenario } from '../scenario.ts';
import { type AccessPath, doors, type Employee, employ, source } from './departing.ts';
import { Floor } from './floor.ts';
import { offBoard, partnersOf } from './off-boarding.ts';

/** Users per access path, default 40; BENCH_LEAVERS=3 for a short run. */
const people = Number(process.env.BENCH_LEAVERS ?? 40);
const background = 500;
/** Numbers of concurrent departures; BENCH_CROWDS=1,10 for a short run. */
const crowds = (process.env.BENCH_CROWDS ?? '1,10,100,1000,10000').split(',').map(Number).filter(Boolean);
const watched = 20;

/** Seconds of inactivity before a departure, default 70; 0 skips these measurements. */
const quietSeconds = Number(process.env.BENCH_QUIET ?? 70);
const afterQuiet = 4;
/** Only access paths whose name contains this, for a short run. */
const wantedAccessPaths = process.env.BENCH_DOORS ?? '';

const ms = (value: number): string => value.toFixed(1);
const figures = (delays: readonly number[]) => ({
  p50: ms(percentile(delays, 0.5)),
  p99: ms(percentile(delays, 0.99)),
  max: ms(Math.max(...delays)),
});

interface Timed {
  /** Milliseconds from the answer to `active: false` to the first rejection, including one round trip. */
  delay: number;
  /** Milliseconds until that answer. */
  answered: number;
  /**
   * Minimum in milliseconds, measured at the same moment: a commit, a round trip to Redis, and one rejected request.
   */
  floor: number;
}

async function timeToClose(
  context: BenchContext,
  door: AccessPath,
  person: Employee,
  floor: Floor,
): Promise<Timed> {
  const held = await door.hold(person);
  try {
    if (!(await held.isOpen())) throw new Error(`${door.name} should have been open`);
    const least = await floor.once();
    const begun = performance.now();
    await source(context).deactivate(person.id);
    const acknowledged = performance.now();
    while (await held.isOpen()) {
      if (performance.now() - acknowledged > 10_000)
        throw new Error(`${door.name} stayed open for ten seconds`);
    }
    const refused = performance.now();
    await held.isOpen();
    return {
      delay: refused - acknowledged,
      answered: acknowledged - begun,
      floor: least + performance.now() - refused,
    };
  } finally {
    held.close?.();
  }
}

/** Creates a user, waits, and measures the departure. */
async function timed(context: BenchContext, door: AccessPath, floor: Floor, silenceMs = 0): Promise<Timed> {
  const person = await employ(context);
  if (silenceMs > 0) {
    // Credentials are obtained before the departure but after the silence.
    await setTimeout(silenceMs);
  }
  return timeToClose(context, door, person, floor);
}

function rowOf(name: string, all: readonly Timed[], more: Row['figures'] = {}): Row {
  const delays = all.map(({ delay }) => delay);
  const floor = percentile(
    all.map((one) => one.floor),
    0.5,
  );
  return {
    name,
    figures: {
      ...figures(delays),
      floor: ms(floor),
      'p99 / floor': ms(percentile(delays, 0.99) / floor),
      'change answered after': ms(
        percentile(
          all.map(({ answered }) => answered),
          0.5,
        ),
      ),
      ...more,
    },
  };
}

async function oneAccessPath(
  context: BenchContext,
  door: AccessPath,
  floor: Floor,
  when: string,
  load?: Load,
): Promise<Row> {
  const all: Timed[] = [];
  load?.begin();
  for (let person = 0; person < people; person += 1) all.push(await timed(context, door, floor));
  context.log(`${door.name}, ${when}`);
  const reached = load ? { 'other requests, a second': await load.reached() } : {};
  return rowOf(`departure → ${door.name}, ${when}, ${people} people, ms`, all, reached);
}

/** Measures the first departure after a silence longer than the idle timeout of any connection. */
async function firstAfterSilence(context: BenchContext, floor: Floor): Promise<Row[]> {
  if (quietSeconds <= 0) return [];
  const rows: Row[] = [];
  for (const door of accessPathsOf(context).filter(({ name }) => accessPathsAfterSilence.includes(name))) {
    const all: Timed[] = [];
    for (let time = 0; time < afterQuiet; time += 1)
      all.push(await timed(context, door, floor, quietSeconds * 1_000));
    context.log(`${door.name}, first after silence`);
    rows.push(rowOf(`departure → ${door.name}, the first after ${quietSeconds} s of silence, ms`, all));
  }
  return rows;
}

const accessPathsAfterSilence = ['graph at the gateway', 'userinfo'];

const accessPathsOf = (context: BenchContext): AccessPath[] =>
  doors(context).filter(({ name }) => name.includes(wantedAccessPaths));

async function everyAccessPath(context: BenchContext, floor: Floor): Promise<Row[]> {
  const rows: Row[] = [];
  for (const door of accessPathsOf(context)) rows.push(await oneAccessPath(context, door, floor, 'at rest'));
  rows.push(...(await firstAfterSilence(context, floor)));
  for (const door of accessPathsOf(context)) {
    // A separate load for each, because its token expires.
    const when = `at ${background} requests a second`;
    rows.push(await underLoad(context, (load) => oneAccessPath(context, door, floor, when, load)));
  }
  return rows;
}

/** A load during a measurement. */
interface Load {
  /** Starts counting. */
  begin(): void;
  /**
   * Returns the answered and the requested number of requests per second; a slow machine answers fewer. @throws Error
   * when requests failed
   */
  reached(): Promise<string>;
}

/** Counts the reports of the thread. */
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

/** Sends graph reads and token requests of clients at a fixed rate, from a separate thread. */
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
    // The first second includes the start of the thread.
    await once(load, 'message');
    return await work(counting(load));
  } finally {
    await load.terminate();
  }
}

async function growth(context: BenchContext): Promise<Row[]> {
  const rows: Row[] = [];
  if (crowds.length === 0) return rows;
  const partners = await partnersOf(context);
  for (const count of crowds) {
    // A single departure is not significant; small crowds are repeated.
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

/**
 * Milliseconds until every access path closes: at rest, after a silence, under load, and with many concurrent
 * departures.
 */
export const departures: Scenario = {
  name: 'departures',
  async run(context): Promise<Row[]> {
    const floor = await Floor.open(context.system);
    try {
      const rows = [await floor.row(), ...(await everyAccessPath(context, floor))];
      return [...rows, ...(await growth(context))];
    } finally {
      await floor.close();
    }
  },
};
