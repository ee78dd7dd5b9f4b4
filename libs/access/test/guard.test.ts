import formbody from '@fastify/formbody';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createHttp, createKit, HttpPeer } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import {
  LocalTokenVerifier,
  RemoteKeys,
  RevocationList,
  requireAccess,
  requireService,
  serviceAudience,
} from '../src/index.ts';
import { publicOrigin, TestIssuer } from './issuer.ts';

const issuer = new TestIssuer();
let peer: HttpPeer;
let app: FastifyInstance;

beforeAll(async () => {
  peer = new HttpPeer({ name: 'auth', origin: await issuer.start(['demo', 'rival', 'platform']) });
  const revocations = new RevocationList();
  revocations.touch(performance.now());
  const verifier = new LocalTokenVerifier({
    publicOrigin,
    keys: new RemoteKeys(peer, Date.now),
    revocations,
    introspect: async () => true,
    maxStalenessMs: 60_000,
    clock: Date.now,
  });
  app = createHttp(createKit({ name: 'test', logLevel: 'silent' }));
  await app.register(formbody);
  const rule = { publicOrigin, tenantParam: 'tenant' };
  app.route({
    method: ['GET', 'POST'],
    url: '/t/:tenant/users',
    preHandler: requireAccess(verifier, { ...rule, scopes: ['users:read', 'users:write'] }),
    handler: async (request) => ({ subject: request.principal?.subject }),
  });
  app.get('/t/:tenant/me', {
    preHandler: requireAccess(verifier, { ...rule, user: true }),
    handler: async (request) => ({ subject: request.principal?.subject }),
  });
  app.get('/internal', {
    preHandler: requireService(verifier, 'directory', ['provisioning']),
    handler: async (request) => ({ client: request.principal?.clientId }),
  });
});

afterAll(async () => {
  await app.close();
  await peer.close();
  await issuer.stop();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

describe('the three ways of presenting a token (RFC 6750 section 2)', () => {
  test('A token in the Authorization header is accepted, with the scheme in any case.', async () => {
    const token = await issuer.sign('demo', { scope: 'users:read' });
    expect((await app.inject({ url: '/t/demo/users', headers: bearer(token) })).statusCode).toBe(200);
    const lower = { authorization: `bearer ${token}` };
    expect((await app.inject({ url: '/t/demo/users', headers: lower })).statusCode).toBe(200);
  });

  test('A token as access_token in a form body is accepted.', async () => {
    const token = await issuer.sign('demo', { scope: 'users:read' });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const payload = `access_token=${token}`;
    expect((await app.inject({ method: 'POST', url: '/t/demo/users', headers, payload })).statusCode).toBe(
      200,
    );
  });

  test.each(['access_token', 'access%5Ftoken'])(
    'A token as %s in the query is rejected with 400 invalid_request.',
    async (name) => {
      const token = await issuer.sign('demo', { scope: 'users:read' });
      const answer = await app.inject({ url: `/t/demo/users?a=1&${name}=${token}` });
      expect(answer.statusCode).toBe(400);
      expect(answer.headers['www-authenticate']).toMatch(
        /^Bearer realm="http:\/\/id\.test\/t\/demo", error="invalid_request"/,
      );
    },
  );

  test('A token in two places of one request is rejected with 400 invalid_request.', async () => {
    const token = await issuer.sign('demo', { scope: 'users:read' });
    const headers = { ...bearer(token), 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await app.inject({
      method: 'POST',
      url: '/t/demo/users',
      headers,
      payload: `access_token=${token}`,
    });
    expect(answer.statusCode).toBe(400);
    expect(answer.json()).toMatchObject({ error: 'invalid_request' });
  });

  test.each(['Bearer ', 'Bearer a b', 'Bearer tok\u00e9n', `Bearer ${'a'.repeat(9000)}`])(
    'A malformed Authorization header is rejected as an invalid token: %j.',
    async (authorization) => {
      const answer = await app.inject({ url: '/t/demo/users', headers: { authorization } });
      expect(answer.statusCode).toBe(401);
      expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
    },
  );
});

describe('the answers of a protected resource', () => {
  test('A request without a token gets 401 with a challenge that names no error.', async () => {
    const answer = await app.inject('/t/demo/users');
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="http://id.test/t/demo"');
  });

  test('A request with an invalid token gets 401 invalid_token.', async () => {
    const answer = await app.inject({ url: '/t/demo/users', headers: bearer('nonsense') });
    expect(answer.statusCode).toBe(401);
    expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
  });

  test('A token of another tenant gets the same 401 as an invalid token.', async () => {
    const rival = await app.inject({
      url: '/t/demo/users',
      headers: bearer(await issuer.sign('rival', { scope: 'users:read' })),
    });
    const bad = await app.inject({ url: '/t/demo/users', headers: bearer('nonsense') });
    expect(rival.statusCode).toBe(401);
    expect(rival.body).toBe(bad.body);
    expect(rival.headers['www-authenticate']).toBe(bad.headers['www-authenticate']);
  });

  test('A valid token without the scope gets 403 insufficient_scope naming the scopes.', async () => {
    const answer = await app.inject({
      url: '/t/demo/users',
      headers: bearer(await issuer.sign('demo', { scope: 'openid' })),
    });
    expect(answer.statusCode).toBe(403);
    expect(answer.headers['www-authenticate']).toContain('error="insufficient_scope"');
    expect(answer.headers['www-authenticate']).toContain('scope="users:read users:write"');
  });

  test('A client gets 403 where only a user is permitted.', async () => {
    const token = await issuer.sign('demo', { sub: 'web', client_id: 'web' });
    expect((await app.inject({ url: '/t/demo/me', headers: bearer(token) })).statusCode).toBe(403);
  });
});

describe('internal routes', () => {
  const audience = serviceAudience('directory');

  test('Internal routes accept a service, and only the named services.', async () => {
    const provisioning = await issuer.sign('platform', {
      aud: audience,
      sub: 'provisioning',
      client_id: 'provisioning',
    });
    expect((await app.inject({ url: '/internal', headers: bearer(provisioning) })).json()).toEqual({
      client: 'provisioning',
    });
    const gateway = await issuer.sign('platform', { aud: audience, sub: 'gateway', client_id: 'gateway' });
    expect((await app.inject({ url: '/internal', headers: bearer(gateway) })).statusCode).toBe(403);
  });

  test('Internal routes reject a service token for another service, and any token of a tenant.', async () => {
    const auth = await issuer.sign('platform', {
      aud: serviceAudience('auth'),
      sub: 'provisioning',
      client_id: 'provisioning',
    });
    expect((await app.inject({ url: '/internal', headers: bearer(auth) })).statusCode).toBe(401);
    const tenant = await issuer.sign('demo', { aud: audience, scope: 'users:read' });
    expect((await app.inject({ url: '/internal', headers: bearer(tenant) })).statusCode).toBe(401);
  });
});
