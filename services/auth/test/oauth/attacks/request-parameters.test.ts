import { describe, expect, test } from '@jest/globals';
import { expectCpuBelow } from '../../../../../libs/service/test/support/cpu-time.ts';
import {
  answered,
  auth,
  authorization,
  authorize,
  device,
  error,
  introspect,
  machine,
  query,
  setUpAttackedClients,
  token,
  web,
} from '../../support/attacked-clients.ts';
import { claimsOf, type Fields } from '../../support/running-auth.ts';
import { Browser } from '../../support/sign-in/browser.ts';

// Known vulnerabilities of other products, tested over HTTP.

setUpAttackedClients();

describe('parameters', () => {
  const endpoints = ['token', 'par', 'device_authorization', 'introspect', 'revoke'];
  const form = (endpoint: string): Fields =>
    endpoint === 'par'
      ? authorization()
      : endpoint === 'device_authorization'
        ? { client_id: web, scope: 'openid' }
        : { grant_type: 'client_credentials', scope: 'users:read', token: 'x' };
  const basicOf = (endpoint: string) => (form(endpoint).client_id ? {} : { basic: machine });

  test('A repeated parameter is never accepted, neither its first nor its last value (CVE-2026-9689).', async () => {
    for (const endpoint of endpoints) {
      const fields = form(endpoint);
      for (const name of Object.keys(fields)) {
        const twice = { ...fields, [name]: [String(fields[name]), String(fields[name])] };
        const answer = await auth.post(`/t/demo/${endpoint}`, twice, basicOf(endpoint));
        expect([endpoint, name, answer.status]).toEqual([endpoint, name, 400]);
      }
    }
    for (const name of Object.keys(authorization())) {
      const value = String(authorization()[name]);
      for (const second of [value, 'https://evil.example']) {
        const answer = await authorize({ [name]: [value, second] });
        const code = answer.location === undefined ? null : answered(answer.location).get('code');
        expect([name, code, answer.location?.startsWith('https://evil') ?? false]).toEqual([
          name,
          null,
          false,
        ]);
      }
    }
  });

  test('A megabyte of scope uses little processor time and is not echoed (CVE-2026-4634).', async () => {
    for (const scope of ['a'.repeat(1_000_000), 'openid '.repeat(140_000)]) {
      for (const endpoint of endpoints) {
        await expectCpuBelow(5_000, async () => {
          const answer = await auth.post(
            `/t/demo/${endpoint}`,
            { ...form(endpoint), scope },
            basicOf(endpoint),
          );
          expect([endpoint, ...error(answer)]).toEqual([endpoint, 400, 'invalid_request']);
          expect(JSON.stringify(answer.body).length).toBeLessThan(500);
        });
      }
    }
  });

  test('The parameters of a pushed request never appear in a cookie or an address (CVE-2024-4540).', async () => {
    const pushed = { state: 'secret-state', nonce: 'secret-nonce', login_hint: 'secret-hint' };
    const { body } = await auth.post('/t/demo/par', authorization(pushed));
    const browser = new Browser(auth.origin);
    const first = await browser.get(
      `/t/demo/authorize?${query({ client_id: web, request_uri: String(body.request_uri) })}`,
    );
    const seen = [...browser.cookies.values(), first.location ?? '', ...first.headers.getSetCookie()];
    const decoded = seen.flatMap((text) => [
      decodeURIComponent(text),
      ...text.split(/[^\w-]+/).map((part) => Buffer.from(part, 'base64url').toString('latin1')),
    ]);
    expect(first.status).toBe(303);
    expect(decoded.filter((text) => /secret-|callback|code_challenge/.test(text))).toEqual([]);
  });

  test('An unconfigured scope is never granted by client_credentials, device, PAR or refresh (CVE-2024-52287).', async () => {
    for (const scope of ['users:write', 'users:read users:write', 'openid', 'offline_access']) {
      const answer = await token({ grant_type: 'client_credentials', scope }, { basic: machine });
      expect([scope, ...error(answer)]).toEqual([scope, 400, 'invalid_scope']);
    }
    const own = (await token({ grant_type: 'client_credentials' }, { basic: machine })).body;
    expect(String(claimsOf(own.access_token).scope).split(' ').sort()).toEqual(['groups:read', 'users:read']);
    expect(error(await device({ scope: 'openid users:write' }))).toEqual([400, 'invalid_scope']);
    const pushed = await auth.post('/t/demo/par', authorization({ scope: 'openid users:write' }));
    expect(error(pushed)).toEqual([400, 'invalid_scope']);
    const { location } = await authorize({ scope: 'openid users:write' });
    expect(answered(location).get('error')).toBe('invalid_scope');
  });

  test('Introspection never returns the scope of another token (CVE-2021-32701).', async () => {
    const scopes = ['users:read', 'groups:read', 'users:read groups:read'];
    const tokens = await Promise.all(
      scopes.map((scope) => token({ grant_type: 'client_credentials', scope }, { basic: machine })),
    );
    for (const _ of [1, 2]) {
      for (const [index, { body }] of tokens.entries())
        expect((await introspect(body.access_token)).scope).toBe(scopes[index]);
    }
  });
});
