import { describe, expect, test } from '@jest/globals';
import { Prover } from '@ostiary/access/testing';
import { decodeProtectedHeader, UnsecuredJWT } from 'jose';
import { assertionType } from '../../../src/clients/domain/assertions/client-assertion.ts';
import { claimsFor, newKey, now, signed } from '../../support/asserting.ts';
import {
  asserted,
  callback,
  clientId,
  codeVerifier,
  key,
  machine,
  newCode,
  profile,
  proven,
  prover,
  push,
  redeem,
  refresh,
  setUpFapi2Client,
} from '../../support/fapi2-client.ts';
import { initialToken, send } from '../../support/registering.ts';
import { challenge, claimsOf, register, verifier } from '../../support/running-auth.ts';
import { Browser } from '../../support/sign-in/browser.ts';
import { signedInBrowser } from '../../support/signed-in-browser.ts';
import { auth, backend, twin } from '../../support/two-processes.ts';

setUpFapi2Client();

describe('registration under the profile', () => {
  test('The registration sets the members for which the profile allows one value only.', async () => {
    const { client } = await register(auth, profile([key]));
    expect(client).toMatchObject({ type: 'confidential', idTokenSignedResponseAlg: 'PS256' });
    expect(client.metadata).toMatchObject({
      client_profile: 'fapi2',
      dpop_bound_access_tokens: true,
      require_pushed_authorization_requests: true,
      introspection_signed_response_alg: 'PS256',
    });
  });

  const contradictions: [string, object][] = [
    ['a public client', { token_endpoint_auth_method: 'none', jwks: undefined }],
    ['a secret', { token_endpoint_auth_method: 'client_secret_basic', jwks: undefined }],
    ['a secret that signs', { token_endpoint_auth_method: 'client_secret_jwt', jwks: undefined }],
    ['RS256 assertions', { token_endpoint_auth_signing_alg: 'RS256' }],
    ['ES384 assertions', { token_endpoint_auth_signing_alg: 'ES384' }],
    ['RS256 ID tokens', { id_token_signed_response_alg: 'RS256' }],
    ['RS256 userinfo', { userinfo_signed_response_alg: 'RS256' }],
    ['RS256 introspection', { introspection_signed_response_alg: 'RS256' }],
    ['RS256 request objects', { request_object_signing_alg: 'RS256' }],
    ['unsigned request objects', { request_object_signing_alg: 'none' }],
    ['http redirect URIs', { redirect_uris: ['http://127.0.0.1/cb'] }],
    [
      'redirect URIs with a scheme of their own',
      { application_type: 'native', redirect_uris: ['com.example.app:/cb'] },
    ],
    ['no PKCE', { require_pkce: false }],
    ['the device flow', { grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] }],
    ['a profile that nobody knows', { client_profile: 'fapi1' }],
  ];
  test.each(contradictions)('A registration with %s is rejected under the profile.', async (_, changes) => {
    const metadata = JSON.parse(JSON.stringify(profile([key], changes))) as object;
    await expect(register(auth, metadata)).rejects.toMatchObject({ code: 'invalid_client_metadata' });
  });

  test('A registration with keys for another algorithm is rejected under the profile.', async () => {
    const rs = await newKey('RS256');
    await expect(register(auth, profile([rs]))).rejects.toMatchObject({ code: 'invalid_client_metadata' });
  });

  test('A client may adopt the profile itself but cannot leave it itself.', async () => {
    const { body } = await send('POST', '/t/demo/register', await initialToken(), {
      client_name: 'Bank app',
      client_profile: 'fapi2',
      token_endpoint_auth_method: 'private_key_jwt',
      jwks: { keys: [key.jwk] },
      redirect_uris: [callback],
    });
    expect(body).toMatchObject({ client_profile: 'fapi2', dpop_bound_access_tokens: true });
    const { status } = await send(
      'PUT',
      String(body.registration_client_uri),
      String(body.registration_access_token),
      {
        client_id: body.client_id,
        client_name: 'Bank app',
        redirect_uris: [callback],
        token_endpoint_auth_method: 'client_secret_basic',
      },
    );
    expect(status).toBe(400);
    const kept = await send(
      'GET',
      String(body.registration_client_uri),
      String(body.registration_access_token),
    );
    expect(kept.body.client_profile).toBe('fapi2');
  });
});

describe('client assertions', () => {
  test.each<[string, () => unknown, number]>([
    ['the issuer', () => auth.issuer('demo'), 200],
    ['the issuer in a list', () => [auth.issuer('demo')], 401],
    ['the token endpoint', () => `${auth.issuer('demo')}/token`, 401],
    ['a list of issuer and token endpoint', () => [auth.issuer('demo'), `${auth.issuer('demo')}/token`], 401],
    ['another issuer', () => auth.issuer('rival'), 401],
  ])(
    'A client assertion meant for %s is accepted only if that is the issuer as a single string.',
    async (_, aud, status) => {
      expect((await machine({}, { aud: aud() })).status).toBe(status);
    },
  );

  test.each(['PS256', 'ES256', 'EdDSA', 'RS256', 'PS384', 'ES384'])(
    'A client assertion signed with %s is accepted only if the profile allows the algorithm.',
    async (alg) => {
      const known = ['PS256', 'ES256', 'EdDSA'].includes(alg);
      const by = await newKey(alg);
      const { alg: _alg, ...jwk } = by.jwk;
      const { client } = await register(auth, profile([{ ...by, jwk }]));
      const answer = await proven('/t/demo/token', async () => ({
        grant_type: 'client_credentials',
        client_assertion_type: assertionType,
        client_assertion: await signed(claimsFor(client.clientId), by),
      }));
      expect(answer.status).toBe(known ? 200 : 401);
    },
  );

  // Relative to the request: a time from the table would be too old.
  test.each<[string, 'iat' | 'nbf', number, number]>([
    ['iat eight seconds in the future', 'iat', 8, 200],
    ['nbf eight seconds in the future', 'nbf', 8, 200],
    ['iat more than a minute in the future', 'iat', 75, 401],
    ['nbf more than a minute in the future', 'nbf', 75, 401],
  ])(
    'A client assertion with %s is accepted only within the clock tolerance.',
    async (_, claim, seconds, status) => {
      expect((await machine({}, { [claim]: now() + seconds })).status).toBe(status);
    },
  );
});

describe('tokens are bound to a key', () => {
  test('A token request without a DPoP proof is rejected, and an issued token is bound to its key.', async () => {
    const bare = await auth.post('/t/demo/token', {
      grant_type: 'client_credentials',
      ...(await asserted()),
    });
    expect([bare.status, bare.body.error]).toEqual([400, 'invalid_dpop_proof']);
    const { body } = await machine();
    expect(body.token_type).toBe('DPoP');
    expect(claimsOf(body.access_token).cnf).toEqual({ jkt: prover.jkt });
  });

  test.each(['PS256', 'EdDSA', 'RS256', 'ES384'])(
    'A proof with %s is accepted only if the profile allows the algorithm.',
    async (alg) => {
      const by = await Prover.create(alg);
      const answer = await proven(
        '/t/demo/token',
        async () => ({ grant_type: 'client_credentials', ...(await asserted()) }),
        by,
      );
      expect(answer.status).toBe(['PS256', 'EdDSA'].includes(alg) ? 200 : 400);
    },
  );
});

describe('the authorization request', () => {
  test('An authorization request that was not pushed is rejected.', async () => {
    const query = new URLSearchParams({
      client_id: clientId,
      response_type: 'code',
      redirect_uri: callback,
      scope: 'openid',
      code_challenge: challenge(codeVerifier),
      code_challenge_method: 'S256',
    });
    const { location } = await (await signedInBrowser(auth)).get(`/t/demo/authorize?${query}`);
    expect(new URL(location ?? '').searchParams.get('error')).toBe('invalid_request');
  });

  test('A pushed request without redirect URI, PKCE with S256 or client authentication is rejected.', async () => {
    expect((await push({ redirect_uri: undefined })).body.error).toBe('invalid_request');
    expect((await push({ code_challenge: undefined })).body.error).toBe('invalid_request');
    expect((await push({ code_challenge_method: 'plain' })).body.error).toBe('invalid_request');
    expect((await push({ client_assertion: undefined, client_assertion_type: undefined })).status).toBe(401);
  });

  test('A pushed request with a nonce of 64 characters and a state of a thousand is accepted.', async () => {
    const nonce = 'n'.repeat(64);
    const { status, body } = await push({ nonce, state: 's'.repeat(1_000) });
    expect([status, body.error]).toEqual([201, undefined]);
  });

  test('The lifetime of a pushed request is less than ten minutes, and the response names the issuer.', async () => {
    expect((await push()).body.expires_in).toBeLessThan(600);
    const answer = await newCode();
    expect(answer.searchParams.get('iss')).toBe(auth.issuer('demo'));
  });
});

test('The authorization endpoint redirects with 303 and is not readable from another origin.', async () => {
  const { body } = await push();
  const query = new URLSearchParams({ client_id: clientId, request_uri: String(body.request_uri) });
  const answer = await (await signedInBrowser(auth)).get(`/t/demo/authorize?${query}`, {
    origin: 'https://evil.example',
  });
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([303, null]);
});

describe('a request object that is pushed (FAPI 2.0 Message Signing §5.3.1)', () => {
  const asked = (changes: object = {}) => ({
    iss: clientId,
    aud: auth.issuer('demo'),
    nbf: now(),
    exp: now() + 60,
    client_id: clientId,
    response_type: 'code',
    redirect_uri: callback,
    scope: 'openid profile',
    code_challenge: challenge(codeVerifier),
    code_challenge_method: 'S256',
    ...changes,
  });
  const pushObject = (request: string) =>
    proven('/t/demo/par', async () => ({ ...(await asserted()), client_id: clientId, request }));

  test('A signed request object leads to a code, and one without nbf or exp is rejected.', async () => {
    const { status, body } = await pushObject(await signed(asked(), key));
    expect([status, body.error]).toEqual([201, undefined]);
    const query = new URLSearchParams({ client_id: clientId, request_uri: String(body.request_uri) });
    const { location } = await (await signedInBrowser(auth)).get(`/t/demo/authorize?${query}`);
    expect(location).toContain('code=');
    for (const without of [{ exp: undefined }, { nbf: undefined }]) {
      const claims = JSON.parse(JSON.stringify(asked(without))) as Record<string, unknown>;
      expect((await pushObject(await signed(claims, key))).body.error).toBe('invalid_request_object');
    }
  });

  test.each(['RS256', 'PS384', 'none'])(
    'A request object with the algorithm %s is rejected.',
    async (alg) => {
      const object =
        alg === 'none'
          ? new UnsecuredJWT(asked()).encode()
          : await signed(asked(), await newKey(alg, key.alg));
      expect((await pushObject(object)).body.error).toBe('invalid_request_object');
    },
  );

  test('A request object at the authorization endpoint is rejected, since it must be pushed.', async () => {
    const query = new URLSearchParams({ client_id: clientId, request: await signed(asked(), key) });
    const { location } = await (await signedInBrowser(auth)).get(`/t/demo/authorize?${query}`);
    expect(new URL(location ?? '').searchParams.get('error')).toBe('invalid_request');
  });
});

describe('codes and refresh tokens', () => {
  test('The lifetime of a code is at most a minute, regardless of the configuration.', async () => {
    const issued: (number | undefined)[] = [];
    const codes = auth.deps.authorizationCodes;
    const issue = codes.issue.bind(codes);
    codes.issue = (request, longest) => {
      issued.push(longest);
      return issue(request, longest);
    };
    try {
      await newCode();
    } finally {
      codes.issue = issue;
    }
    expect(issued).toEqual([60]);
    const keys = await auth.deps.redis.keys(`${backend.prefix}:authorization_code:*`);
    for (const name of keys) expect(await auth.deps.redis.ttl(name)).toBeLessThanOrEqual(600);
  });

  test('A missing verifier, a wrong verifier or another key is rejected with invalid_grant.', async () => {
    const code = (await newCode()).searchParams.get('code') ?? '';
    expect((await redeem(code, { code_verifier: undefined })).body.error).toBe('invalid_grant');
    expect((await redeem(code, { code_verifier: verifier() })).body.error).toBe('invalid_grant');
    expect((await redeem(code, {}, await Prover.create())).body.error).toBe('invalid_grant');
    const { status, body } = await redeem(code);
    expect(status).toBe(200);
    expect(decodeProtectedHeader(String(body.id_token)).alg).toBe('PS256');
  });

  test('A refresh token is not rotated: twenty parallel uses at two processes all succeed, and it stays valid.', async () => {
    const code = (await newCode()).searchParams.get('code') ?? '';
    const { refresh_token: token } = (await redeem(code)).body;
    const provers = await Promise.all(Array.from({ length: 20 }, () => prover));
    const answers = await Promise.all(provers.map((by, i) => refresh(token, by, i % 2 ? auth : twin)));
    for (const { status, body } of answers) {
      expect([status, body.refresh_token]).toEqual([200, undefined]);
      expect(claimsOf(body.access_token).cnf).toEqual({ jkt: prover.jkt });
    }
    expect((await refresh(token)).status).toBe(200);
  });

  test('A refresh token of another client is rejected.', async () => {
    const code = (await newCode()).searchParams.get('code') ?? '';
    const { refresh_token: token } = (await redeem(code)).body;
    const other = (await register(auth, profile([key]))).client.clientId;
    const stolen = await proven('/t/demo/token', async () => ({
      grant_type: 'refresh_token',
      client_assertion_type: assertionType,
      client_assertion: await signed(claimsFor(other), key),
      refresh_token: String(token),
    }));
    expect(stolen.body.error).toBe('invalid_grant');
  });

  test('The tokens that a client got without a key are revoked when it adopts the profile.', async () => {
    const { client, clientSecret } = await register(auth, {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope: 'users:read',
    });
    const basic = [client.clientId, clientSecret ?? ''] as const;
    const { body } = await auth.post('/t/demo/token', { grant_type: 'client_credentials' }, { basic });
    await auth.deps.clientRegistry.update('demo', client.clientId, (current) => ({
      ...current,
      ...profile([key]),
      response_types: ['code'],
      scope: 'openid users:read',
      id_token_signed_response_alg: 'PS256',
    }));
    expect(await auth.deps.introspection.liveAccessToken('demo', String(body.access_token))).toBeNull();
  });
});

describe('a tenant that requires the profile', () => {
  const demand = async (requiredClientProfile: string) => {
    await auth.database.sql.query('UPDATE auth.tenants SET policy = $1 WHERE id = $2', [
      JSON.stringify({ requiredClientProfile }),
      'rival',
    ]);
    for (const process of [auth, twin]) process.deps.tenants.forget('rival');
  };

  test('A tenant that requires the profile rejects the registration of other clients and serves no existing ones.', async () => {
    const old = await register(
      auth,
      { grant_types: ['client_credentials', 'authorization_code'], scope: 'openid users:read' },
      'rival',
    );
    const basic = [old.client.clientId, old.clientSecret ?? ''] as const;
    const ask = () => auth.post('/t/rival/token', { grant_type: 'client_credentials' }, { basic });
    expect((await ask()).status).toBe(200);
    await demand('fapi2');
    try {
      expect((await ask()).body.error).toBe('unauthorized_client');
      const par = await auth.post('/t/rival/par', { response_type: 'code' }, { basic });
      expect(par.body.error).toBe('unauthorized_client');
      const query = new URLSearchParams({
        client_id: old.client.clientId,
        response_type: 'code',
        redirect_uri: 'https://app.example/cb',
      });
      const page = await new Browser(auth.origin).get(`/t/rival/authorize?${query}`);
      expect(new URL(page.location ?? '').searchParams.get('error')).toBe('unauthorized_client');
      await expect(register(auth, {}, 'rival')).rejects.toMatchObject({ code: 'invalid_client_metadata' });
      await expect(
        register(auth, profile([key], { client_profile: 'standard' }), 'rival'),
      ).rejects.toMatchObject({ code: 'invalid_client_metadata' });
      const unnamed = await register(auth, profile([key], { client_profile: undefined }), 'rival');
      expect(unnamed.client.metadata.client_profile).toBe('fapi2');
      const revoke = await auth.post('/t/rival/revoke', { token: 'x' }, { basic });
      expect(revoke.status).toBe(200);
      const itself = await initialToken({ tenant: 'rival' });
      const refused = await send('POST', '/t/rival/register', itself, { redirect_uris: [callback] });
      expect(refused.body.error).toBe('invalid_client_metadata');
    } finally {
      await demand('standard');
    }
    expect((await ask()).status).toBe(200);
    expect((await machine()).status).toBe(200);
  });
});
