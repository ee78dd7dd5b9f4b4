import { loadavg } from 'node:os';
import { type LoadResult, load, median } from '../measure.ts';
import { type Peer, startPeer } from '../peer.ts';
import { type BenchContext, pidOf, type Row, type Scenario } from '../scenario.ts';
import { type Asked, edgeRequests } from './edge-requests.ts';

/** One way on which a request reaches its service, and the process that stands in between. */
interface Way {
  name: string;
  pid: number;
  url(asked: Asked): string;
}

/**
 * What the gateway costs a request of OAuth, OpenID Connect and SCIM: the same requests through a server of a few lines that only passes on
 * (`HTTP alone`: undici with bodies as they come or gathered, node:http; whichever is the cheapest for this kind of request), and through the
 * gateway as it is shipped, with its access log. They take turns, and in every second round in the opposite order. The figure that counts is
 * the CPU of the process in between, and in each round its ratio to HTTP alone. `EDGE_LOG_LEVEL=warn` is the gateway without its access log.
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
    // The level that a process has when nobody says another: docs/reference/configuration.md.
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

/** Requests of each of two kinds before anything counts: what the compiler makes of a server takes some thousand of them. */
const warmUp = 3_000;

/** `BENCH_EDGE=token,userinfo` leaves out the other kinds. */
const isWanted = (what: string): boolean =>
  process.env.BENCH_EDGE?.split(',').some((name) => what.includes(name)) ?? true;

/** A turn is so many requests and not so many seconds: each does the same work, however busy the machine is. */
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
  // Seven, or five when it is to be quick: the middle of fewer is what the machine did at the time.
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
 * The servers that only pass on differ by kind of request: beside the gateway stands the one that needs the least. By the lesser of two turns,
 * because what others do on the machine only ever adds.
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

/** The middle and the worst of all kinds of requests. */
function overall(rows: readonly Row[]): Row {
  const ratios = rows.map(({ figures }) => Number(figures[ratioName])).filter(Number.isFinite);
  const figures = { [ratioName]: two(median(ratios)), 'at most': two(Math.max(...ratios)) };
  return { name: 'edge, all kinds: gateway', figures };
}
