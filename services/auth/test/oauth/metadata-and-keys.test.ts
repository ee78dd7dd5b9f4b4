import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import * as client from 'openid-client';
import {
  claimsOf,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  startAuth,
} from '../support/running-auth.ts';
import { auth, backend, setUpTwoProcesses, twin } from '../support/two-processes.ts';

setUpTwoProcesses();

const jwks = async (at = auth, tenant = 'demo') =>
  (await at.get(`/t/${tenant}/jwks`)).body as unknown as JSONWebKeySet;

describe('metadata', () => {
  const oidc = '/t/demo/.well-known/openid-configuration';
  const rfc8414 = '/.well-known/oauth-authorization-server/t/demo';

  test('The metadata is the same at every address.', async () => {
    const [a, b] = [await auth.get(oidc), await auth.get(rfc8414)];
    expect(a.status).toBe(200);
    expect(a.body).toEqual(b.body);
    // Nimbus appends the well-known part that RFC 8414 inserts.
    expect((await auth.get('/t/demo/.well-known/oauth-authorization-server')).body).toEqual(a.body);
    expect(a.body).toMatchObject({
      issuer: auth.issuer('demo'),
      token_endpoint: `${auth.issuer('demo')}/token`,
      code_challenge_methods_supported: ['S256'],
      grant_types_supported: expect.arrayContaining([
        'authorization_code',
        'refresh_token',
        'client_credentials',
        'urn:ietf:params:oauth:grant-type:device_code',
      ]),
      authorization_response_iss_parameter_supported: true,
    });
  });

  test('Every endpoint that the metadata names exists.', async () => {
    const { body } = await auth.get(oidc);
    for (const [name, address] of Object.entries(body).filter(([name]) =>
      /_endpoint$|^jwks_uri$/.test(name),
    )) {
      const [get, post] = [await fetch(String(address)), await fetch(String(address), { method: 'POST' })];
      expect([name, get.status === 404 && post.status === 404]).toEqual([name, false]);
    }
  });

  test('The metadata is not derived from the Host header.', async () => {
    const { body } = await auth.get(oidc, {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
    });
    expect(JSON.stringify(body)).not.toContain('evil.example');
  });

  test('An unknown tenant has no metadata, and the platform has its own.', async () => {
    for (const tenant of ['nobody', 'no%2Fbody', 'DEMO']) {
      expect((await auth.get(`/t/${tenant}/.well-known/openid-configuration`)).status).toBe(404);
      expect((await auth.get(`/t/${tenant}/jwks`)).status).toBe(404);
    }
    const platform = await auth.get('/t/platform/.well-known/openid-configuration');
    expect(platform.body).not.toHaveProperty('authorization_endpoint');
  });
});

describe('client libraries', () => {
  test('The library openid-client completes discovery, client_credentials, introspection and revocation.', async () => {
    const { client: registered, clientSecret } = await register(auth, {
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope: 'users:read',
    });
    const config = await client.discovery(
      new URL(auth.issuer('demo')),
      registered.clientId,
      {},
      client.ClientSecretBasic(clientSecret),
      { execute: [client.allowInsecureRequests] },
    );
    const tokens = await client.clientCredentialsGrant(config, { scope: 'users:read' });
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: true });
    await client.tokenRevocation(config, tokens.access_token);
    expect(await client.tokenIntrospection(config, tokens.access_token)).toMatchObject({ active: false });
  });

  test('The library oauth4webapi completes code exchange with ID token checks, userinfo, refresh and at_hash.', async () => {
    const { client: registered } = await register(auth, publicClient);
    const insecure = { [oauth.allowInsecureRequests]: true };
    const issuer = new URL(auth.issuer('demo'));
    const as = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure }),
    );
    const self: oauth.Client = { client_id: registered.clientId };
    const issued = await issueCode(auth, registered.clientId);
    const callback = new URL(
      `http://127.0.0.1/callback?code=${issued.code}&iss=${encodeURIComponent(as.issuer)}`,
    );
    const parameters = oauth.validateAuthResponse(as, self, callback, oauth.expectNoState);
    const response = await oauth.authorizationCodeGrantRequest(
      as,
      self,
      oauth.None(),
      parameters,
      String(issued.form.redirect_uri),
      issued.codeVerifier,
      insecure,
    );
    const tokens = await oauth.processAuthorizationCodeResponse(as, self, response, {
      expectedNonce: 'n-1',
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(as, response, insecure);
    const userinfo = await oauth.userInfoRequest(as, self, tokens.access_token, insecure);
    const claims = await oauth.processUserInfoResponse(as, self, issued.person.subjectId, userinfo);
    expect(claims.name).toBe('Alice Adams');
    const refreshed = await oauth.refreshTokenGrantRequest(
      as,
      self,
      oauth.None(),
      tokens.refresh_token ?? '',
      insecure,
    );
    expect((await oauth.processRefreshTokenResponse(as, self, refreshed)).refresh_token).toBeDefined();
  });
});

describe('signing keys', () => {
  test('Each tenant has its own keys and publishes only their public parts.', async () => {
    const [demo, rival] = [await jwks(), await jwks(auth, 'rival')];
    expect(demo.keys.map((key) => key.alg).sort()).toEqual(['ES256', 'RS256']);
    const ids = [...demo.keys, ...rival.keys].map((key) => key.kid);
    expect(new Set(ids).size).toBe(4);
    for (const key of demo.keys) {
      expect(key.use).toBe('sig');
      for (const secret of ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k']) expect(key).not.toHaveProperty(secret);
    }
  });

  test('Parallel first uses in two processes create one set of keys.', async () => {
    backend.directory.tenants.set('young', { id: 'young', name: 'young', status: 'active' });
    const sets = await Promise.all(
      Array.from({ length: 10 }, (_, index) => jwks(index % 2 ? auth : twin, 'young')),
    );
    expect(new Set(sets.map((set) => JSON.stringify(set.keys.map((key) => key.kid).sort()))).size).toBe(1);
    expect(sets[0]?.keys).toHaveLength(2);
  });

  test('An unknown tenant gets no signing keys.', async () => {
    const stranger = `${Buffer.from('{"alg":"ES256","typ":"at+jwt","kid":"x"}').toString('base64url')}.${Buffer.from(JSON.stringify({ iss: auth.issuer('stranger') })).toString('base64url')}.AAAA`;
    await expect(auth.deps.verifier.verify(stranger, { audience: 'x' })).rejects.toMatchObject({
      error: 'invalid_token',
    });
    const { rows } = await auth.database.sql.query(
      "SELECT 1 FROM auth.signing_keys WHERE tenant = 'stranger'",
    );
    expect(rows).toEqual([]);
  });

  test('Private keys are encrypted and bound to their row.', async () => {
    const { rows } = await auth.database.sql.query<{ kid: string; private_jwk: Buffer }>(
      "SELECT kid, private_jwk FROM auth.signing_keys WHERE tenant = 'demo'",
    );
    for (const row of rows) expect(row.private_jwk.toString('latin1')).not.toContain('"d"');
    await auth.database.sql.query(
      `INSERT INTO auth.signing_keys (tenant, kid, alg, state, public_jwk, private_jwk)
       SELECT 'copied', kid, alg, state, public_jwk, private_jwk FROM auth.signing_keys WHERE tenant = 'demo'`,
    );
    await expect(auth.deps.signingKeys.signer('copied', 'ES256')).rejects.toThrow();
  });

  test('At rotation, a key is published before it signs and stays published after it retires, in every process.', async () => {
    const { client: registered, clientSecret = '' } = await register(auth, {
      grant_types: ['client_credentials'],
      redirect_uris: [],
    });
    const own = { basic: [registered.clientId, clientSecret] as const };
    const issue = async (at = auth) =>
      String((await at.post('/t/demo/token', { grant_type: 'client_credentials' }, own)).body.access_token);
    const kidOf = (token: string) =>
      (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string }).kid;

    const before = await issue();
    expect(await auth.deps.signingKeys.prepare('demo', ['ES256'])).toBe(true);
    const published = await jwks();
    expect(published.keys).toHaveLength(3);
    expect(kidOf(await issue())).toBe(kidOf(before));

    expect(await auth.deps.signingKeys.promote('demo', 'ES256', 0)).toBe(true);
    const after = await issue();
    expect(kidOf(after)).not.toBe(kidOf(before));
    expect(published.keys.map((key) => key.kid)).toContain(kidOf(after));
    const log = await auth.database.sql.query(
      "SELECT actor, changes FROM auth.security_log WHERE action = 'signing_key.activated' AND resource_id = $1",
      [kidOf(after)],
    );
    expect(log.rows).toEqual([
      { actor: { kind: 'system', id: 'auth' }, changes: { alg: { after: 'ES256' } } },
    ]);
    await eventually(async () => kidOf(await issue(twin)) === kidOf(after));
    // Verifiers that fetched the set after the first step or later accept both.
    for (const set of [published, await jwks(), await jwks(twin)]) {
      for (const token of [before, after]) await jwtVerify(token, createLocalJWKSet(set));
    }
    await auth.database.sql.query(
      "UPDATE auth.signing_keys SET retired_at = now() - interval '25 hours' WHERE kid = $1",
      [kidOf(before)],
    );
    const fresh = await startAuth(backend, { publicOrigin: auth.origin });
    try {
      expect((await jwks(fresh)).keys.map((key) => key.kid)).not.toContain(kidOf(before));
    } finally {
      await fresh.stop();
    }
  });

  test('No verification fails while keys rotate under load.', async () => {
    const { client: registered, clientSecret = '' } = await register(auth, {
      grant_types: ['client_credentials'],
      redirect_uris: [],
    });
    const own = { basic: [registered.clientId, clientSecret] as const };
    let rotating = true;
    const verified = [0, 0];
    const load = async (at: RunningAuth, index: number) => {
      for (let count = 0; rotating; count += 1) {
        const token = String(
          (await at.post('/t/demo/token', { grant_type: 'client_credentials' }, own)).body.access_token,
        );
        const verifier = count % 2 ? auth : twin;
        await verifier.deps.verifier.verify(token, { audience: auth.issuer('demo') });
        verified[index] = count + 1;
      }
    };
    const loads = Promise.all([load(auth, 0), load(twin, 1)]);
    for (let step = 0; step < 4; step += 1) {
      if (step % 2) await auth.deps.signingKeys.promote('demo', 'ES256', 0);
      else await auth.deps.signingKeys.prepare('demo', ['ES256']);
      // Continues after each verifier has verified with the current keys.
      const before = [...verified];
      const some = eventually(async () =>
        verified.every((count, index) => count >= (before[index] ?? 0) + 4),
      );
      await Promise.all([some, new Promise((resolve) => setTimeout(resolve, 150))]);
    }
    rotating = false;
    await loads;
  });

  test('A valid ID token hint is read, and a hint that is broken or of another tenant is rejected.', async () => {
    const { client: registered } = await register(auth, publicClient);
    const { form, person } = await issueCode(auth, registered.clientId);
    const { body } = await auth.post('/t/demo/token', form);
    const hint = String(body.id_token);
    expect(await auth.deps.idTokens.readHint('demo', hint)).toEqual({
      subject: person.subjectId,
      clientId: registered.clientId,
      sessionId: person.sessionId,
      expiresAt: claimsOf(hint).exp,
    });
    for (const bad of ['x', `${hint}A`, String(body.access_token)])
      expect(await auth.deps.idTokens.readHint('demo', bad)).toBeNull();
    expect(await auth.deps.idTokens.readHint('rival', hint)).toBeNull();
  });
});
