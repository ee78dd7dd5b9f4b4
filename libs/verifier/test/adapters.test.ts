import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import fastify from 'fastify';
import { Hono } from 'hono';
import * as forExpress from '../src/express.ts';
import * as forFastify from '../src/fastify.ts';
import * as forHono from '../src/hono.ts';
import type { Verify } from '../src/index.ts';
import { Prover } from '../src/testing.ts';
import { StubIssuer } from './support/stub-issuer.ts';

type Ask = (path: string, init?: RequestInit) => Promise<Response>;

const rule = { scopes: ['orders:read'] };
const approval = { roles: ['approver'], acr: 'urn:ostiary:acr:2fa' };
let issuer: StubIssuer;
const ends: (() => Promise<unknown>)[] = [];
const asks: Record<string, Ask> = {};

async function withFastify(verify: Verify): Promise<Ask> {
  const app = fastify();
  app.register(forFastify.protectedResource, { verify });
  app.get('/orders', { onRequest: forFastify.requireToken(verify, rule) }, async ({ principal }) => ({
    subject: principal?.subject,
  }));
  app.get('/approvals', { onRequest: forFastify.requireToken(verify, approval) }, async () => ({}));
  ends.push(() => app.close());
  const origin = await app.listen({ port: 0, host: '127.0.0.1' });
  return (path, init) => fetch(origin + path, init);
}

/** The part of Express that the test uses; its types are no dependency. */
interface ExpressApp {
  use(...handlers: unknown[]): void;
  listen(port: number, host: string): Server;
}

async function withExpress(verify: Verify): Promise<Ask> {
  const { default: express } = (await import('express' as string)) as {
    default: (() => ExpressApp) & { Router: () => { get(...handlers: unknown[]): void } };
  };
  const app = express();
  const router = express.Router();
  app.use(forExpress.protectedResource(verify));
  router.get(
    '/',
    forExpress.requireToken(verify, rule),
    (request: { principal: { subject: string } }, response: { json(body: object): void }) =>
      response.json({ subject: request.principal.subject }),
  );
  app.use('/orders', router);
  app.use(
    '/approvals',
    forExpress.requireToken(verify, approval),
    (_request: unknown, response: { json(body: object): void }) => response.json({}),
  );
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  ends.push(async () => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return (path, init) => fetch(`http://127.0.0.1:${port}${path}`, init);
}

async function withHono(verify: Verify): Promise<Ask> {
  const app = new Hono();
  app.use(forHono.protectedResource(verify));
  app.get('/orders', forHono.requireToken(verify, rule), (context) =>
    context.json({ subject: context.get('principal').subject }),
  );
  app.get('/approvals', forHono.requireToken(verify, approval), (context) => context.json({}));
  return async (path, init) => app.request(path, init);
}

beforeAll(async () => {
  issuer = await new StubIssuer().start();
  asks.Fastify = await withFastify(issuer.verifier());
  asks.Express = await withExpress(issuer.verifier());
  asks.Hono = await withHono(issuer.verifier());
});

afterAll(async () => {
  for (const end of ends) await end();
  await issuer.stop();
});

const names = ['Fastify', 'Express', 'Hono'];
const ask: (name: string, ...request: Parameters<Ask>) => Promise<Response> = (name, ...request) => {
  const of = asks[name];
  if (!of) throw new Error(`no adapter ${name}`);
  return of(...request);
};

describe('an adapter', () => {
  test.each(names)(
    'A request to %s with a valid token reaches the handler with its principal.',
    async (name) => {
      const response = await ask(name, '/orders', {
        headers: { authorization: await issuer.bearer({ scope: 'orders:read' }) },
      });
      expect([response.status, await response.json()]).toEqual([200, { subject: 'user-1' }]);
    },
  );

  test.each(names)(
    'A request to %s without a token, or with an insufficient one, is rejected with a challenge.',
    async (name) => {
      const missing = await ask(name, '/orders');
      expect(missing.status).toBe(401);
      expect(missing.headers.get('www-authenticate')).toMatch(/^Bearer realm=.*, DPoP realm=/);
      expect(missing.headers.get('cache-control')).toBe('no-store');
      const insufficient = await ask(name, '/orders', { headers: { authorization: await issuer.bearer() } });
      expect([insufficient.status, await insufficient.json()]).toEqual([
        403,
        { error: 'insufficient_scope', error_description: expect.any(String) },
      ]);
    },
  );

  test.each(names)(
    '%s requires the roles and the sign-in of a rule, with the challenges for both.',
    async (name) => {
      const answer = async (claims: Record<string, unknown>) => {
        const response = await ask(name, '/approvals', {
          headers: { authorization: await issuer.bearer(claims) },
        });
        return [response.status, response.headers.get('www-authenticate')];
      };
      const strong = { acr: 'urn:ostiary:acr:2fa', auth_time: Math.floor(Date.now() / 1_000) };
      expect(await answer({ roles: ['approver'], ...strong })).toEqual([200, null]);
      expect((await answer({ roles: ['reader'], ...strong }))[0]).toBe(403);
      expect(await answer({ roles: ['approver'], acr: 'urn:ostiary:acr:1fa' })).toEqual([
        401,
        expect.stringContaining('acr_values="urn:ostiary:acr:2fa"'),
      ]);
    },
  );

  test.each([
    ['Fastify', withFastify],
    ['Express', withExpress],
    ['Hono', withHono],
  ])('A token that cannot be verified gets 503 with Retry-After from %s.', async (_name, start) => {
    const unreachable = await new StubIssuer().start();
    unreachable.failures.set('*', 'cut');
    try {
      const send = await start(unreachable.verifier());
      const response = await send('/orders', { headers: { authorization: await unreachable.bearer() } });
      expect([response.status, await response.json()]).toMatchObject([
        503,
        { error: 'temporarily_unavailable' },
      ]);
      expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    } finally {
      await unreachable.stop();
    }
  });

  test.each(names)('A request to %s with a DPoP proof for its address is accepted.', async (name) => {
    const prover = await Prover.create();
    const token = await issuer.token({ scope: 'orders:read', cnf: { jkt: prover.jkt } });
    const headers = await prover.headers('GET', 'https://orders.example/orders', token);
    expect((await ask(name, '/orders', { headers })).status).toBe(200);
    expect((await ask(name, '/orders', { headers })).status).toBe(401);
  });

  test.each(names)('%s serves the metadata of the API.', async (name) => {
    const response = await ask(name, '/.well-known/oauth-protected-resource');
    expect(await response.json()).toMatchObject({
      resource: 'https://orders.example',
      authorization_servers: [issuer.issuer],
    });
    expect((await ask(name, '/.well-known/other')).status).toBe(404);
  });

  test.each(names)('A revoked token is rejected by %s.', async (name) => {
    const authorization = await issuer.bearer({ scope: 'orders:read', jti: `of ${name}` });
    const statusNow = async () => (await ask(name, '/orders', { headers: { authorization } })).status;
    expect(await statusNow()).toBe(200);
    issuer.revoke('jti', `of ${name}`);
    await eventually(async () => (await statusNow()) === 401);
  });
});
