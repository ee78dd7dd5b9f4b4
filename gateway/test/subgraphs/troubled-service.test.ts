import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Issuer } from '@ostiary/access/testing';
import { ask, codesOf, Services } from '../support/system.ts';

let services: Services;
let token: string;

beforeAll(async () => {
  const issuer = new Issuer();
  services = await Services.start(issuer);
  const scopes = ['users:read', 'users:write', 'sessions:read', 'provisioning:read', 'clients:read'];
  token = issuer.token({ subject: 'job', scopes });
});
afterAll(() => services.stop());

const people = '{ users { id name sessions { id } source } }';

describe('a service that fails', () => {
  // Replaces one service with a failing one; the fields of the other services are still resolved.
  const withTrouble = async (listener: RequestListener, work: (url: string) => Promise<void>) => {
    const server: Server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const other = await services.gateway(
      { subgraphTimeoutMs: { auth: 300, directory: 60_000, provisioning: 60_000 } },
      { auth: origin },
    );
    try {
      await work(other.url);
    } finally {
      await other.app.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    }
  };

  test.each<[string, RequestListener]>([
    ['hangs', () => undefined],
    ['resets', (request) => request.socket.destroy()],
    ['answers 500', (_request, response) => response.writeHead(500).end('stack trace of 10.0.0.9')],
    ['answers nonsense', (_request, response) => response.end('<html>10.0.0.9</html>')],
    ['answers something else', (_request, response) => response.end('{"ok":true}')],
    ['breaks off', (_request, response) => void response.write('{"data":', () => response.destroy())],
    ['redirects', (_request, response) => response.writeHead(302, { location: 'http://10.0.0.9/' }).end()],
    [
      'never stops',
      (_request, response) => {
        const chunk = Buffer.alloc(1 << 20, 'x');
        const go = () => {
          while (!response.destroyed && response.write(chunk));
        };
        response.on('drain', go);
        go();
      },
    ],
  ])('A service that %s loses only its own fields of the result.', async (_name, listener) => {
    await withTrouble(listener, async (url) => {
      const answer = await ask(url, people, { token });
      expect(answer.status).toBe(200);
      expect(answer.body.data).toEqual({
        users: [
          { id: 'alice', name: 'Alice', sessions: null, source: 'Entra ID' },
          { id: 'bob', name: 'Bob', sessions: null, source: 'Entra ID' },
        ],
      });
      expect(codesOf(answer)).toEqual([
        ['users.0.sessions', 'SERVICE_UNAVAILABLE'],
        ['users.1.sessions', 'SERVICE_UNAVAILABLE'],
      ]);
      expect(answer.body.errors?.map(({ extensions }) => extensions)).toEqual(
        Array.from({ length: 2 }, () => ({ code: 'SERVICE_UNAVAILABLE', service: 'auth' })),
      );
      expect(JSON.stringify(answer.body)).not.toMatch(/127\.0\.0\.1|10\.0\.0\.9|ECONN/);
    });
  });

  test('A service that fails at the root of the operation loses only its root fields.', async () => {
    await withTrouble(
      (request) => request.socket.destroy(),
      async (url) => {
        const answer = await ask(url, '{ apps: clients { id } users { id } }', { token });
        expect(codesOf(answer)).toEqual([['apps', 'SERVICE_UNAVAILABLE']]);
        expect(answer.body.data).toEqual({ apps: null, users: [{ id: 'alice' }, { id: 'bob' }] });
      },
    );
  });

  test('A service gets no second request after it has started to respond.', async () => {
    let requests = 0;
    const begins: RequestListener = (_request, response) => {
      requests += 1;
      response.write('{"data":', () => setTimeout(() => response.destroy(), 50));
    };
    await withTrouble(begins, async (url) => {
      await ask(url, people, { token });
    });
    expect(requests).toBe(1);
  });

  test('A query is sent again after a persistent connection broke, and a mutation never.', async () => {
    let requests = 0;
    const server = createServer((request) => {
      requests += 1;
      request.socket.destroy();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const other = await services.gateway({}, { directory: origin });
    await ask(other.url, '{ users { id } }', { token });
    expect(requests).toBe(2);
    await ask(other.url, 'mutation { rename(id: "alice", name: "x") { id } }', { token });
    expect(requests).toBe(3);
    await other.app.close();
    server.close();
  });
});
