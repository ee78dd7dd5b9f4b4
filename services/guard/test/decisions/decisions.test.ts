import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { Prover } from '@ostiary/verifier/testing';
import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose';
import { audience, StubIssuer } from '../../../../libs/verifier/test/support/stub-issuer.ts';
import { identityHeaders } from '../../src/decisions/domain/identity.ts';
import { assertions, TestGuard } from '../support/guard.ts';

let issuer: StubIssuer;
let guard: TestGuard;

beforeAll(async () => {
  issuer = await new StubIssuer().start();
  guard = await TestGuard.start(issuer);
  await eventually(
    async () => (await guard.ask({}, '/readyz')).status,
    (status) => status === 200,
  );
});

afterAll(async () => {
  await guard?.stop();
  await issuer?.stop();
});

const statusFor = async (path: string, headers: Record<string, string | string[]> = {}, method = 'GET') =>
  (await guard.request(path, headers, method)).status;

describe('a permitted request', () => {
  test('The answer states the caller in headers, and in an assertion for the host.', async () => {
    const authTime = Math.floor(Date.now() / 1_000) - 30;
    const authorization = await issuer.bearer({
      scope: 'openid orders:admin',
      acr: 'urn:ostiary:acr:2fa',
      auth_time: authTime,
      sid: 'session-1',
      act: { sub: 'agent-1' },
    });
    const answer = await guard.request('/admin/users?page=2', { authorization });
    expect([answer.status, answer.body, answer.headers['cache-control']]).toEqual([200, '', 'no-store']);
    const { assertion = '', ...identity } = answer.identity;
    expect(identity).toEqual({
      kind: 'user',
      subject: 'user-1',
      client: 'shop',
      scopes: 'openid orders:admin',
      acr: 'urn:ostiary:acr:2fa',
      'auth-time': String(authTime),
      session: 'session-1',
      actor: 'agent-1',
    });
    const published = JSON.parse((await guard.ask({}, '/.well-known/jwks.json')).body) as JSONWebKeySet;
    expect(published).toEqual(assertions.keySet);
    const { payload } = await jwtVerify(assertion, createLocalJWKSet(published), {
      typ: 'guard+jwt',
      audience: 'orders.example',
    });
    expect(payload).toMatchObject({
      sub: 'user-1',
      client_id: 'shop',
      sid: 'session-1',
      act: { sub: 'agent-1' },
    });
  });

  test('Characters that a header cannot contain are percent-encoded.', async () => {
    const authorization = await issuer.bearer({ sub: 'jürgen\r\nx', client_id: 'ℵ' });
    const { identity } = await guard.request('/', { authorization });
    expect([identity.subject, identity.client]).toEqual(['j%C3%BCrgen%0D%0Ax', '%E2%84%B5']);
  });

  test('A client that acts for itself has no sign-in.', async () => {
    const authorization = await issuer.bearer({ sub: 'shop', client_id: 'shop', sub_epoch: undefined });
    const { assertion: _, ...identity } = (await guard.request('/', { authorization })).identity;
    expect(identity).toEqual({ kind: 'client', subject: 'shop', client: 'shop' });
  });

  test('A public path needs no token, and a token makes no identity there.', async () => {
    for (const headers of [
      {},
      { authorization: await issuer.bearer() },
      { authorization: 'Bearer nonsense' },
    ]) {
      const answer = await guard.request('/public/logo.svg', headers);
      expect([answer.status, answer.identity]).toEqual([200, {}]);
    }
  });
});

describe('a rejected request', () => {
  test.each([
    ['no token', '/', {}, 401],
    ['a token of another scheme', '/', { authorization: 'Basic dTpw' }, 401],
    ['a malformed token', '/', { authorization: 'Bearer nonsense' }, 401],
    ['a token in the query', '/?access_token=x', { authorization: 'Bearer x' }, 400],
    ['two Authorization headers', '/', { authorization: ['Bearer x', 'Bearer y'] }, 400],
    ['an unknown host', '/', { 'x-forwarded-host': 'other.example' }, 403],
    ['no original method', '/', { 'x-forwarded-method': '' }, 400],
    ['two original targets', '/', { 'x-forwarded-uri': ['/public/x', '/admin/x'] }, 400],
    ['an ambiguous path', '/public/..%2fadmin', {}, 400],
    ['a path in other case', '/ADMIN/users', {}, 400],
  ] as const)(
    'A request with %s is rejected, with every identity header empty.',
    async (_name, path, headers, status) => {
      const answer = await guard.request(path, headers as Record<string, string | string[]>);
      expect([answer.status, answer.identity]).toEqual([status, {}]);
      expect(answer.headers['cache-control']).toBe('no-store');
      // The server itself rejects repeated fields before the guard.
      if (_name !== 'two Authorization headers')
        for (const name of identityHeaders) expect([name, answer.headers[name]]).toEqual([name, '']);
    },
  );

  test('A request without a token gets a challenge that names the metadata of the API, which the guard serves.', async () => {
    const answer = await guard.request('/');
    expect(answer.headers['www-authenticate']).toContain(
      'resource_metadata="https://orders.example/.well-known/oauth-protected-resource"',
    );
    const path = '/.well-known/oauth-protected-resource';
    const metadata = await guard.ask({ host: 'orders.example' }, path);
    expect(JSON.parse(metadata.body)).toMatchObject({
      resource: audience,
      authorization_servers: [issuer.issuer],
    });
    expect((await guard.ask({ host: 'other.example' }, path)).status).toBe(404);
  });

  test.each([
    ['/approvals/1', { roles: ['approver'] }, 200],
    ['/approvals/1', { roles: ['reader', 'lead approver'] }, 200],
    ['/approvals/1', { roles: ['reader', 'Approver'] }, 403],
    ['/approvals/1', { roles: 'approver' }, 403],
    ['/approvals/1', {}, 403],
    ['/reports/1', { groups: ['Sales', 'Audit'] }, 200],
    ['/reports/1', { groups: ['audit', 'Auditors'] }, 403],
    ['/reports/1', { groups: 'Audit' }, 403],
    ['/reports/1', { groups: { Audit: true } }, 403],
    ['/reports/1', {}, 403],
  ])('%s with the claims %j: %i.', async (path, claims, status) => {
    const answer = await guard.request(path, { authorization: await issuer.bearer(claims) });
    expect(answer.status).toBe(status);
    if (status === 403) expect(JSON.parse(answer.body)).toMatchObject({ error: 'access_denied' });
  });

  test('The roles are in the headers and the assertion.', async () => {
    const authorization = await issuer.bearer({ roles: ['reader', 'lead approver'] });
    const { identity } = await guard.request('/approvals/1', { authorization });
    expect(identity.roles).toBe('reader lead%20approver');
    expect(decodeJwt(identity.assertion ?? '')).toMatchObject({ roles: ['reader', 'lead approver'] });
  });

  test('A token without the required scope is rejected with 403.', async () => {
    const answer = await guard.request('/admin/users', {
      authorization: await issuer.bearer({ scope: 'openid' }),
    });
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      403,
      expect.stringContaining('scope="orders:admin"'),
    ]);
  });

  test('A path that requires a sign-in with a second factor answers with the step-up challenge.', async () => {
    const now = Math.floor(Date.now() / 1_000);
    const strong = { acr: 'urn:ostiary:acr:2fa', auth_time: now };
    const answer = await guard.request('/payments', { authorization: await issuer.bearer() }, 'POST');
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([
      401,
      expect.stringMatching(
        /insufficient_user_authentication.*acr_values="urn:ostiary:acr:2fa", max_age="300"/,
      ),
    ]);
    const old = { authorization: await issuer.bearer({ ...strong, auth_time: now - 301 }) };
    expect(await statusFor('/payments', old, 'POST')).toBe(401);
    expect(await statusFor('/payments', { authorization: await issuer.bearer(strong) }, 'POST')).toBe(200);
  });

  test.each(['x-http-method-override', 'x-http-method', 'x-method-override', 'X_HTTP_Method_Override'])(
    'The header %s is rejected if any rule of the host depends on the method: another rule could apply then.',
    async (name) => {
      const headers = { authorization: await issuer.bearer(), [name]: 'POST' };
      for (const path of ['/payments', '/', '/public/x'])
        expect([path, await statusFor(path, headers)]).toEqual([path, 400]);
    },
  );

  test.each([
    'x-ostiary-subject',
    'X-Ostiary-Subject',
    'X_Ostiary_Subject',
    'x-ostiary_subject',
    'X.Ostiary.Subject',
    'X-Ostiary-Anything',
  ])('A client that sends the header %s is rejected, also for a public path.', async (name) => {
    const headers = { authorization: await issuer.bearer(), [name]: 'admin' };
    for (const path of ['/', '/public/x'])
      expect([path, await statusFor(path, headers)]).toEqual([path, 400]);
  });

  test.each<[string, object, Record<string, unknown>]>([
    ['another issuer', { iss: 'https://id.example/t/rival' }, {}],
    ['another audience', { aud: 'https://shop.example' }, {}],
    ['no audience', { aud: undefined }, {}],
    ['an expiry in the past', { exp: Math.floor(Date.now() / 1_000) - 60 }, {}],
    ['the type of an ID token', {}, { typ: 'JWT' }],
    ['the type of an assertion', {}, { typ: 'guard+jwt' }],
  ])('A token with %s is rejected.', async (_name, claims, header) => {
    const authorization = await issuer.bearer(claims as Record<string, unknown>, header);
    expect(await statusFor('/', { authorization })).toBe(401);
  });

  test('A token of another issuer with the same claims is rejected, and so is an assertion.', async () => {
    const rival = await new StubIssuer().start();
    try {
      const authorization = await rival.bearer({ iss: issuer.issuer });
      expect(await statusFor('/', { authorization })).toBe(401);
    } finally {
      await rival.stop();
    }
    const { assertion } = (await guard.request('/', { authorization: await issuer.bearer() })).identity;
    expect(await statusFor('/', { authorization: `Bearer ${assertion}` })).toBe(401);
  });

  test('Parallel requests get the identity of their own token.', async () => {
    const subjects = Array.from({ length: 50 }, () => randomUUID());
    const answers = await Promise.all(
      subjects.map(async (sub) => guard.request('/', { authorization: await issuer.bearer({ sub }) })),
    );
    expect(answers.map(({ identity }) => identity.subject)).toEqual(subjects);
  });

  test('A revoked token is rejected, and no other one.', async () => {
    const [leaver, colleague] = await Promise.all(
      ['leaver', 'colleague'].map(async (sub) => ({ authorization: await issuer.bearer({ sub }) })),
    );
    expect([await statusFor('/', leaver), await statusFor('/', colleague)]).toEqual([200, 200]);
    issuer.revoke('sub', 'leaver');
    await eventually(async () => (await statusFor('/', leaver)) === 401);
    expect(await statusFor('/', colleague)).toBe(200);
  });
});

describe('a token that is bound to a key (DPoP)', () => {
  test('A proof for the public address of the app is accepted once.', async () => {
    const prover = await Prover.create();
    const token = await issuer.token({ cnf: { jkt: prover.jkt } });
    const headers = await prover.headers('POST', 'https://orders.example/orders', token);
    expect(await statusFor('/orders?x=1', headers, 'POST')).toBe(200);
    expect(await statusFor('/orders?x=1', headers, 'POST')).toBe(401);
  });

  test.each([
    ['another path', 'POST', 'https://orders.example/other'],
    ['another method', 'GET', 'https://orders.example/orders'],
    ['another host', 'POST', 'https://evil.example/orders'],
    ['another host of the guard', 'POST', 'https://shop.example/orders'],
    ['the address of the guard', 'GET', 'https://orders.example/verify'],
  ])('A proof for %s is rejected.', async (_name, method, url) => {
    const prover = await Prover.create();
    const headers = await prover.headers(method, url, await issuer.token({ cnf: { jkt: prover.jkt } }));
    expect(await statusFor('/orders', headers, 'POST')).toBe(401);
    expect(await statusFor('/orders', { ...headers, 'x-forwarded-proto': 'https' }, 'POST')).toBe(401);
  });

  test('A bound token without a proof is rejected.', async () => {
    const authorization = await issuer.bearer({ cnf: { jkt: (await Prover.create()).jkt } });
    expect(await statusFor('/', { authorization })).toBe(401);
  });
});

describe('proxies', () => {
  test('A malformed request behind nginx gets 403, because nginx answers 500 to other statuses.', async () => {
    const own = await TestGuard.start(issuer, { proxy: 'nginx' });
    try {
      const ask = (url: string) => own.ask({ 'x-original-method': 'GET', 'x-original-url': url });
      const statuses = ['https://orders.example/a/%2e%2e', 'orders.example', 'https://orders.example/'].map(
        ask,
      );
      expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([403, 403, 401]);
    } finally {
      await own.stop();
    }
  });

  test('The path that Envoy appends is used as it was sent, with its method.', async () => {
    const own = await TestGuard.start(issuer, { proxy: 'envoy' });
    try {
      const ask = (path: string, method = 'GET') =>
        own.ask({ host: 'orders.example', 'x-forwarded-uri': '/public/x' }, `/verify${path}`, method);
      const asked = [
        ask('/public/x'),
        ask('/public/x', 'PURGE'),
        ask('/public/%2e%2e/admin'),
        ask('/admin'),
        ask(''),
        own.ask({ host: 'orders.example' }, '/public/x'),
      ];
      expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 400, 401, 400, 404]);
    } finally {
      await own.stop();
    }
  });

  test('Outcomes are counted.', async () => {
    const counted = async (outcome: string) =>
      Number(
        new RegExp(`guard_decisions_total\\{outcome="${outcome}"[^}]*\\} (\\d+)`).exec(
          await guard.kit.metrics.metrics(),
        )?.[1],
      );
    const before = await counted('public');
    await guard.request('/public/x');
    expect(await counted('public')).toBe(before + 1);
  });
});
