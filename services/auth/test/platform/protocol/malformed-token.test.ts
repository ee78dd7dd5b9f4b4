import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type ChallengedRoute, challengeRoutes, recordRoutes } from '@ostiary/access/testing';
import { type Backend, createBackend, type RunningAuth, startAuth } from '../../support/running-auth.ts';

const routes = recordRoutes();

let backend: Backend;
let auth: RunningAuth;
let answers: ChallengedRoute[];

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
  answers = await challengeRoutes(auth.origin, routes, {
    fill: { tenant: 'demo', clientId: 'x', id: '01990000-0000-7000-8000-000000000000' },
  });
});

afterAll(async () => {
  await auth?.stop();
  await backend?.drop();
});

/** Routes without an access token: public, with browser cookies, or with a client's own credentials. */
const otherwiseOpen = [
  /^\/(livez|readyz|metrics)$/,
  /^\/\.well-known\/(oauth-authorization-server|ssf-configuration)\/t\/:tenant$/,
  /^\/t\/:tenant\/(\.well-known\/(openid-configuration|oauth-authorization-server)|jwks|logo\/:digest|clients\/:client\/logo\/:digest)$/,
  /^\/t\/:tenant\/(token|device_authorization|par|revoke|introspect|revocations)$/,
  /^\/t\/:tenant\/(authorize|login(\/.*)?|account(\/.*)?|invitation|consent|device(\/finished)?|logout|signed-out|select-account)$/,
];

describe('a malformed token (RFC 6750 §3.1)', () => {
  test('A malformed token returns invalid_token at every protected resource.', () => {
    const guarded = answers.filter(({ isProtected }) => isProtected);
    expect(guarded.filter(({ wrong }) => wrong.length > 0)).toEqual([]);
    const urls = new Set(guarded.map(({ url }) => url));
    for (const url of [
      '/t/:tenant/userinfo',
      '/t/:tenant/ssf/stream',
      '/t/:tenant/register/:clientId',
      '/graphql',
    ]) {
      expect([...urls]).toContain(url);
    }
  });

  test('Every route is a protected resource or is listed with its other authentication.', () => {
    const unknown = answers.filter(
      ({ isProtected, status, url }) =>
        !isProtected && status !== 405 && !otherwiseOpen.some((known) => known.test(url)),
    );
    expect(unknown).toEqual([]);
  });

  test('A token sent in two places is an invalid request, and another scheme counts as no token.', async () => {
    const path = '/t/demo/userinfo';
    const twice = await auth.post(path, { access_token: 'a' }, { headers: { authorization: 'Bearer b' } });
    expect([twice.status, twice.body.error]).toEqual([400, 'invalid_request']);
    const other = await auth.get(path, { authorization: 'Negotiate YII=' });
    expect(other.status).toBe(401);
    expect(other.headers.get('www-authenticate')).not.toContain('error=');
  });
});
