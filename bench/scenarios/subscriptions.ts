import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Dispatcher, Pool } from 'undici';
import { cpuSeconds, percentile } from '../measure.ts';
import { adminToken, type BenchContext, pidOf, type Row, type Scenario } from '../scenario.ts';

const idle = 10_000;
const listeners = 1_000;
const events = 20;

const plain = 'subscription { userChanged { id userId version } }';
const hydrated = 'subscription { userChanged { id userId user { userName active sessions { id } } } }';

/** Returns the resident memory of a process in bytes. Linux only. */
const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1024;

interface Listeners {
  /** Arrival times of each event at the listeners, by performance.now(). */
  arrivals: Map<string, number[]>;
  close(): Promise<void>;
}

/** Opens event streams, each on its own connection. */
async function listen(
  origin: string,
  tokens: readonly string[],
  query: string,
  count: number,
): Promise<Listeners> {
  const pool = new Pool(origin, {
    connections: count,
    pipelining: 1,
    bodyTimeout: 0,
    headersTimeout: 120_000,
  });
  const bodies: Dispatcher.ResponseData['body'][] = [];
  const arrivals = new Map<string, number[]>();
  const body = JSON.stringify({ query });
  const open = async (index: number): Promise<void> => {
    const response = await pool.request({
      method: 'POST',
      path: '/graphql',
      headers: {
        authorization: `Bearer ${tokens[index % tokens.length]}`,
        accept: 'text/event-stream',
        'content-type': 'application/json',
      },
      body,
    });
    if (response.statusCode !== 200)
      throw new Error(
        `a subscription was answered with ${response.statusCode}: ${await response.body.text()}`,
      );
    bodies.push(response.body);
    let rest = '';
    response.body.on('error', () => undefined);
    response.body.on('data', (chunk: Buffer) => {
      const now = performance.now();
      rest += chunk.toString();
      const messages = rest.split('\n\n');
      rest = messages.pop() ?? '';
      for (const message of messages) {
        const id = /"userChanged":\{"id":"([^"]+)"/.exec(message)?.[1];
        if (id === undefined) continue;
        const times = arrivals.get(id) ?? [];
        arrivals.set(id, times);
        times.push(now);
      }
    });
  };
  for (let first = 0; first < count; first += 100) {
    await Promise.all(Array.from({ length: Math.min(100, count - first) }, (_, i) => open(first + i)));
  }
  return {
    arrivals,
    async close() {
      for (const each of bodies) each.destroy();
      await pool.destroy();
    },
  };
}

/** Changes a user; returns the time of the answer. */
async function change({ demo }: BenchContext, userId: string): Promise<number> {
  const tenant = demo.tenants.demo;
  const asked = performance.now();
  const response = await fetch(`${tenant.scim}/Users/${userId}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${tenant.clients.scim.token}`,
      'content-type': 'application/scim+json',
    },
    body: JSON.stringify({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'displayName', value: `Changed at ${asked}` }],
    }),
  });
  if (!response.ok) throw new Error(`a change was answered with ${response.status}`);
  await response.arrayBuffer();
  return performance.now();
}

async function newUser({ demo }: BenchContext): Promise<string> {
  const tenant = demo.tenants.demo;
  const response = await fetch(`${tenant.scim}/Users`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${tenant.clients.scim.token}`,
      'content-type': 'application/scim+json',
    },
    body: JSON.stringify({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
      userName: `bench-${process.pid}-${Date.now()}`,
    }),
  });
  return ((await response.json()) as { id: string }).id;
}

/** Measures the time from the answer to a change to its arrival, over all listeners and changes. */
async function latency(
  context: BenchContext,
  name: string,
  tokens: readonly string[],
  query: string,
): Promise<Row> {
  const { system } = context;
  const userId = await newUser(context);
  const gateway = pidOf(system, 'gateway');
  const heard = await listen(system.origin, tokens, query, listeners);
  const delays: number[] = [];
  const before = cpuSeconds(gateway);
  try {
    for (let event = 0; event < events; event += 1) {
      heard.arrivals.clear();
      const answered = await change(context, userId);
      const deadline = performance.now() + 30_000;
      const all = (): number[] => [...heard.arrivals.values()].flat();
      while (all().length < listeners && performance.now() < deadline) await sleep(5);
      const times = all();
      if (times.length !== listeners) throw new Error(`${times.length} of ${listeners} were told`);
      delays.push(...times.map((time) => Math.max(0, time - answered)));
    }
  } finally {
    await heard.close();
  }
  const cpu = ((cpuSeconds(gateway) - before) * 1e6) / (events * listeners);
  context.log(`${listeners} subscribers were told ${events} times: ${name}`);
  return {
    name: `subscriptions: change answered → ${listeners} subscribers told, ${name}, ms`,
    figures: {
      p50: percentile(delays, 0.5).toFixed(1),
      p99: percentile(delays, 0.99).toFixed(1),
      max: Math.max(...delays).toFixed(1),
      gatewayCpuMicrosEach: Math.round(cpu),
    },
  };
}

async function memory(context: BenchContext, token: string): Promise<Row> {
  const { system, log } = context;
  const extra = await system.spawnExtra('gateway', { env: { LIVE_CONNECTIONS_PER_CLIENT: String(idle) } });
  const gateway = pidOf(system, extra.name);
  // Excludes memory that any request allocates.
  const few = await listen(extra.url, [token], hydrated, 100);
  await few.close();
  await sleep(2_000);
  const before = residentBytes(gateway);
  const held = await listen(extra.url, [token], hydrated, idle);
  log(`${idle} subscribers are connected`);
  await sleep(15_000);
  const after = residentBytes(gateway);
  const cpu = cpuSeconds(gateway);
  await sleep(10_000);
  const idleCpu = (cpuSeconds(gateway) - cpu) / 10;
  await held.close();
  await extra.stop();
  return {
    name: `subscriptions: ${idle} idle subscribers on one gateway`,
    figures: {
      kilobytesEach: ((after - before) / idle / 1024).toFixed(1),
      gatewayMegabytes: Math.round(after / 1_048_576),
      cpuPercentWhileIdle: (idleCpu * 100).toFixed(1),
    },
  };
}

/** Live queries: cost of an idle subscriber, and delay until a thousand subscribers receive an event. */
export const subscriptions: Scenario = {
  name: 'subscriptions',
  onRequest: true,
  async run(context): Promise<Row[]> {
    const token = await adminToken(context);
    const many: string[] = [];
    for (let i = 0; i < listeners; i += 1) many.push(await adminToken(context));
    return [
      await latency(context, 'the event alone', [token], plain),
      await latency(context, 'with the person, one token', [token], hydrated),
      await latency(context, 'with the person, a token each', many, hydrated),
      await memory(context, token),
    ];
  },
};
