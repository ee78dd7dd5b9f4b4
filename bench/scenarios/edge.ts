import { loadavg } from 'node:os';
import { type LoadResult, load, median } from '../measure.ts';
import { type Peer, startPeer } from '../peer.ts';
import { type BenchContext, pidOf, type Row, type Scenario } from '../scenario.ts';
import { type Asked, edgeRequests } from './edge-requests.ts';

/** A path of requests to the service, and the process in between. */
interface Way {
  name: string;
  pid: number;
  url(asked: Asked): string;
}

/**
 * Cost of the gateway for requests of OAuth, OpenID Connect and SCIM, compared with servers that only forward (`HTTP
 * alone`: undici with streamed or complete bodies, or node:http; the cheapest for each kind of request). The gateway
 * runs as shipped, with its access log; `EDGE_LOG_LEVEL=warn` disables the log. Turns alternate, in every second round
 * in the opposite order. The result is the CPU of the process in between, and its ratio to HTTP alone in each round.
 */
export const edge: Scenario = {
  name: 'edge',
  async run(context) {
    const { system } = context;
    const peers: Peer[] = [];
    const passThrough = async (transport: string): Promise<Way> => {
      const env = { ORIGINS: JSON.stringify(system.urls), TRANSPORT: transport };
      const peer = await startPeer('edge-pass-through', env);
      peers.push(peer);
      return { name: `HTTP alone, ${transport}`, pid: peer.pid, url: () => peer.origin };
    };
    // The default level of a process: docs/reference/configuration.md.
    const { EDGE_LOG_LEVEL: level = 'info' } = process.env;
    const shipped = await system.spawnExtra('gateway', { env: { LOG_LEVEL: level } });
    const gateway = { name: 'gateway', pid: pidOf(system, shipped.name), url: () => shipped.url };
    try {
      const alone = [
        await passThrough('undici'),
        await passThrough('undici, whole bodies'),
        await passThrough('node:http'),
      ];
      const kinds = (await edgeRequests(context)).filter(({ what }) => isWanted(what));
      for (const asked of kinds.slice(0, 2)) {
        for (const way of [...alone, gateway]) await turn(way, asked, context, warmUp);
      }
      const rows: Row[] = [];
      for (const asked of kinds) rows.push(...(await compare(alone, gateway, asked, context)));
      return [...rows, overall(rows)];
    } finally {
      await Promise.all([shipped.stop(), ...peers.map((peer) => peer.stop())]);
    }
  },
};

/** Requests of each of two kinds before the measurement: V8 optimizes a server after some thousand requests. */
const warmUp = 3_000;

/** `BENCH_EDGE=token,userinfo` leaves out the other kinds. */
const isWanted = (what: string): boolean =>
  process.env.BENCH_EDGE?.split(',').some((name) => what.includes(name)) ?? true;

/** A turn is a number of requests, not a duration, so that each does the same work on a busy machine. */
function turn(way: Way, asked: Asked, { system }: BenchContext, amount: number): Promise<LoadResult> {
  return load({
    url: way.url(asked),
    seconds: 60,
    amount,
    pids: [way.pid],
    stores: behind.map((name) => pidOf(system, name)),
    requests: [asked.request],
    ...(asked.expect === undefined ? {} : { expect: asked.expect }),
  });
}

const behind = ['auth', 'directory', 'provisioning', 'postgres', 'valkey'];

async function compare(
  alone: readonly Way[],
  gateway: Way,
  asked: Asked,
  context: BenchContext,
): Promise<Row[]> {
  const { rounds, log } = context;
  const floor = await cheapest(alone, asked, context);
  await turn(gateway, asked, context, asked.amount);
  const floorRuns: LoadResult[] = [];
  const runs: LoadResult[] = [];
  // Seven rounds, or five with --quick: the median of fewer depends on the load of the machine.
  for (let round = 0; round < rounds + 4; round += 1) {
    const turns = [
      async () => floorRuns.push(await turn(floor, asked, context, asked.amount)),
      async () => runs.push(await turn(gateway, asked, context, asked.amount)),
    ];
    for (const take of round % 2 === 0 ? turns : turns.reverse()) await take();
  }
  const ratios = runs.map((run, round) => run.cpuMicros / (floorRuns[round]?.cpuMicros ?? Number.NaN));
  const rows = [rowOf(floor, asked, floorRuns), rowOf(gateway, asked, runs, ratios)];
  for (const { name, figures } of rows) log(`${name}: ${JSON.stringify(figures)}`);
  return rows;
}

/**
 * Returns the forwarding server with the least CPU for this kind of request. It uses the lesser of two turns, because
 * other processes can only increase the CPU time.
 */
async function cheapest(alone: readonly Way[], asked: Asked, context: BenchContext): Promise<Way> {
  const least = new Map(alone.map((way) => [way, Number.POSITIVE_INFINITY]));
  for (const way of [...alone, ...alone.toReversed()]) {
    const { cpuMicros } = await turn(way, asked, context, asked.amount / 2);
    least.set(way, Math.min(cpuMicros, least.get(way) ?? cpuMicros));
  }
  const [first] = [...least].sort(([, one], [, other]) => one - other);
  if (first === undefined) throw new Error('nothing to compare with');
  return first[0];
}

const ratioName = 'of HTTP alone';

function rowOf(way: Way, { what }: Asked, runs: readonly LoadResult[], ratios?: readonly number[]): Row {
  const middle = (figure: (run: LoadResult) => number): number => Math.round(median(runs.map(figure)));
  return {
    name: `edge, ${what}: ${way.name}`,
    figures: {
      'µs in between': middle((run) => run.cpuMicros),
      ...(ratios === undefined
        ? {}
        : { [ratioName]: two(median(ratios)), 'in the rounds': ratios.map(two).sort().join(' ') }),
      'µs behind': middle((run) => run.storeMicros),
      p99: middle((run) => run.p99),
      failures: runs.reduce((sum, run) => sum + run.failures, 0),
      'load (1 min)': two(loadavg()[0] ?? Number.NaN),
    },
  };
}

const two = (value: number): string => value.toFixed(2);

/** Returns the median and the maximum over all kinds of requests. */
function overall(rows: readonly Row[]): Row {
  const ratios = rows.map(({ figures }) => Number(figures[ratioName])).filter(Number.isFinite);
  const figures = { [ratioName]: two(median(ratios)), 'at most': two(Math.max(...ratios)) };
  return { name: 'edge, all kinds: gateway', figures };
}
