import { cpuSeconds, type LoadResult, load, percentile } from '../measure.ts';
import { startPeer } from '../peer.ts';
import { basic, pidOf, type Row, type Scenario } from '../scenario.ts';

const sizes = [1, 2, 4] as const;
const most = Math.max(...sizes);
/** Concurrent requests over all processes; the load does not depend on the number of processes. */
const connections = 16;
/** Requests until V8 has compiled the code of a token request. */
const warming = 6_000;

/** Processes with the same function, of which a varying number shares the load. */
interface Fleet {
  name: string;
  processes: readonly { url: string; pid: number }[];
  path: string;
  headers: Record<string, string>;
}

/** Cost of one size of a fleet in one round. */
interface Cost extends LoadResult {
  /** CPU of all processes per second without requests, in milliseconds. */
  idleMillis: number;
}

/** Results by name and size of the fleet. */
type Round = Map<string, Map<number, Cost>>;

/**
 * Cost of a token when one, two and four authorization servers share the load; shared state must not increase it. With
 * more processes than cores, each wakes more often for fewer requests. The same number of minimal servers that sign a
 * token shows that part of the cost.
 */
export const scaleOut: Scenario = {
  name: 'scale_out',
  async run({ system, demo, seconds, rounds, log }) {
    const extra: Awaited<ReturnType<typeof system.spawnExtra>>[] = [];
    const peers: Awaited<ReturnType<typeof startPeer>>[] = [];
    try {
      while (extra.length + 1 < most) extra.push(await system.spawnExtra('auth'));
      while (peers.length < most) peers.push(await startPeer('signing-server'));
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      const fleets: Fleet[] = [
        {
          name: 'client_credentials',
          processes: [
            { url: system.urls.auth, pid: pidOf(system, 'auth') },
            ...extra.map(({ name, url }) => ({ url, pid: pidOf(system, name) })),
          ],
          path: '/t/demo/token',
          headers: { ...form, authorization: basic(demo.tenants.demo.clients.admin) },
        },
        {
          name: 'bare server that signs',
          processes: peers.map(({ origin, pid }) => ({ url: origin, pid })),
          path: '/token',
          headers: form,
        },
      ];
      // Each process alone with the same number of requests, so that all are equally optimized.
      for (const fleet of fleets) {
        for (const process of fleet.processes)
          await cost({ ...fleet, processes: [process] }, 1, seconds, warming);
      }
      const measured: Round[] = [];
      while (measured.length < rounds) {
        const round: Round = new Map(fleets.map(({ name }) => [name, new Map()]));
        // All fleets at one size before the next, so that compared results are close in time.
        for (const size of sizes)
          for (const fleet of fleets) round.get(fleet.name)?.set(size, await cost(fleet, size, seconds));
        measured.push(round);
        const text = [...round].map(
          ([name, costs]) => `${name} ${[...costs.values()].map(({ cpuMicros }) => cpuMicros).join(', ')} µs`,
        );
        log(`round ${measured.length}: ${text.join('; ')}`);
      }
      return rowsOf(measured);
    } finally {
      for (const one of [...extra, ...peers]) await one.stop();
    }
  },
};

/**
 * Sends the load to the first processes of a fleet, in equal parts. @param amount number of requests to each instead of
 * a duration
 */
async function cost(
  { processes, path, headers }: Fleet,
  size: number,
  seconds: number,
  amount?: number,
): Promise<Cost> {
  const used = processes.slice(0, size);
  const cpu = () => used.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0);
  const [before, begun] = [cpu(), performance.now()];
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const idleMillis = ((cpu() - before) * 1e6) / (performance.now() - begun);
  const results = await Promise.all(
    used.map(({ url, pid }) =>
      load({
        url,
        seconds,
        ...(amount !== undefined && { amount }),
        connections: connections / size,
        pids: [pid],
        requests: [{ method: 'POST', path, headers, body: 'grant_type=client_credentials' }],
      }),
    ),
  );
  return { ...together(results), idleMillis };
}

/** Returns the sum of the results of several processes under concurrent load. */
function together(results: readonly LoadResult[]): LoadResult {
  const sum = (of: (result: LoadResult) => number) =>
    results.reduce((total, result) => total + of(result), 0);
  const perSecond = sum((result) => result.perSecond);
  const longest = (of: (result: LoadResult) => number) => Math.max(...results.map(of));
  return {
    perSecond,
    cpuMicros: Math.round(sum((result) => result.cpuMicros * result.perSecond) / perSecond),
    storeMicros: 0,
    p50: longest((result) => result.p50),
    p99: longest((result) => result.p99),
    failures: sum((result) => result.failures),
  };
}

const figureOf = (round: Round, name: string, size: number, figure: keyof Cost): number =>
  round.get(name)?.get(size)?.[figure] ?? Number.NaN;

const median = (rounds: readonly Round[], of: (round: Round) => number): number =>
  percentile(rounds.map(of), 0.5);

/** Ratios are the medians of the ratios of each round. */
function rowsOf(rounds: readonly Round[]): Row[] {
  const names = [...(rounds[0]?.keys() ?? [])];
  const [own = '', bare = ''] = names;
  const ratio = (round: Round, name: string, size: number) =>
    figureOf(round, name, size, 'cpuMicros') / figureOf(round, name, 1, 'cpuMicros');
  const added = (round: Round, name: string, size: number) =>
    figureOf(round, name, size, 'cpuMicros') - figureOf(round, name, 1, 'cpuMicros');
  const figures = ['perSecond', 'cpuMicros', 'idleMillis', 'p50', 'p99', 'failures'] as const;
  const each = names.flatMap((name) =>
    sizes.map((size) => ({
      name: `${name}, over ${size} ${size === 1 ? 'process' : 'processes'}`,
      figures: {
        ...Object.fromEntries(
          figures.map((figure) => [
            figure,
            Math.round(median(rounds, (one) => figureOf(one, name, size, figure))),
          ]),
        ),
        'CPU a token, ratio to one': median(rounds, (one) => ratio(one, name, size)).toFixed(2),
      },
    })),
  );
  const beside = sizes.slice(1).map((size) => ({
    name: `${own} over ${size}, beside as many bare servers`,
    figures: {
      'of the bare ratio': median(rounds, (one) => ratio(one, own, size) / ratio(one, bare, size)).toFixed(2),
      'added a token, µs': median(rounds, (one) => added(one, own, size)).toFixed(0),
      'added by the machine, µs': median(rounds, (one) => added(one, bare, size)).toFixed(0),
    },
  }));
  return [...each, ...beside];
}
