import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { Writable } from 'node:stream';
import { afterEach, describe, expect, test } from '@jest/globals';
import type { FastifyInstance } from 'fastify';
import { createHttp, createKit, NotReady, type ServiceKit, ServiceUnavailable } from '../../src/index.ts';

let app: FastifyInstance | undefined;
let lines: string[] = [];

function serve(routes: (app: FastifyInstance, kit: ServiceKit) => void): {
  app: FastifyInstance;
  kit: ServiceKit;
} {
  lines = [];
  const logStream = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const kit = createKit({ name: 'test', logLevel: 'trace', logStream });
  const created = createHttp(kit, { bodyLimit: 1024 });
  routes(created, kit);
  app = created;
  return { app: created, kit };
}

afterEach(async () => {
  await app?.close();
  app = undefined;
});

describe('createHttp', () => {
  test('An unexpected error returns to the client only an id that is also in the log.', async () => {
    const { app } = serve((server) => {
      server.get('/boom', async () => {
        throw new Error('duplicate key in relation "users" at 10.0.0.5');
      });
    });
    const answer = await app.inject('/boom');
    expect(answer.statusCode).toBe(500);
    expect(answer.body).not.toMatch(/relation|10\.0\.0\.5|stack/);
    expect(lines.join('')).toContain(answer.json<{ request_id: string }>().request_id);
  });

  test.each([
    [500, 'error'],
    [502, 'error'],
    [503, 'warn'],
    [504, 'error'],
    [404, 'info'],
  ])('An answer with status %d has a log line of level %s with its request id.', async (status, level) => {
    const { app } = serve((server) => {
      server.get('/', async (_request, reply) => reply.code(status).send('by a route'));
    });
    await app.inject({ url: '/', headers: { 'x-request-id': 'request-0003' } });
    const written = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(written).toEqual([expect.objectContaining({ level, requestId: 'request-0003', status })]);
  });

  test('Every log line written during a request names that request.', async () => {
    const { app, kit } = serve((server) => {
      server.get('/', async (request) => {
        await new Promise(setImmediate);
        kit.log.info('by the process');
        request.log.info('by the request');
        return {};
      });
    });
    kit.log.info('outside');
    await Promise.all(
      ['request-0001', 'request-0002'].map((id) => app.inject({ url: '/', headers: { 'x-request-id': id } })),
    );
    const notified = lines
      .map((line) => JSON.parse(line) as { msg: string; requestId?: string })
      .filter(({ msg }) => /^by|outside/.test(msg))
      .map(({ msg, requestId }) => `${msg} ${requestId}`);
    expect(notified.sort()).toEqual([
      'by the process request-0001',
      'by the process request-0002',
      'by the request request-0001',
      'by the request request-0002',
      'outside undefined',
    ]);
  });

  test('An unavailable dependency is answered with 503 and Retry-After, without its name.', async () => {
    const { app } = serve((server) => {
      server.get('/', async () => {
        throw new ServiceUnavailable('postgres-primary', { retryAfter: 3 });
      });
    });
    const answer = await app.inject('/');
    expect(answer.statusCode).toBe(503);
    expect(answer.headers['retry-after']).toBe('3');
    expect(answer.body).not.toContain('postgres');
  });

  test('Client errors have their own status: unknown path, broken JSON, too large a body.', async () => {
    const { app } = serve((server) => {
      server.post('/echo', async (request) => request.body);
    });
    expect((await app.inject('/nowhere')).statusCode).toBe(404);
    const headers = { 'content-type': 'application/json' };
    expect((await app.inject({ method: 'POST', url: '/echo', headers, payload: '{' })).statusCode).toBe(400);
    const large = JSON.stringify({ text: 'x'.repeat(2000) });
    expect((await app.inject({ method: 'POST', url: '/echo', headers, payload: large })).statusCode).toBe(
      413,
    );
  });

  test.each(['/users/%zz', `/users/${'a'.repeat(300)}`])(
    'A malformed address is answered with a plain 404: %j.',
    async (url) => {
      const { app } = serve((server) => {
        server.get('/users/:id', async () => 'ok');
      });
      const answer = await app.inject({ url: url.slice(0, 400) });
      expect(answer.statusCode).toBe(404);
      expect(answer.json()).toMatchObject({ error: 'not_found' });
      expect(answer.body).not.toMatch(/FST_|stack/);
    },
  );

  test('A well-formed request id is kept, and any other is replaced.', async () => {
    const { app } = serve((server) => {
      server.get('/', async () => 'ok');
    });
    const kept = await app.inject({ url: '/', headers: { 'x-request-id': 'abcdef-12345' } });
    expect(kept.headers['x-request-id']).toBe('abcdef-12345');
    const replaced = await app.inject({ url: '/', headers: { 'x-request-id': 'a b\u00e4"' } });
    expect(replaced.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('Neither a query nor a header is written to the log.', async () => {
    const { app } = serve((server) => {
      server.get('/callback', async () => 'ok');
    });
    await app.inject({
      url: '/callback?code=s3cret-code',
      headers: { authorization: 'Bearer s3cret-token' },
    });
    expect(lines.join('')).toContain('/callback');
    expect(lines.join('')).not.toMatch(/s3cret/);
  });

  test('X-Forwarded-For is trusted from configured proxies only.', async () => {
    const { app } = serve((server) => {
      server.get('/', async (request) => request.ip);
    });
    const answer = await app.inject({ url: '/', headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(answer.body).toBe('127.0.0.1');
  });

  test('Metrics name the route, not the path.', async () => {
    const { app, kit } = serve((server) => {
      server.get('/users/:id', async () => 'ok');
    });
    await app.inject('/users/secret-id');
    const metrics = await kit.metrics.metrics();
    expect((await app.inject('/metrics')).statusCode).toBe(404);
    expect(metrics).toMatch(/http_request_duration_seconds_count\{.*route="\/users\/:id".*\} 1/);
    expect(metrics).not.toContain('secret-id');
  });
});

describe('/readyz', () => {
  test('The path /readyz returns 503 for a required check down, 200 degraded for an optional one, 503 while draining.', async () => {
    let database = true;
    let auth = true;
    const { app, kit } = serve((_server, own) => {
      own.health.check('postgresql', async () => {
        if (!database) throw new Error('down');
      });
      own.health.check(
        'auth',
        async () => {
          if (!auth) throw new Error('down');
        },
        { required: false },
      );
    });
    const settle = () => new Promise((resolve) => setTimeout(resolve, 300));
    expect((await app.inject('/readyz')).json()).toMatchObject({ status: 'ready' });
    auth = false;
    await settle();
    const degraded = await app.inject('/readyz');
    expect(degraded.statusCode).toBe(200);
    expect(degraded.json()).toMatchObject({ status: 'degraded', dependencies: { auth: { status: 'down' } } });
    database = false;
    await settle();
    expect((await app.inject('/readyz')).statusCode).toBe(503);
    database = true;
    auth = true;
    await settle();
    expect((await app.inject('/readyz')).statusCode).toBe(200);
    kit.health.drain();
    expect((await app.inject('/readyz')).statusCode).toBe(503);
    expect((await app.inject('/livez')).statusCode).toBe(200);
  });

  test('A required check that is down for a tolerated reason makes the process degraded; for another, or draining, unavailable.', async () => {
    let reason: 'disk_full' | 'read_only' = 'disk_full';
    const { app, kit } = serve((_server, own) => {
      own.health.check('postgresql', async () => {
        throw new NotReady(reason);
      });
    });
    const asked = async (query: string) => (await app.inject(`/readyz${query}`)).statusCode;
    expect(await asked('')).toBe(503);
    const degraded = await app.inject('/readyz?tolerate=out_of_memory,disk_full');
    expect([degraded.statusCode, degraded.json().status]).toEqual([200, 'degraded']);
    expect(degraded.json().dependencies.postgresql).toMatchObject({ status: 'down', reason: 'disk_full' });
    expect(await asked('?tolerate=out_of_memory')).toBe(503);
    for (const wrong of ['?tolerate=', '?tolerate=diskfull', '?tolerate=disk_full&tolerate=read_only']) {
      const refused = await app.inject(`/readyz${wrong}`);
      expect([refused.statusCode, refused.json().error]).toEqual([400, 'invalid_request']);
    }
    reason = 'read_only';
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await asked('?tolerate=disk_full')).toBe(503);
    kit.health.drain();
    expect(await asked('?tolerate=disk_full,read_only')).toBe(503);
  });

  test('A probe that hangs counts as down after two seconds.', async () => {
    const { app } = serve((_server, own) => own.health.check('slow', () => new Promise(() => undefined)));
    expect((await app.inject('/readyz')).statusCode).toBe(503);
  });
});

test('A connection that never sent a request does not delay the shutdown.', async () => {
  const { app } = serve((server) => {
    server.get('/', async () => 'ok');
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  await fetch(`http://127.0.0.1:${port}/`);
  const closed = once(socket, 'close');
  await app.close();
  await closed;
});
