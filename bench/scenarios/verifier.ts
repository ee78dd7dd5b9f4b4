import { setTimeout as sleep } from 'node:timers/promises';
import { cpuSeconds, load, median, medianRun, percentile } from '../measure.ts';
import { type Peer, startPeer } from '../peer.ts';
import { adminToken, type BenchContext, pidOf, type Row, type Scenario } from '../scenario.ts';
import { type Client, registered, tokenOf } from './company-api.ts';
import { source } from './departing.ts';
import { partnersOf } from './off-boarding.ts';

const audience = 'https://orders.example';

/** Number of tokens that are sent repeatedly. */
const usual = 64;
/** Numbers of verifiers that follow the feed of one API. */
const crowds = [1, 50, 500, 1_000];
/** Number of users who are offboarded for each of them. */
const leaving = 40;
const idleMs = 10_000;

/**
 * CPU of a company API in Fastify that verifies the token of each request, next to jose alone and to introspection of
 * each token; the time from the response to a deactivation until every verifier rejects the token; and the CPU of auth
 * for the followers of the feed.
 */
export const verifier: Scenario = {
  name: 'verifier',
  async run(context) {
    const token = await adminToken(context);
    const server = await registered(context, token, { protectedResources: [audience] });
    const app = await registered(context, token, { resources: [audience] });
    const rows = await requests(context, server, app);
    const partners = await partnersOf(context, [audience]);
    for (const count of crowds) rows.push(await offboardings(context, server, count, partners));
    return rows;
  },
};

const environmentOf = ({ demo }: BenchContext, { client_id, client_secret }: Client) => ({
  AUDIENCE: audience,
  ISSUER: demo.tenants.demo.issuer,
  CLIENT_ID: client_id,
  CLIENT_SECRET: client_secret,
});

/** Turns alternate, so that the load of the machine affects all kinds. */
async function requests(context: BenchContext, server: Client, app: Client): Promise<Row[]> {
  const { log, rounds, seconds } = context;
  const kinds = ['none', 'jose', 'package', 'introspection'] as const;
  const peers: Peer[] = [];
  for (const KIND of kinds)
    peers.push(await startPeer('verified-api', { ...environmentOf(context, server), KIND }));
  try {
    const tokens = await Promise.all(Array.from({ length: usual }, () => tokenOf(context, app, audience)));
    const runs = kinds.map((): Awaited<ReturnType<typeof load>>[] => []);
    for (let round = 0; round < rounds; round++)
      for (const [at, peer] of peers.entries()) runs[at]?.push(await turn(peer, tokens, seconds));
    log('verifier: requests');
    const [, jose = []] = runs;
    return kinds.map((kind, at) => {
      const { cpuMicros, perSecond, p50, p99, failures } = medianRun(runs[at] ?? []);
      const ratio = median(
        (runs[at] ?? []).map((run, round) => run.cpuMicros / (jose[round]?.cpuMicros ?? 0)),
      );
      const figures = {
        'CPU µs': cpuMicros,
        'of jose': ratio.toFixed(2),
        'per second': perSecond,
        p50,
        p99,
        failures,
      };
      return { name: names[kind], figures };
    });
  } finally {
    await Promise.all(peers.map((peer) => peer.stop()));
  }
}

const names = {
  none: 'Fastify without verification',
  jose: 'jose alone, without revocations',
  package: '@ostiary/verifier',
  introspection: 'introspection of each token',
} as const;

function turn({ origin, pid }: Peer, tokens: readonly string[], seconds: number) {
  let at = 0;
  const setupRequest = (request: object) => ({
    ...request,
    headers: { authorization: `Bearer ${tokens[at++ % tokens.length]}` },
  });
  return load({ url: `${origin}/orders`, requests: [{ method: 'GET', setupRequest }], seconds, pids: [pid] });
}

async function offboardings(
  context: BenchContext,
  server: Client,
  count: number,
  partners: Awaited<ReturnType<typeof partnersOf>>,
): Promise<Row> {
  const auth = pidOf(context.system, 'auth');
  const peer = await startPeer('verifiers', { ...environmentOf(context, server), COUNT: String(count) });
  try {
    const idleFrom = cpuSeconds(auth);
    await sleep(idleMs);
    const idle = cpuSeconds(auth) - idleFrom;
    const delays: number[] = [];
    const leavers = await partners(leaving);
    let busy = 0;
    for (const { id, token } of leavers) {
      await peer.ask({ command: 'watch', token });
      const before = cpuSeconds(auth);
      await source(context).deactivate(id);
      const answered = performance.timeOrigin + performance.now();
      const ends = await peer.ask<number[]>({ command: 'ended' });
      busy += cpuSeconds(auth) - before;
      delays.push(...ends.map((end) => Math.max(0, end - answered)));
    }
    context.log(`verifier: ${count} followers`);
    return {
      name: `${count} followers`,
      figures: {
        'rejected after ms, p50': percentile(delays, 0.5).toFixed(1),
        p99: percentile(delays, 0.99).toFixed(1),
        max: Math.max(...delays).toFixed(1),
        'auth, CPU ms per offboarding': ((busy / leaving) * 1_000).toFixed(1),
        'auth idle, CPU ms per s': ((idle / (idleMs / 1_000)) * 1_000).toFixed(1),
      },
    };
  } finally {
    await peer.stop();
  }
}
