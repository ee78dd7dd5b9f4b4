import { describe, expect, test } from '@jest/globals';
import { assertionType } from '../../../src/clients/domain/assertions/client-assertion.ts';
import { Signatory } from '../../support/assertions.ts';
import {
  auth,
  authorization,
  authorize,
  backend,
  confidential,
  device,
  deviceGrant,
  error,
  granted,
  introspect,
  invalidGrant,
  other,
  refreshing,
  setUpAttackedClients,
  token,
  twin,
  userinfo,
  web,
} from '../../support/attacked-clients.ts';
import { type Fields, issueCode, type RunningAuth, register, startAuth } from '../../support/running-auth.ts';

// Known vulnerabilities of other products, tested over HTTP. Excluded: data loss of Redis for codes and device codes,
// which are unknown then, and SCIM, which another service implements.

setUpAttackedClients();

describe('refresh tokens', () => {
  test('Two parallel refreshes never both succeed (CVE-2026-1035, CVE-2026-53517).', async () => {
    const { refresh_token } = await granted();
    const answers = await Promise.all([1, 2].map(() => token(refreshing(refresh_token), {}, twin)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400]);
  });

  test('A revoked refresh token stays revoked after a restart and an emptied Redis (CVE-2026-9802).', async () => {
    const revoked = await granted();
    const replayed = await granted();
    await auth.post('/t/demo/revoke', { token: String(revoked.refresh_token), client_id: web });
    await token(refreshing(replayed.refresh_token), {}, twin);
    await token(refreshing(replayed.refresh_token), {}, twin);
    for (const flush of [false, true]) {
      if (flush) {
        const keys = await auth.deps.redis.keys(`${backend.prefix}:*`);
        if (keys.length > 0) await auth.deps.redis.del(...keys);
      }
      const fresh = await startAuth(backend, { publicOrigin: auth.origin });
      try {
        for (const dead of [revoked, replayed]) {
          expect(error(await token(refreshing(dead.refresh_token), {}, fresh))).toEqual(invalidGrant);
          expect(await userinfo(dead.access_token, fresh)).toBe(401);
          expect(await introspect(dead.access_token, fresh)).toEqual({ active: false });
        }
      } finally {
        await fresh.stop();
      }
    }
  });

  test('A refresh token of a confidential client is rejected without its credentials (CVE-2026-53512).', async () => {
    const [id, secret] = confidential;
    const { form } = await issueCode(auth, id);
    const { body } = await token({ ...form, client_id: undefined }, { basic: confidential });
    const request = { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) };
    const attempts: [Fields, Parameters<RunningAuth['post']>[2]?][] = [
      [request],
      [{ ...request, client_id: id }],
      [{ ...request, client_id: id, client_secret: '' }],
      [{ ...request, client_id: id, client_secret: secret }],
      [request, { basic: [id, 'wrong'] }],
    ];
    for (const [fields, o] of attempts) expect((await token(fields, o)).body.error).toBe('invalid_client');
    expect(error(await token({ ...request, client_id: other }))).toEqual(invalidGrant);
    expect((await token(request, { basic: confidential })).status).toBe(200);
  });

  test('An access or ID token is never accepted as a refresh token (CVE-2026-101023).', async () => {
    const tokens = await granted();
    for (const wrong of [tokens.access_token, tokens.id_token])
      expect(error(await token(refreshing(wrong)))).toEqual(invalidGrant);
    expect(await userinfo(tokens.refresh_token)).toBe(401);
    expect(await userinfo(tokens.id_token)).toBe(401);
  });

  test('A refresh token never gives access to a resource or scope that was not granted (RFC 9700 §4.14).', async () => {
    const { refresh_token } = await granted({ resources: ['https://api.example'] });
    const refresh = (more: Fields) => token({ ...refreshing(refresh_token), ...more });
    for (const resource of ['https://b.example', auth.issuer('demo'), 'https://api.example/v1'])
      expect(error(await refresh({ resource }))).toEqual([400, 'invalid_target']);
    expect(error(await refresh({ scope: 'openid users:read' }))).toEqual([400, 'invalid_scope']);
    const { form } = await issueCode(auth, web, { resources: ['https://api.example'] });
    expect(error(await token({ ...form, resource: 'https://b.example' }))).toEqual([400, 'invalid_target']);
  });
});

describe('single-use values', () => {
  test('A single-use value of one kind is never accepted as another (CVE-2026-4282).', async () => {
    const { code, form } = await issueCode(auth, web);
    const { refresh_token, access_token } = await granted();
    const { device_code, user_code } = (await device()).body;
    const uri = String((await auth.post('/t/demo/par', authorization())).body.request_uri);
    const bare = uri.slice(uri.lastIndexOf(':') + 1);
    const all = { code, refresh_token, access_token, device_code, user_code, uri, bare };
    const text = { ...all, respelt: `oac_${bare}`, disguised: String(code).replace(/^[a-z]+_/, 'odc_') };
    for (const [kind, value] of Object.entries(text).map(([name, one]) => [name, String(one)] as const)) {
      if (kind !== 'code') expect(error(await token({ ...form, code: value }))).toEqual(invalidGrant);
      if (kind !== 'refresh_token') expect(error(await token(refreshing(value)))).toEqual(invalidGrant);
      const poll = { grant_type: deviceGrant, client_id: web, device_code: value };
      if (kind !== 'device_code') expect(error(await token(poll))).toEqual(invalidGrant);
      const urn = `urn:ietf:params:oauth:request_uri:${value}`;
      const followed = kind === 'bare' || kind === 'uri' ? undefined : await authorize({ request_uri: urn });
      if (followed) expect(followed.location ?? '').not.toContain('code=');
    }
    expect((await token(form)).status).toBe(200);
    // None of these consumed the request: it is processed, with consent as for every app on a loopback port.
    expect((await authorize({ request_uri: uri })).location).toContain('/consent?');
  });

  test('A single-use value is never redeemed by another client (CVE-2026-55672, CVE-2023-2585).', async () => {
    const { form } = await issueCode(auth, web);
    const { refresh_token } = await granted();
    const { device_code } = (await device()).body;
    const poll = { grant_type: deviceGrant, device_code: String(device_code), client_id: web };
    for (const fields of [form, refreshing(refresh_token), poll]) {
      expect(error(await token({ ...fields, client_id: other }))).toEqual(invalidGrant);
      const { client_id: _, ...rest } = fields;
      expect(error(await token(rest, { basic: confidential }))).toEqual(invalidGrant);
    }
    const uri = String((await auth.post('/t/demo/par', authorization())).body.request_uri);
    const stolen = await authorize({ request_uri: uri, client_id: other });
    expect([stolen.status, stolen.location]).toEqual([400, undefined]);
    expect((await token(form)).status).toBe(200);
    expect(error(await token(poll))).toEqual([400, 'authorization_pending']);
  });

  test('A truncated or respelt value is never valid (CVE-2026-27840).', async () => {
    const { code, form } = await issueCode(auth, web);
    const { access_token, refresh_token } = await granted();
    const { device_code } = (await device()).body;
    const respelt = (text: string) => [
      ...[1, 2, 4, 10, 40].map((cut) => text.slice(0, -cut)),
      text.slice(1),
      ...['=', '==', 'A', '\n', '.', '%'].map((end) => text + end),
      ` ${text}`,
      text.toUpperCase(),
      text.replace(/.$/, (last) => String.fromCharCode(last.charCodeAt(0) + 1)),
    ];
    for (const value of respelt(code))
      expect(error(await token({ ...form, code: value }))).toEqual(invalidGrant);
    for (const value of respelt(String(refresh_token)))
      expect(error(await token(refreshing(value)))).toEqual(invalidGrant);
    for (const value of respelt(String(device_code))) {
      const poll = { grant_type: deviceGrant, client_id: web, device_code: value };
      expect(error(await token(poll))).toEqual(invalidGrant);
    }
    for (const value of respelt(String(access_token))) {
      expect(await introspect(value)).toEqual({ active: false });
      if (value.trim() === value) expect(await userinfo(value)).not.toBe(200);
    }
    expect([await userinfo(access_token), (await token(form)).status]).toEqual([200, 200]);
  });

  test('A client assertion is never accepted twice, at any endpoint or process (CVE-2020-5300).', async () => {
    const signer = await Signatory.create('any');
    const { client } = await register(auth, {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope: 'users:read',
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: signer.jwks,
    } as object);
    const id = client.clientId;
    const claims = { iss: id, sub: id, aud: auth.issuer('demo'), exp: Math.floor(Date.now() / 1000) + 60 };
    const fields = {
      client_assertion_type: assertionType,
      client_assertion: await signer.assertion(claims),
    };
    const request = { ...fields, grant_type: 'client_credentials' };
    const answers = await Promise.all([auth, twin].map((at) => token(request, {}, at)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 401]);
    expect((await auth.post('/t/demo/introspect', { ...fields, token: 'x' })).status).toBe(401);
  });
});
