import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import {
  createSafePost,
  OutgoingFetchError,
  type OutgoingPolicy,
  type PostOptions,
} from '../../src/index.ts';

let server: Server;
let port: number;
const seen: { request: IncomingMessage; body: string }[] = [];

const answers: Record<string, (response: ServerResponse) => void> = {
  '/hook': (response) => response.writeHead(202, { 'content-type': 'text/plain' }).end('thank you'),
  '/busy': (response) => response.writeHead(503, { 'retry-after': '120' }).end(),
  '/huge': (response) => response.writeHead(200).end('x'.repeat(100_000)),
  '/endless': (response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('x'.repeat(500)), 2);
    response.on('close', () => clearInterval(timer));
  },
  '/gzip': (response) =>
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(10_000_000))),
  '/slow-body': (response) => void response.writeHead(200).write('x'),
  '/hang': () => undefined,
  '/cut': (response) => response.destroy(),
  ...Object.fromEntries(
    [301, 302, 303, 307, 308].map((status) => [
      `/redirect/${status}`,
      (response: ServerResponse) =>
        void response.writeHead(status, { location: `http://127.0.0.1:${port}/hook` }).end(),
    ]),
  ),
};

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push({ request, body: Buffer.concat(chunks).toString() });
      answers[request.url ?? '']?.(response);
    });
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
const message: PostOptions = { body: '{"a":1}', headers: { 'content-type': 'application/json' } };

const post = (path: string, options: Partial<PostOptions> = {}) =>
  createSafePost(development)(at(path), { ...message, ...options });

const outcome = (policy: OutgoingPolicy, url: string, options: Partial<PostOptions> = {}): Promise<string> =>
  createSafePost(policy)(url, { ...message, ...options }).then(
    ({ status }) => String(status),
    (error: unknown) => (error instanceof OutgoingFetchError ? error.kind : `threw ${String(error)}`),
  );

describe('safePost', () => {
  test('The function safePost sends only the given body and headers, and returns the answer.', async () => {
    const answer = await post('/hook', { headers: { ...message.headers, 'webhook-id': '1' } });
    expect({ ...answer, body: answer.body.toString() }).toMatchObject({
      status: 202,
      headers: { 'content-type': 'text/plain' },
      body: 'thank you',
    });
    expect(seen).toHaveLength(1);
    expect(seen[0]?.body).toBe('{"a":1}');
    expect(seen[0]?.request).toMatchObject({
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'content-length': '7',
        'webhook-id': '1',
        'accept-encoding': 'identity',
        'user-agent': 'Ostiary',
      },
    });
    for (const name of ['cookie', 'authorization', 'traceparent']) {
      expect(seen[0]?.request.headers).not.toHaveProperty(name);
    }
  });

  test('An answer without success is returned with its headers.', async () => {
    expect(await post('/busy')).toMatchObject({ status: 503, headers: { 'retry-after': '120' } });
  });

  test.each([
    'https://127.0.0.1/',
    'https://2130706433/',
    'https://[::ffff:127.0.0.1]/',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[fd00:ec2::254]/',
    'http://example.com/',
    'https://user:secret@example.com/',
    'file:///etc/passwd',
    'not a url',
  ])('The function safePost rejects %s without a connection.', async (url) => {
    expect(await outcome(production, url)).toBe('refused');
    expect(seen).toHaveLength(0);
  });

  test('A name that resolves to a private address is rejected by safePost, also together with public ones.', async () => {
    for (const addresses of [
      ['127.0.0.1'],
      ['93.184.215.14', '10.0.0.1'],
      ['::ffff:10.0.0.1'],
      ['fd12::1'],
    ]) {
      const policy = { ...production, allowHttp: true, resolve: async () => addresses };
      expect(await outcome(policy, at('/hook', 'innocent.example'))).toBe('refused');
    }
    const metadata = { ...development, resolve: async () => ['169.254.169.254'] };
    expect(await outcome(metadata, at('/hook', 'metadata.example'))).toBe('refused');
    expect(seen).toHaveLength(0);
  });

  test('DNS rebinding of a receiver fails: the name is looked up once, and the checked address is used.', async () => {
    let asked = 0;
    const resolve = async () => {
      asked += 1;
      return asked === 1 ? ['127.0.0.1'] : ['169.254.169.254'];
    };
    expect(await outcome({ ...development, resolve }, at('/hook', 'rebind.example'))).toBe('202');
    expect(asked).toBe(1);
    expect(seen[0]?.request.headers.host).toBe(`rebind.example:${port}`);
  });

  test.each([301, 302, 303, 307, 308])(
    'A redirect (%i) is returned by safePost as an answer and not followed.',
    async (status) => {
      expect(await post(`/redirect/${status}`)).toMatchObject({ status });
      expect(seen.map(({ request }) => request.url)).toEqual([`/redirect/${status}`]);
    },
  );

  test.each(['/huge', '/endless', '/gzip'])(
    'The answer of %s is read only up to the requested size.',
    async (path) => {
      const { status, body } = await post(path, { maxBytes: 1_000 });
      expect(status).toBe(200);
      expect(body.length).toBeLessThanOrEqual(1_000);
    },
  );

  test('A body that never ends delays the caller no longer than the given time.', async () => {
    expect(await post('/slow-body', { timeoutMs: 150 })).toMatchObject({ status: 200 });
    // A caller that only needs the status does not wait for the body.
    expect(await post('/slow-body', { timeoutMs: 60_000, maxBytes: 0 })).toMatchObject({ status: 200 });
  });

  test('A receiver that hangs or closes the connection is a failure within the time limit.', async () => {
    expect(await outcome(development, at('/hang'), { timeoutMs: 150 })).toBe('failed');
    expect(await outcome(development, at('/cut'))).toBe('failed');
    expect(await outcome(development, 'http://127.0.0.1:4/')).toBe('failed');
  });

  test('No error message of safePost contains an internal address.', async () => {
    const policy = { ...production, allowHttp: true, resolve: async () => ['10.11.12.13'] };
    await expect(createSafePost(policy)(at('/hook', 'innocent.example'), message)).rejects.toMatchObject({
      message: expect.not.stringContaining('10.11'),
    });
  });
});
