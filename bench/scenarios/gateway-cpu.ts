import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { System } from '@ostiary/embedded/system';
import { type LoadResult, load, medianRun } from '../measure.ts';
import { type Peer, startPeer } from '../peer.ts';
import { adminToken, type BenchContext, pidOf, type Row, type Scenario } from '../scenario.ts';

const operations: Operation[] = [
  {
    what: 'one subgraph',
    query: '{ users(first: 1) { edges { node { id userName active } } } }',
    part: '{ users(first: 1) { edges { node { id userName active } } } }',
    calls: 1,
  },
  {
    what: 'two subgraphs',
    query: '{ users(first: 1) { edges { node { id userName sessions { id } } } } }',
    part: '{ users(first: 1) { edges { node { id userName } } } }',
    calls: 2,
  },
  {
    what: 'list of 25, two subgraphs',
    query: '{ users(first: 25) { edges { node { id userName sessions { id } } } } }',
    part: '{ users(first: 25) { edges { node { id userName } } } }',
    calls: 2,
  },
];

interface Operation {
  what: string;
  query: string;
  /** Query to one of the subgraphs, for a server that only forwards. */
  part: string;
  /** Number of requests that a gateway makes for the query. */
  calls: number;
}

const people = 25;

const ownGateway = fileURLToPath(new URL('../../gateway/dist/app.js', import.meta.url));
const hiveFolder = fileURLToPath(new URL('../peers/hive/', import.meta.url));
const hiveRuntime = join(hiveFolder, 'node_modules', '@graphql-hive', 'gateway-runtime');

interface Contender {
  name: string;
  url: string;
  pid: number;
  /** Whether it forwards a part as often as a gateway would, without GraphQL. */
  passing?: boolean;
}

/**
 * CPU of the gateway per request, compared with Apollo's gateway with its default transport and with Hive Gateway, over
 * the same subgraphs. Ostiary verifies the token, counts cost and budget and writes metrics; the others do not. Ostiary
 * without tokens and budgets shows the cost of that, and a server that only forwards shows the minimum.
 */
export const gatewayCpu: Scenario = {
  name: 'gateway-cpu',
  async run(context) {
    const { system, log } = context;
    const token = await adminToken(context);
    await addUsers(context, token);
    const folder = await mkdtemp(join(tmpdir(), 'ostiary-supergraph-'));
    const peers: Peer[] = [];
    try {
      const env = {
        GATEWAY: ownGateway,
        ORIGINS: JSON.stringify(system.urls),
        SUPERGRAPH: await addressedSupergraph(system, folder),
        HIVE: join(hiveRuntime, 'dist', 'index.js'),
      };
      const contenders: Contender[] = [
        { name: 'Ostiary', url: system.origin, pid: pidOf(system, 'gateway') },
      ];
      const add = async (name: string, peer: string, passing = false): Promise<void> => {
        const started = await startPeer(peer, env);
        peers.push(started);
        contenders.push({ name, url: started.origin, pid: started.pid, passing });
      };
      await add('Ostiary without tokens and budgets', 'unguarded-gateway');
      await add('Apollo gateway, stock transport', 'apollo-gateway');
      if (installHive(log)) await add('Hive Gateway', 'hive');
      await add('HTTP alone, nothing but passing on', 'pass-through', true);
      return await measure(contenders, token, context);
    } finally {
      await Promise.all(peers.map((peer) => peer.stop()));
      await rm(folder, { recursive: true, force: true });
    }
  },
};

async function measure(contenders: Contender[], token: string, context: BenchContext): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { what, query, part, calls } of operations) {
    await sameAnswer(
      contenders.filter(({ passing }) => !passing),
      query,
      token,
    );
    const runs = new Map<string, LoadResult[]>(contenders.map(({ name }) => [name, []]));
    for (let round = 0; round <= context.rounds; round += 1) {
      for (const { name, url, pid, passing } of contenders) {
        const result = await load({
          url,
          // The first round is a warm-up: V8 optimizes a server after some thousand requests.
          seconds: context.seconds,
          pids: [pid],
          requests: [
            {
              method: 'POST',
              path: '/graphql',
              headers: {
                authorization: `Bearer ${token}`,
                'content-type': 'application/json',
                ...(passing ? { 'x-calls': String(calls) } : {}),
              },
              body: JSON.stringify({ query: passing ? part : query }),
            },
          ],
        });
        if (round > 0) runs.get(name)?.push(result);
      }
    }
    const medians = contenders.map(({ name }) => ({ name, median: medianRun(runs.get(name) ?? []) }));
    const own = medians[0]?.median.cpuMicros ?? Number.NaN;
    for (const { name, median } of medians) {
      rows.push({
        name: `${what}: ${name}`,
        figures: { ...median, ofTheirs: (own / median.cpuMicros).toFixed(2) },
      });
    }
  }
  return rows;
}

/**
 * Sends the query once to each contender, which plans it before the measurement, and compares the answers. @throws
 * Error when one differs
 */
async function sameAnswer(contenders: Contender[], query: string, token: string): Promise<void> {
  const answers = new Set<string>();
  for (const { name, url } of contenders) {
    const response = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    answers.add(JSON.stringify(((await response.json()) as { data?: unknown }).data));
    if (response.status !== 200 || answers.size > 1) throw new Error(`${name} answers something else`);
  }
}

async function addUsers({ system }: BenchContext, token: string): Promise<void> {
  for (let index = 0; index < people; index += 1) {
    const response = await fetch(`${system.origin}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        query: 'mutation($input: CreateUserInput!) { createUser(input: $input) { user { id } } }',
        variables: { input: { userName: `bench-${process.pid}-${index}` } },
      }),
    });
    await response.text();
  }
}

/** Returns the supergraph with the URLs of the running subgraphs. */
async function addressedSupergraph(system: System, folder: string): Promise<string> {
  const own = fileURLToPath(new URL('../../gateway/supergraph.graphql', import.meta.url));
  const text = (await readFile(own, 'utf8')).replace(
    /http:\/\/(auth|directory|provisioning)\.invalid/g,
    (_, name: 'auth' | 'directory' | 'provisioning') => system.urls[name],
  );
  const path = join(folder, 'supergraph.graphql');
  await writeFile(path, text);
  return path;
}

/** @returns whether it is installed; without the registry the others are measured alone */
function installHive(log: (message: string) => void): boolean {
  if (existsSync(hiveRuntime)) return true;
  log('Installing Hive Gateway into bench/peers/hive');
  const { status } = spawnSync(
    'npm',
    ['install', '--no-audit', '--no-fund', '--ignore-scripts', '--no-package-lock'],
    {
      cwd: hiveFolder,
      stdio: 'ignore',
    },
  );
  if (status !== 0) log('Hive Gateway could not be installed and is left out');
  return status === 0;
}
