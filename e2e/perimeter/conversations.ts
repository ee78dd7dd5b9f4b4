import { request } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ProtectionName } from '@ostiary/access';
import type { OwnSystem } from '../support/own-system.ts';
import { Ingress } from './ingress.ts';
import type { PerimeterWorld } from './world.ts';

/** The two routes to a service, and the system. */
export interface Ways {
  readonly own: OwnSystem;
  readonly world: PerimeterWorld;
  /** Public host of the installation. */
  readonly host: string;
  /** Ports of the gateway, and of an ingress that bypasses it. */
  readonly gateway: number;
  readonly ingress: number;
}

/** Results on each route, and the expected result. */
interface Seen {
  through: unknown;
  past: unknown;
  expected: unknown;
}

/** Attack with several requests, or with delays. */
export interface Conversation {
  readonly what: string;
  /** Consists mostly of waiting: it starts before the others and runs beside them. */
  readonly waits?: boolean;
  hold(ways: Ways): Promise<Seen>;
}

interface Sent {
  method: string;
  path: string;
  headers?: Record<string, string>;
  /** Chunks of the body, sent until a response arrives. */
  body?: readonly string[];
}

interface Got {
  status: number;
  retryAfter: string | undefined;
  transport: string | undefined;
}

/** Sends a request with a chunked body unless a Content-Length is given. */
function send(port: number, host: string, { method, path, headers, body = [] }: Sent): Promise<Got> {
  return new Promise((resolve, reject) => {
    const call = request({
      port,
      host: '127.0.0.1',
      method,
      path,
      headers: { host, ...headers },
      agent: false,
    });
    let answered = false;
    call.on('response', (answer) => {
      answered = true;
      answer.resume();
      resolve({
        status: answer.statusCode ?? 0,
        retryAfter: answer.headers['retry-after'],
        transport: answer.headers['strict-transport-security'],
      });
    });
    // The server may close the connection after its response while the body is still sent.
    call.on('error', (error) => (answered ? undefined : reject(error)));
    void (async () => {
      for (const piece of body) {
        if (answered) break;
        call.write(piece);
        await sleep(1);
      }
      call.end();
    })();
  });
}

const portOf = ({ system }: OwnSystem, name: 'auth' | 'provisioning'): number =>
  Number(new URL(system.urls[name]).port);

const form = { 'content-type': 'application/x-www-form-urlencoded' };

/** 5 MB, more than any service reads, in chunks, so that no Content-Length announces the size. */
const tooMuch = Array.from({ length: 80 }, () => 'x'.repeat(65_536));

const endlessBody: Conversation = {
  what: 'a body in chunks that goes past the limit',
  async hold({ own, gateway, host, world }) {
    const connector = { authorization: `Bearer ${world.connector}`, 'content-type': 'application/scim+json' };
    const sent = {
      auth: { method: 'POST', path: '/t/demo/token', headers: form, body: tooMuch },
      provisioning: { method: 'POST', path: '/t/demo/scim/v2/Users', headers: connector, body: tooMuch },
    };
    const seen = { through: [] as number[], past: [] as number[] };
    for (const service of ['auth', 'provisioning'] as const) {
      const one = sent[service];
      seen.through.push((await send(gateway, host, one)).status);
      // Direct request with the header of an ingress that streams the body. A real second hop may lose the response
      // when the connection is reset.
      const forwarded = { ...one, headers: { ...one.headers, 'x-forwarded-host': host } };
      seen.past.push((await send(portOf(own, service), host, forwarded)).status);
    }
    return { ...seen, expected: [413, 413] };
  },
};

/** Reads from a connection until it ends or the timeout expires. */
function read(
  port: number,
  text: string,
  patienceMs: number,
): Promise<{ answer: string; ended: boolean; ms: number }> {
  return new Promise((resolve) => {
    const begun = performance.now();
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let answer = '';
    const finish = (ended: boolean) => {
      clearTimeout(patience);
      socket.destroy();
      resolve({ answer, ended, ms: performance.now() - begun });
    };
    const patience = setTimeout(() => finish(false), patienceMs);
    socket.on('data', (chunk) => {
      answer += String(chunk);
    });
    socket.on('error', () => finish(true));
    socket.on('close', () => finish(true));
  });
}

const statusesIn = (text: string): number[] =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));

const pipelined: Conversation = {
  what: 'several requests sent at once on one connection',
  async hold({ gateway, ingress, host }) {
    const paths = [
      '/t/demo/jwks',
      '/t/platform/jwks',
      '/t/demo/..%2f',
      '/t/demo/scim/v2/Users',
      '/t/demo/jwks',
    ];
    const text = paths.map((path, index) => {
      const close = index === paths.length - 1 ? 'Connection: close\r\n' : '';
      return `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${close}\r\n`;
    });
    const on = async (port: number) => statusesIn((await read(port, text.join(''), 10_000)).answer);
    return { through: await on(gateway), past: await on(ingress), expected: [200, 404, 400, 401, 200] };
  },
};

/** Maximum number of device authorization requests per address and minute in these tests. */
export const deviceRequestsPerMinute = 6;

const spoofedAddresses: Conversation = {
  what: 'an address in every header that could be believed, another for each request',
  async hold({ gateway, ingress, host, world }) {
    const ask = (port: number, serial: number) => {
      const address = `198.51.100.${serial}`;
      const headers = {
        ...form,
        'x-forwarded-for': `${address}, 127.0.0.1`,
        'x-real-ip': address,
        'x-client-ip': address,
        'true-client-ip': address,
        'cf-connecting-ip': address,
        forwarded: `for=${address}`,
      };
      const body = [`client_id=${world.device}&scope=openid`];
      return send(port, host, { method: 'POST', path: '/t/demo/device_authorization', headers, body });
    };
    let serial = 0;
    // Half of the requests use each route: the limit is shared.
    const first: number[] = [];
    while (serial < deviceRequestsPerMinute) {
      const { status } = await ask(serial % 2 === 0 ? gateway : ingress, serial);
      first.push(status);
      serial += 1;
    }
    const refused = async (port: number) => {
      serial += 1;
      const { status, retryAfter } = await ask(port, serial);
      return { first, status, waits: Number(retryAfter) > 0 };
    };
    const expected = { first: first.map(() => 200), status: 429, waits: true };
    return { through: await refused(gateway), past: await refused(ingress), expected };
  },
};

/** Timeout of a request (60 s), and until it is checked. */
const patienceMs = 100_000;

const slowClients: Conversation = {
  what: 'heads and bodies that never end, and connections that nobody uses',
  waits: true,
  async hold({ own, gateway, host, world }) {
    const lines = (path: string) =>
      `POST ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Host: ${host}\r\nAuthorization: Bearer ${world.connector}\r\n`;
    const at = async (port: number, path: string) => {
      const texts = [
        lines(path),
        `${lines(path)}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 30\r\n\r\na=`,
        `GET /t/demo/nothing HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      ];
      const seen = await Promise.all(texts.map((text) => read(port, text, patienceMs)));
      return seen.map(({ answer, ended, ms }) => ({
        statuses: statusesIn(answer),
        ended,
        waited: ms > 50_000,
      }));
    };
    const [token, users] = ['/t/demo/token', '/t/demo/scim/v2/Users'];
    const [oauth, scim, auth, provisioning] = await Promise.all([
      at(gateway, token),
      at(gateway, users),
      at(portOf(own, 'auth'), token),
      at(portOf(own, 'provisioning'), users),
    ]);
    const late = { statuses: [408], ended: true, waited: true };
    const each = [late, late, { statuses: [404], ended: true, waited: true }];
    return { through: [oauth, scim], past: [auth, provisioning], expected: [each, each] };
  },
};

const onlyHttps: Conversation = {
  what: 'answers of an installation whose origin is https',
  async hold({ own, host }) {
    const env = { PUBLIC_ORIGIN: 'https://id.example.com' };
    const [auth, provisioning] = await Promise.all([
      own.system.spawnExtra('auth', { env }),
      own.system.spawnExtra('provisioning', { env }),
    ]);
    const urls = { AUTH_URL: auth.url, PROVISIONING_URL: provisioning.url };
    const gateway = await own.system.spawnExtra('gateway', { env: { ...env, ...urls } });
    const backends = { auth: auth.url, provisioning: provisioning.url, gateway: gateway.url };
    const ingress = await Ingress.start(backends, host);
    try {
      const paths = ['/t/demo/jwks', '/t/demo/scim/v2/Users', '/t/platform/jwks', '/t/demo/%zz', '/graphql'];
      const on = (port: number) =>
        Promise.all(
          paths.map(async (path) => (await send(port, host, { method: 'GET', path })).transport ?? 'nothing'),
        );
      const through = await on(Number(new URL(gateway.url).port));
      return { through, past: await on(ingress.port), expected: paths.map(() => 'max-age=31536000') };
    } finally {
      await ingress.stop();
      for (const extra of [gateway, provisioning, auth]) await extra.stop();
    }
  },
};

const tokenRequest = ({ client }: PerimeterWorld): Sent => ({
  method: 'POST',
  path: '/t/demo/token',
  headers: { ...form, authorization: client },
  body: ['grant_type=client_credentials'],
});
const userList = ({ connector }: PerimeterWorld): Sent => ({
  method: 'GET',
  path: '/t/demo/scim/v2/Users',
  headers: { authorization: `Bearer ${connector}` },
});

/** Stops a process, sends requests on both routes, and starts it again. */
const without = (
  name: 'provisioning' | 'postgres',
  what: string,
  asked: (world: PerimeterWorld) => Sent[],
): Conversation => ({
  what,
  async hold({ own: { system }, gateway, ingress, host, world }) {
    await system.stop(name);
    try {
      const on = (port: number) =>
        Promise.all(
          asked(world).map(async (one) => {
            const { status, retryAfter } = await send(port, host, one);
            return { path: one.path, status, waits: Number(retryAfter) > 0 };
          }),
        );
      const expected = asked(world).map(({ path }) => ({ path, status: 503, waits: true }));
      return { through: await on(gateway), past: await on(ingress), expected };
    } finally {
      await system.start(name);
      for (const service of ['auth', 'directory', 'provisioning', 'gateway']) await system.ready(service);
    }
  },
});

/** Attacks that need several requests, another state of the system, or time. */
export const conversations: Readonly<Partial<Record<ProtectionName, readonly Conversation[]>>> = {
  'Order of responses': [pipelined],
  'Body limits': [endlessBody],
  'Rate limits': [spoofedAddresses],
  Timeouts: [slowClients],
  'Transport security': [onlyHttps],
  'Unavailable services': [
    without('provisioning', 'a service is away', (world) => [userList(world)]),
    without('postgres', 'the database is away', (world) => [tokenRequest(world), userList(world)]),
  ],
};
