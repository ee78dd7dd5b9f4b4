import { loadavg } from 'node:os';
import type { Request } from 'autocannon';
import { signIn } from '../../e2e/support/sign-in.ts';
import { type LoadResult, load, medianRun } from '../measure.ts';
import { type Peer, startPeer } from '../peer.ts';
import { type BenchContext, basic, pidOf, type Row, type Scenario } from '../scenario.ts';

/** One request of the REST surfaces, as clients send it. */
interface Asked {
  what: string;
  service: 'auth' | 'provisioning';
  request: Request;
  /** Status of the answer; 200 when absent. */
  expect?: number;
}

/** One way on which a request reaches its service. */
interface Way {
  name: string;
  url(asked: Asked): string;
  /** The process that stands in between; none on the direct way. */
  pid?: number;
}

/**
 * What the gateway costs a request of OAuth, OpenID Connect and SCIM: the same requests straight to their service, through a server of a
 * few lines that only passes on (with undici and with node:http), and through the gateway, one after the other in each round.
 * The figure that counts is the CPU of the process in between, and its ratio to the cheaper of the two that only pass on.
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
      return { name: `HTTP alone, ${transport}`, url: () => peer.origin, pid: peer.pid };
    };
    try {
      const ways: Way[] = [
        { name: 'straight to the service', url: ({ service }) => system.urls[service] },
        await passThrough('undici'),
        await passThrough('node:http'),
        { name: 'gateway', url: () => system.origin, pid: pidOf(system, 'gateway') },
      ];
      const rows: Row[] = [];
      for (const asked of await requests(context)) rows.push(...(await compare(ways, asked, context)));
      return rows;
    } finally {
      await Promise.all(peers.map((peer) => peer.stop()));
    }
  },
};

async function compare(ways: readonly Way[], asked: Asked, context: BenchContext): Promise<Row[]> {
  const { system, rounds, log } = context;
  const seconds = Math.min(context.seconds, 5);
  const behind = ['auth', 'directory', 'provisioning', 'postgres', 'valkey'].map((name) =>
    pidOf(system, name),
  );
  const runs = new Map<Way, LoadResult[]>(ways.map((way) => [way, []]));
  // The first round warms up: what the compiler makes of a server takes some thousand requests.
  for (let round = 0; round <= rounds; round += 1) {
    for (const way of ways) {
      const run = await load({
        url: way.url(asked),
        seconds,
        pids: way.pid === undefined ? [] : [way.pid],
        stores: behind,
        requests: [asked.request],
        ...(asked.expect === undefined ? {} : { expect: asked.expect }),
      });
      if (round > 0) runs.get(way)?.push(run);
    }
  }
  const medians = ways.map((way) => ({ way, run: medianRun(runs.get(way) ?? []) }));
  const alone = Math.min(
    ...medians.filter(({ way }) => way.name.startsWith('HTTP alone')).map(({ run }) => run.cpuMicros),
  );
  log(`${asked.what}: ${medians.map(({ way, run }) => `${way.name} ${run.cpuMicros} µs`).join(', ')}`);
  const machineLoad = loadavg()[0]?.toFixed(2) ?? '';
  return medians.map(({ way, run: { cpuMicros, storeMicros, ...run } }) => ({
    name: `edge, ${asked.what}: ${way.name}`,
    figures: {
      'µs in between': cpuMicros,
      'µs behind': storeMicros,
      ...(way.pid === undefined ? {} : { 'of HTTP alone': (cpuMicros / alone).toFixed(2) }),
      ...run,
      'load (1 min)': machineLoad,
    },
  }));
}

async function requests({ system, demo }: BenchContext): Promise<Asked[]> {
  const { clients, users } = demo.tenants.demo;
  const { tokens } = await signIn(demo, demo.tenants.demo, users.alice);
  const form = {
    authorization: basic(clients.admin),
    'content-type': 'application/x-www-form-urlencoded',
    accept: 'application/json',
  };
  const scim = {
    authorization: `Bearer ${clients.scim.token}`,
    'content-type': 'application/scim+json',
    accept: 'application/scim+json',
  };
  const people = '/t/demo/scim/v2/Users';
  const list = await fetch(`${system.urls.provisioning}${people}?count=1`, { headers: scim });
  const { Resources } = (await list.json()) as { Resources: { id: string }[] };
  const token = (path: string, body: string): Request => ({ method: 'POST', path, headers: form, body });
  const get = (path: string, headers: Record<string, string>): Request => ({ method: 'GET', path, headers });
  return [
    {
      what: 'client_credentials',
      service: 'auth',
      request: token('/t/demo/token', 'grant_type=client_credentials'),
    },
    {
      what: 'introspection',
      service: 'auth',
      request: token('/t/demo/introspect', `token=${tokens.access_token}`),
    },
    {
      what: 'userinfo',
      service: 'auth',
      request: get('/t/demo/userinfo', { authorization: `Bearer ${tokens.access_token}` }),
    },
    { what: 'discovery', service: 'auth', request: get('/t/demo/.well-known/openid-configuration', {}) },
    { what: 'SCIM read', service: 'provisioning', request: get(`${people}/${Resources[0]?.id}`, scim) },
    { what: 'SCIM create', service: 'provisioning', expect: 201, request: create(people, scim) },
  ];
}

/** Creates another user each time that it is sent. */
function create(path: string, headers: Record<string, string>): Request {
  const run = Date.now().toString(36);
  let serial = 0;
  return {
    method: 'POST',
    path,
    headers,
    setupRequest: (request) => {
      serial += 1;
      const userName = `edge-${run}-${serial}@example.com`;
      const schemas = ['urn:ietf:params:scim:schemas:core:2.0:User'];
      return { ...request, body: JSON.stringify({ schemas, userName, active: true }) };
    },
  };
}
