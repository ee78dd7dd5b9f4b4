import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { eventually } from '@ostiary/service/testing';
import { RawUpstream } from '../support/raw-upstream.ts';
import { type RunningGateway, startGateway } from '../support/system.ts';

/** Timeout for responses of a service, shortened for these tests. */
const patienceMs = 1_000;
/** A path that bypasses the router, and one that passes through it. */
const ways = ['/t/demo/thing', '/t/demo/thing%20there'] as const;

let service: RawUpstream;
let gateway: RunningGateway;

beforeAll(async () => {
  service = await RawUpstream.start();
  const { origin } = service;
  gateway = await startGateway(
    new Issuer(),
    { auth: origin, directory: origin, provisioning: origin },
    { edgeTimeoutMs: patienceMs },
  );
});
afterAll(async () => {
  await gateway.app.close();
  await service.stop();
});
beforeEach(async () => {
  service.reset();
  await sleep(20);
});

const ok = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** A client that sends bytes unchanged. */
class RawClient {
  readonly socket: Socket;
  received = '';
  readonly closed: Promise<string>;

  constructor(bytes: string) {
    this.socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => {
      this.socket.write(bytes, 'latin1');
    });
    this.socket.on('data', (chunk) => {
      this.received += chunk.toString('latin1');
    });
    this.socket.on('error', () => undefined);
    this.closed = new Promise((resolve) => this.socket.once('close', () => resolve(this.received)));
  }

  async until(pattern: RegExp): Promise<string> {
    await eventually(() => pattern.test(this.received));
    return this.received;
  }
}

const request = (method: string, path: string, headers: readonly string[] = [], body = ''): string =>
  [`${method} ${path} HTTP/1.1`, 'Host: id.test', ...headers, '', body].join('\r\n');

describe.each(ways)('a request for %s', (path) => {
  test.each([
    ['Content-Length twice', ['Content-Length: 3', 'Content-Length: 30']],
    ['Content-Length and Transfer-Encoding', ['Content-Length: 3', 'Transfer-Encoding: chunked']],
    ['a transfer coding besides chunked', ['Transfer-Encoding: gzip, chunked']],
    ['a transfer coding twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked']],
    ['a Content-Length that is a list', ['Content-Length: 3, 30']],
    ['a Content-Length with a sign', ['Content-Length: +3']],
    ['a header name with a space before the colon', ['Content-Length : 3']],
    ['a folded header', ['X-One: 1', ' Content-Length: 3']],
    ['a second Host', ['Host: evil.test']],
    ['Authorization twice', ['Authorization: Basic YTpi', 'Authorization: Basic Yzpk']],
  ])(
    'A request with %s is rejected, and neither it nor the bytes after it reach a service.',
    async (_what, headers) => {
      service.answer(ok);
      const hidden = request('GET', '/t/demo/hidden');
      const answer = await new RawClient(request('POST', path, headers, `a=1${hidden}`)).closed;
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).not.toMatch(/^HTTP\/1\.1 (?!400)/m);
      expect(service.received).toBe('');
    },
  );

  test('A request with a malformed chunk is ended, and the bytes after it are not parsed as a request.', async () => {
    service.answer(ok);
    const hidden = request('GET', '/t/demo/hidden');
    const chunks = `3\r\na=1\r\nzz\r\n${hidden}`;
    const answer = await new RawClient(request('POST', path, ['Transfer-Encoding: chunked'], chunks)).closed;
    expect(answer).not.toContain('HTTP/1.1 200');
    expect(service.received).not.toContain('hidden');
    expect(service.received).not.toContain('\r\n0\r\n\r\n');
  });

  test('A request with an incomplete short body reaches no service.', async () => {
    service.answer(ok);
    const client = new RawClient(request('POST', path, ['Content-Length: 100'], 'a=1'));
    await sleep(50);
    client.socket.destroy();
    await sleep(100);
    expect(service.received).toBe('');
  });

  test('A request with an incomplete long body is aborted at the service.', async () => {
    const client = new RawClient(request('POST', path, ['Content-Length: 200000'], 'x'.repeat(100_000)));
    await eventually(() => service.received.includes('xxx'));
    client.socket.destroy();
    await eventually(() => service.connections.every(({ closed }) => closed));
    expect(service.received.length).toBeLessThan(200_000);
  });

  test('A request with an incomplete chunked body is aborted at the service, without a last chunk.', async () => {
    const client = new RawClient(request('POST', path, ['Transfer-Encoding: chunked'], '3\r\na=1\r\n'));
    await eventually(() => service.received.includes('a=1'));
    client.socket.destroy();
    await eventually(() => service.connections.every(({ closed }) => closed));
    expect(service.received).not.toContain('\r\n0\r\n\r\n');
  });

  test('A request occupies no connection to a service while its short body is being received.', async () => {
    service.answer(ok);
    const client = new RawClient(request('POST', path, ['Content-Length: 6'], 'a=1'));
    await sleep(100);
    expect(service.connections).toHaveLength(0);
    client.socket.write('&b=');
    await client.until(/\r\n\r\nok$/);
    expect(service.received).toMatch(/\r\n\r\na=1&b=$/);
  });

  test('Responses to pipelined requests keep the order of the requests.', async () => {
    service.answer((asked) => `HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n(${/n=(\d)/.exec(asked)?.[1]})`);
    const one = (serial: number) => request('POST', `${path}?n=${serial}`, ['Content-Length: 3'], 'a=1');
    const answers = await new RawClient(one(1) + request('GET', `${path}?n=2`) + one(3)).until(/\(3\)/);
    expect([...answers.matchAll(/\((\d)\)/g)].map(([, number]) => number)).toEqual(['1', '2', '3']);
  });

  test('Only reads are sent to a service a second time.', async () => {
    service.onData = ({ socket }) => socket.destroy();
    for (const [method, times] of [
      ['GET', 2],
      ['HEAD', 2],
      ['POST', 1],
      ['PUT', 1],
      ['DELETE', 1],
    ] as const) {
      service.connections.length = 0;
      const { status } = await fetch(gateway.url + path, { method });
      expect([method, status, service.requests]).toEqual([method, 503, times]);
    }
  });

  test('A request gets 503 when its service does not respond in time, and is ended there.', async () => {
    const answer = await fetch(gateway.url + path);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2']);
    await eventually(() => service.connections.every(({ closed }) => closed));
    expect(service.requests).toBe(1);
  });

  test.each([
    ['by its length', 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"half":'],
    ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n8\r\n{"half":\r\n'],
  ])('A response announced %s that is cut off is not delivered as complete.', async (_how, bytes) => {
    service.onData = ({ socket }) => socket.end(bytes);
    await expect(fetch(gateway.url + path).then((answer) => answer.text())).rejects.toThrow();
    const answer = await new RawClient(request('GET', path)).closed;
    expect(answer).not.toContain('\r\n0\r\n\r\n');
  });

  test('A request is aborted when its response stalls.', async () => {
    service.answer('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{"half":');
    await expect(fetch(gateway.url + path).then((answer) => answer.text())).rejects.toThrow();
    await eventually(() => service.connections.every(({ closed }) => closed));
  });

  test.each([
    ['with a malformed head', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\nok!'],
    ['with two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nok'],
    ['that is no HTTP', 'SSH-2.0-OpenSSH\r\n'],
  ])('A request gets 503 for a response %s.', async (_what, bytes) => {
    service.onData = ({ socket }) => socket.end(bytes);
    expect((await fetch(gateway.url + path, { method: 'POST' })).status).toBe(503);
  });

  test('A response ends at its announced length.', async () => {
    service.answer(`${ok}HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\npoison`);
    const first = await fetch(gateway.url + path);
    expect(await first.text()).toBe('ok');
    service.answer(ok);
    expect(await (await fetch(gateway.url + path)).text()).not.toContain('poison');
  });

  test('A request gets the final response, not the interim responses before it.', async () => {
    service.answer(`HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n${ok}`);
    const answer = await new RawClient(request('GET', path, ['Connection: close'])).closed;
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(answer).not.toMatch(/early|link:/i);
  });

  test('A response has one request id and one HSTS header, those of this process.', async () => {
    service.answer(
      'HTTP/1.1 200 OK\r\nX-Request-Id: another-one\r\nStrict-Transport-Security: max-age=1\r\nContent-Length: 2\r\n\r\nok',
    );
    const headers = ['X-Request-Id: request-0042', 'Connection: close'];
    const answer = await new RawClient(request('GET', path, headers)).closed;
    expect(answer.match(/^x-request-id: .*$/gim)).toEqual(['x-request-id: request-0042']);
    expect(answer.match(/^strict-transport-security: .*$/gim)).toEqual([
      'strict-transport-security: max-age=31536000',
    ]);
  });

  test('Large responses are complete, with and without a length, from services slower and faster than the client.', async () => {
    const large = 'abcdefgh'.repeat(400_000);
    const chunked = `Transfer-Encoding: chunked\r\n\r\n${large.length.toString(16)}\r\n${large}\r\n0\r\n\r\n`;
    for (const rest of [`Content-Length: ${large.length}\r\n\r\n${large}`, chunked]) {
      service.answer(`HTTP/1.1 200 OK\r\n${rest}`);
      const client = new RawClient(request('GET', path, ['Connection: close']));
      client.socket.pause();
      await sleep(100);
      client.socket.resume();
      const answer = await client.closed;
      expect(answer.includes('abcdefgh')).toBe(true);
      expect(answer.replace(/^[0-9a-f]+\r\n|\r\n/gim, '').match(/abcdefgh/g)?.length).toBeGreaterThan(
        399_000,
      );
      service.reset();
    }
  });

  test('Binary bodies are forwarded unchanged.', async () => {
    const bytes = String.fromCharCode(...Array.from({ length: 256 }, (_, byte) => byte));
    service.answer(`HTTP/1.1 200 OK\r\nContent-Length: 256\r\n\r\n${bytes}`);
    const body = Buffer.from(bytes, 'latin1');
    const answer = await fetch(gateway.url + path, { method: 'POST', body });
    expect(Buffer.from(await answer.arrayBuffer()).equals(body)).toBe(true);
    expect(service.received.endsWith(bytes)).toBe(true);
  });
});

test('A change whose connection to the service is refused is sent again, once, because the service has not received it.', async () => {
  const bodies: string[] = [];
  const late = createServer((request, response) => {
    request.setEncoding('utf8').on('data', (body: string) => bodies.push(body));
    request.on('end', () => response.writeHead(201).end());
  });
  await new Promise<void>((resolve) => late.listen(0, resolve));
  const { port } = late.address() as AddressInfo;
  await new Promise((resolve) => late.close(resolve));
  const origin = `http://127.0.0.1:${port}`;
  const own = await startGateway(new Issuer(), { auth: origin, directory: origin, provisioning: origin });
  let refusals = 0;
  const listen = (message: unknown) => {
    const { connectParams } = message as { connectParams: { port: string } };
    if (Number(connectParams.port) !== port) return;
    refusals += 1;
    late.listen(port);
  };
  // undici publishes this event before it rejects the requests that wait for the connection.
  subscribe('undici:client:connectError', listen);
  try {
    const answer = await fetch(`${own.url}/t/demo/thing`, { method: 'POST', body: 'a=change' });
    expect([answer.status, refusals, bodies]).toEqual([201, 1, ['a=change']]);
  } finally {
    unsubscribe('undici:client:connectError', listen);
    await own.app.close();
    late.closeAllConnections();
    late.close();
  }
});
