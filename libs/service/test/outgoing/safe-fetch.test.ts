import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createSafeFetch, OutgoingFetchError, type OutgoingPolicy } from '../../src/index.ts';

let server: Server;
let port: number;
const seen: IncomingMessage[] = [];

const answers: Record<string, (response: ServerResponse) => void> = {
  '/jwks': (response) => {
    response.writeHead(200, {
      'content-type': 'Application/JSON; charset=utf-8',
      'cache-control': 'public, max-age=120',
    });
    response.end('{"keys":[]}');
  },
  '/redirect': (response) => response.writeHead(302, { location: '/jwks' }).end(),
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].map((status) => [
      `/redirect/${status}`,
      (response: ServerResponse) =>
        void response
          .writeHead(status, { location: `http://127.0.0.1:${port}/jwks`, refresh: '0; /jwks' })
          .end(),
    ]),
  ),
  '/huge': (response) => response.writeHead(200).end('x'.repeat(5_000)),
  '/endless': (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'.repeat(500)), 2);
    response.on('close', () => clearInterval(timer));
  },
  '/lies': (response) => response.writeHead(200, { 'content-length': '99999999' }).end('x'),
  '/gzip': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1_000_000))),
  '/hang': () => undefined,
  '/slow-body': (response) => void response.writeHead(200).write('x'),
  '/missing': (response) => response.writeHead(404).end(),
  '/cut': (response) => response.destroy(),
};

beforeAll(async () => {
  server = createServer((request, response) => {
    seen.push(request);
    answers[request.url ?? '']?.(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});

beforeEach(() => {
  seen.length = 0;
});

afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const development: OutgoingPolicy = { allowPrivate: true, allowHttp: true };
const production: OutgoingPolicy = { allowPrivate: false, allowHttp: false };
const at = (path: string, host = '127.0.0.1') => `http://${host}:${port}${path}`;

const outcome = (policy: OutgoingPolicy, url: string, options = {}): Promise<string> =>
  createSafeFetch(policy)(url, options).then(
    () => 'fetched',
    (error: unknown) => (error instanceof OutgoingFetchError ? error.kind : `threw ${String(error)}`),
  );

describe('safeFetch', () => {
  test('The function safeFetch returns a document and its type.', async () => {
    const document = await createSafeFetch(development)(at('/jwks'), { accept: 'application/json' });
    expect(document).toEqual({
      body: Buffer.from('{"keys":[]}'),
      contentType: 'application/json',
      maxAge: 120,
    });
    expect(seen[0]?.headers).toMatchObject({ accept: 'application/json', 'accept-encoding': 'identity' });
    expect(seen[0]?.headers).not.toHaveProperty('cookie');
    expect(seen[0]?.headers).not.toHaveProperty('authorization');
  });

  test.each([
    ['loopback', 'https://127.0.0.1/'],
    ['loopback, decimal', 'https://2130706433/'],
    ['loopback, octal and short', 'https://0177.1/'],
    ['loopback, hexadecimal', 'https://0x7f000001/'],
    ['loopback, IPv6', 'https://[::1]/'],
    ['loopback, IPv4 in IPv6', 'https://[::ffff:127.0.0.1]/'],
    ['loopback, IPv4-compatible IPv6', 'https://[::127.0.0.1]/'],
    ['loopback, NAT64', 'https://[64:ff9b::7f00:1]/'],
    ['loopback, local NAT64', 'https://[64:ff9b:1::7f00:1]/'],
    ['loopback, 6to4', 'https://[2002:7f00:1::]/'],
    ['the unspecified address', 'https://0.0.0.0/'],
    ['the unspecified address, IPv6', 'https://[::]/'],
    ['private 10/8', 'https://10.1.2.3/'],
    ['private 172.16/12', 'https://172.31.0.1/'],
    ['private 192.168/16', 'https://192.168.1.1/'],
    ['carrier-grade NAT', 'https://100.64.0.1/'],
    ['cloud metadata', 'https://169.254.169.254/latest/meta-data/'],
    ['link-local IPv6', 'https://[fe80::1]/'],
    ['unique local IPv6', 'https://[fd00::1]/'],
    ['cloud metadata, IPv6', 'https://[fd00:ec2::254]/'],
    ['cloud platform, a public address', 'https://168.63.129.16/'],
    ['multicast', 'https://224.0.0.1/'],
    ['broadcast', 'https://255.255.255.255/'],
    ['documentation', 'https://192.0.2.1/'],
    ['benchmarking', 'https://198.18.0.1/'],
    ['reserved', 'https://240.0.0.1/'],
    ['plain http', 'http://example.com/'],
    ['another scheme', 'file:///etc/passwd'],
    ['another protocol', 'gopher://127.0.0.1:6379/_FLUSHALL'],
    ['data', 'data:application/json,{}'],
    ['credentials', 'https://user:secret@example.com/'],
    ['a fragment', 'https://example.com/#x'],
    ['no URL', 'not a url'],
    ['no URL, empty', ''],
    ['an endless URL', `https://example.com/${'x'.repeat(3_000)}`],
  ])('The function safeFetch rejects %s without a connection.', async (_, url) => {
    expect(await outcome(production, url)).toBe('refused');
    expect(seen).toHaveLength(0);
  });

  test('Special addresses are rejected even where private networks are permitted.', async () => {
    for (const host of [
      '169.254.169.254',
      '[::ffff:169.254.169.254]',
      '[fd00:ec2::254]',
      '[FD00:0EC2:0:0::0254]',
      '[fd00:ec2::23]',
      '[fd20:ce::254]',
      '[fd00:c1::a9fe:a9fe]',
      '[fd00:42::42]',
      '[fd00:a9fe:a9fe::1]',
      '[fd00:100::100:200]',
      '100.100.100.200',
      '168.63.129.16',
      '[::ffff:168.63.129.16]',
      '[fe80::1]',
      '0.0.0.0',
      '224.0.0.1',
      '240.0.0.1',
      '[::7f00:1]',
      '[64:ff9b::a9fe:a9fe]',
    ]) {
      expect(await outcome(development, `http://${host}/`)).toBe('refused');
    }
  });

  test('A name that resolves to a private address is rejected, also together with public ones.', async () => {
    for (const addresses of [
      ['127.0.0.1'],
      ['93.184.215.14', '10.0.0.1'],
      ['::ffff:10.0.0.1'],
      ['::ffff:a00:1'],
      ['0:0:0:0:0:ffff:7f00:1'],
      ['::127.0.0.1'],
      ['64:ff9b::7f00:1'],
      ['2002:7f00:1::'],
      ['fd12:3456::1'],
      ['2606:4700::1111', '::1'],
      ['0.0.0.0'],
      ['169.254.169.254'],
      ['100.100.100.200'],
      ['fe80::1%eth0'],
      ['nonsense'],
    ]) {
      const policy = { ...production, allowHttp: true, resolve: async () => addresses };
      expect(await outcome(policy, at('/jwks', 'innocent.example'))).toBe('refused');
    }
    expect(seen).toHaveLength(0);
  });

  test('A name that resolves to a metadata service is rejected even where private networks are permitted.', async () => {
    for (const address of [
      '169.254.169.254',
      '::ffff:169.254.169.254',
      'fd00:ec2::254',
      'fd00:ec2::23',
      'fd20:ce::254',
      '168.63.129.16',
      'fe80::a9fe:a9fe',
    ]) {
      const policy = { ...development, resolve: async () => [address] };
      expect(await outcome(policy, at('/jwks', 'metadata.example'))).toBe('refused');
    }
    expect(seen).toHaveLength(0);
  });

  test('DNS rebinding fails: the name is looked up once, and the connection uses the checked address.', async () => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return asked === 1 ? ['127.0.0.1'] : ['169.254.169.254'];
    };
    const fetched = await createSafeFetch({ ...development, resolve })(at('/jwks', 'rebind.example'));
    expect(fetched.contentType).toBe('application/json');
    expect(asked).toBe(1);
    expect(seen[0]?.headers.host).toBe(`rebind.example:${port}`);
  });

  test('A redirect is not followed by safeFetch.', async () => {
    expect(await outcome(development, at('/redirect'))).toBe('failed');
    expect(seen.map((request) => request.url)).toEqual(['/redirect']);
  });

  test.each([301, 302, 303, 307, 308])(
    'A redirect (%i) within a private network is not followed where private networks are permitted.',
    async (status) => {
      expect(await outcome(development, at(`/redirect/${status}`))).toBe('failed');
      expect(seen.map((request) => request.url)).toEqual([`/redirect/${status}`]);
    },
  );

  test.each([
    ['a body beyond the limit', '/huge'],
    ['a body without end', '/endless'],
    ['a length beyond the limit', '/lies'],
    ['a compressed body', '/gzip'],
    ['an error', '/missing'],
    ['a broken connection', '/cut'],
  ])('A response with %s is a failure.', async (_, path) => {
    expect(await outcome(development, at(path), { maxBytes: 1_000 })).toBe('failed');
  });

  test.each(['/hang', '/slow-body'])('The time for a fetch of %s is limited.', async (path) => {
    const settled: string[] = [];
    const withDefault = outcome(development, at(path)).then(() => settled.push('default'));
    expect(await outcome(development, at(path), { timeoutMs: 150 })).toBe('failed');
    settled.push('150 ms');
    await withDefault;
    expect(settled).toEqual(['150 ms', 'default']);
  });

  test('A resolver that never answers is not awaited, and one without an answer is a failure.', async () => {
    const never = { ...development, resolve: () => new Promise<string[]>(() => undefined) };
    expect(await outcome(never, at('/jwks', 'slow.example'), { timeoutMs: 100 })).toBe('failed');
    const none = { ...development, resolve: () => Promise.reject(new Error('ENOTFOUND')) };
    expect(await outcome(none, at('/jwks', 'none.example'))).toBe('failed');
  });

  test('No error message of safeFetch contains an internal address.', async () => {
    const policy = { ...production, allowHttp: true, resolve: async () => ['10.11.12.13'] };
    await expect(createSafeFetch(policy)(at('/jwks', 'innocent.example'))).rejects.toMatchObject({
      message: expect.not.stringContaining('10.11'),
    });
  });
});
