import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSecureContext, TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { Certificates } from '../../src/outgoing/certificates.ts';
import { recordSkip } from '../../src/testing.ts';

const day = 86_400;
const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
if (!hasOpenssl) recordSkip('openssl is missing (apt: openssl)');
const describeWithOpenssl = hasOpenssl ? describe : describe.skip;

/** Certificates by their lifetime in days; the last has expired. */
const lifetimes = [90, 40, 10, -1] as const;
type Days = (typeof lifetimes)[number];

let folder: string;
let key: string;
const at = (name: string): string => join(folder, name);
const file = (days: Days): string => at(`${days}.pem`);
const pem = (days: Days): string => readFileSync(file(days), 'utf8');

const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});

interface Shown {
  port: number;
  /** Number of connections. */
  visits: number;
  days: Days;
  names: (string | false | null)[];
}

/** Starts a server with a certificate; for PostgreSQL, after a TLS request. */
async function showing(days: Days, protocol: 'tls' | 'postgres' = 'tls'): Promise<Shown> {
  const shown: Shown = { port: 0, visits: 0, days, names: [] };
  const answer = (socket: Socket): void => {
    const tls = new TLSSocket(socket, {
      isServer: true,
      SNICallback: (name, give) => {
        shown.names.push(name);
        give(null, createSecureContext({ key, cert: pem(shown.days) }));
      },
      key,
      cert: pem(shown.days),
    });
    tls.on('error', () => undefined);
  };
  const listening = await listen((socket) => {
    shown.visits += 1;
    if (protocol === 'tls') return answer(socket);
    socket.once('data', (asked: Buffer) => {
      // The SSLRequest of its protocol.
      expect(asked.toString('hex')).toBe('0000000804d2162f');
      socket.write('S', () => answer(socket));
    });
  });
  shown.port = (listening.address() as AddressInfo).port;
  return shown;
}

async function listen(answer: (socket: Socket) => void): Promise<Server> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    answer(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ending.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return server;
}

/** Returns the remaining lifetimes in days. */
const daysLeft = async (certificates: Certificates): Promise<Record<string, number>> =>
  Object.fromEntries(
    [...(await certificates.remaining())].map(([of, seconds]) => [of, Math.round(seconds / day)]),
  );

describeWithOpenssl('the certificates that a process depends on', () => {
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'ostiary-certificates-'));
    const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
    openssl('genpkey', '-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-256', '-out', 'key.pem');
    openssl('req', '-new', '-key', 'key.pem', '-subj', '/CN=127.0.0.1', '-out', 'request.pem');
    const signed = ['x509', '-req', '-in', 'request.pem', '-signkey', 'key.pem'];
    for (const days of lifetimes) openssl(...signed, '-days', `${days}`, '-out', `${days}.pem`);
    key = readFileSync(at('key.pem'), 'utf8');
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test('The certificates of the public origin, of PostgreSQL (after a TLS request) and of Redis are measured.', async () => {
    const [origin, postgresql, redis] = [await showing(90), await showing(40, 'postgres'), await showing(10)];
    const certificates = new Certificates({
      'public origin': `https://127.0.0.1:${origin.port}`,
      postgresql: `postgresql://user:password@127.0.0.1:${postgresql.port}/ostiary?sslmode=require`,
      redis: `rediss://user:password@127.0.0.1:${redis.port}/0`,
    });
    expect(await daysLeft(certificates)).toEqual({ 'public origin': 90, postgresql: 40, redis: 10 });
  });

  test.each([
    ['rediss+sentinel', '/mymaster'],
    ['rediss+cluster', ''],
    ['postgres', '/ostiary?sslmode=verify-full&target_session_attrs=read-write'],
  ])(
    'Of several hosts of %s, the certificate that expires first counts, also when it has expired.',
    async (scheme, rest) => {
      const protocol = scheme === 'postgres' ? 'postgres' : 'tls';
      const hosts = [await showing(90, protocol), await showing(-1, protocol), await showing(40, protocol)];
      const address = hosts.map(({ port }) => `127.0.0.1:${port}`).join(',');
      const certificates = new Certificates({ engine: `${scheme}://user:password@${address}${rest}` });
      expect(await daysLeft(certificates)).toEqual({ engine: -1 });
      expect(hosts.map(({ visits }) => visits)).toEqual([1, 1, 1]);
    },
  );

  test.each([
    'http://127.0.0.1:PORT',
    'redis://127.0.0.1:PORT',
    'redis+sentinel://127.0.0.1:PORT/mymaster',
    'postgres://127.0.0.1:PORT/ostiary',
    'postgres://127.0.0.1:PORT/ostiary?sslmode=disable',
    'postgres://127.0.0.1:PORT/ostiary?sslmode=allow',
  ])('The URL %s has no TLS, and no connection is made.', async (address) => {
    const server = await showing(10);
    const certificates = new Certificates({ engine: address.replace('PORT', `${server.port}`) });
    expect([await daysLeft(certificates), server.visits]).toEqual([{}, 0]);
  });

  test('The server name of a request is the name in the URL.', async () => {
    const [named, numbered] = [await showing(40), await showing(40)];
    const certificates = new Certificates({
      redis: `rediss://127.0.0.1:${named.port}?servername=redis.example.com`,
      'public origin': `https://127.0.0.1:${numbered.port}`,
    });
    expect(await daysLeft(certificates)).toEqual({ redis: 40, 'public origin': 40 });
    expect([named.names, numbered.names]).toEqual([['redis.example.com'], []]);
  });

  test('Files are measured too: the first of own certificates, the last to expire of authorities.', async () => {
    writeFileSync(at('chain.pem'), pem(10) + pem(90));
    writeFileSync(at('authorities.pem'), pem(-1) + pem(40));
    writeFileSync(at('empty.pem'), 'nothing');
    const certificates = new Certificates({
      postgresql: `postgres://one,two/ostiary?sslcert=${at('chain.pem')}&sslrootcert=${at('authorities.pem')}`,
      redis: `redis://one?cert=${file(90)}&ca=${at('empty.pem')}`,
      other: `redis://one?cert=${at('is-missing.pem')}`,
      system: 'postgres://one/ostiary?sslrootcert=system',
    });
    expect(await daysLeft(certificates)).toEqual({
      'postgresql client': 10,
      'postgresql authority': 40,
      'redis client': 90,
    });
  });

  test('A certificate with a long lifetime is checked once an hour, one that expires soon every five seconds.', async () => {
    let now = Date.now();
    const [long, soon] = [await showing(90), await showing(10)];
    const certificates = new Certificates(
      { long: `https://127.0.0.1:${long.port}`, soon: `https://127.0.0.1:${soon.port}` },
      () => now,
    );
    const visits = async (laterMs: number) => {
      now += laterMs;
      await certificates.remaining();
      return [long.visits, soon.visits];
    };
    expect(await visits(0)).toEqual([1, 1]);
    expect(await visits(4_000)).toEqual([1, 1]);
    expect(await visits(2_000)).toEqual([1, 2]);
    soon.days = 90;
    expect(await visits(6_000)).toEqual([1, 3]);
    expect((await daysLeft(certificates)).soon).toBe(90);
    expect(await visits(60_000)).toEqual([1, 3]);
    expect(await visits(3_600_000)).toEqual([2, 4]);
  });

  test('While no server answers, the lifetime of the last certificate keeps decreasing.', async () => {
    let now = Date.now();
    const server = await showing(10);
    const certificates = new Certificates({ engine: `rediss://127.0.0.1:${server.port}` }, () => now);
    expect(await daysLeft(certificates)).toEqual({ engine: 10 });
    for (const end of ending.splice(0)) await end();
    now += 3 * day * 1000;
    expect(await daysLeft(certificates)).toEqual({ engine: 7 });
  });
});

test.each<[string, (socket: Socket) => unknown]>([
  ['hangs up at once', (socket) => socket.end()],
  ['hangs up when asked', (socket) => socket.once('data', () => socket.end())],
  ['speaks no TLS', (socket) => socket.once('data', () => socket.end('N'))],
  ['says something else', (socket) => socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')],
  ['says nothing', () => undefined],
  ['resets the connection', (socket) => socket.resetAndDestroy()],
])(
  'A server that %s has no certificate, and does not delay the collection of metrics.',
  async (_what, answer) => {
    const server = await listen(answer);
    const { port } = server.address() as AddressInfo;
    const certificates = new Certificates({
      postgresql: `postgres://127.0.0.1:${port}/ostiary?sslmode=require`,
      redis: `rediss://127.0.0.1:${port}`,
    });
    expect(await daysLeft(certificates)).toEqual({});
  },
);
