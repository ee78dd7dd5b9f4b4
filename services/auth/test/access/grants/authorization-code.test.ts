import { beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose';
import {
  claimsOf,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  startAuth,
  verifier,
} from '../../support/running-auth.ts';
import { auth, backend, setUpTwoProcesses, twin } from '../../support/two-processes.ts';

setUpTwoProcesses();

let web: string;
let webapp: { id: string; secret: string };
let api: readonly [string, string];

beforeAll(async () => {
  web = (await register(auth, { ...publicClient, resources: ['https://api.example'] })).client.clientId;
  const confidential = await register(auth, {
    ...publicClient,
    token_endpoint_auth_method: 'client_secret_basic',
    redirect_uris: ['https://app.example/cb'],
  });
  webapp = { id: confidential.client.clientId, secret: confidential.clientSecret ?? '' };
  const resourceServer = await register(auth, {
    grant_types: ['client_credentials'],
    redirect_uris: [],
    protected_resources: ['urn:ostiary:tenant-api', 'https://api.example'],
  });
  api = [resourceServer.client.clientId, resourceServer.clientSecret ?? ''];
});

type Fields = Parameters<RunningAuth['post']>[1];
const redeem = (form: Fields, o?: Parameters<RunningAuth['post']>[2], at = auth) =>
  at.post('/t/demo/token', form, o);
const isActive = async (token: unknown) =>
  (await auth.post('/t/demo/introspect', { token: String(token) }, { basic: api })).body.active;
const refresh = (token: unknown, client = web) =>
  auth.post('/t/demo/token', {
    grant_type: 'refresh_token',
    refresh_token: String(token),
    client_id: client,
  });
const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };

describe('redemption', () => {
  test('A redemption returns an access, a refresh and an ID token that all verify with the published keys.', async () => {
    const issued = await issueCode(auth, web);
    const { status, headers, body } = await redeem(issued.form);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({
      token_type: 'Bearer',
      expires_in: 600,
      scope: 'openid profile email offline_access',
    });
    const keys = createLocalJWKSet((await auth.get('/t/demo/jwks')).body as unknown as JSONWebKeySet);
    const access = await jwtVerify(String(body.access_token), keys, { typ: 'at+jwt', algorithms: ['ES256'] });
    expect(access.payload).toMatchObject({
      iss: auth.issuer('demo'),
      aud: auth.issuer('demo'),
      sub: issued.person.subjectId,
      sid: issued.person.sessionId,
      client_id: web,
      sub_epoch: 0,
      client_epoch: 0,
      grant_id: expect.any(String),
      auth_time: expect.any(Number),
      jti: expect.any(String),
    });
    const id = await jwtVerify(String(body.id_token), keys, { algorithms: ['RS256'], audience: web });
    expect(id.payload).toMatchObject({
      iss: auth.issuer('demo'),
      sub: issued.person.subjectId,
      nonce: 'n-1',
      azp: web,
      amr: ['pwd'],
      auth_time: expect.any(Number),
      at_hash: expect.stringMatching(/^[\w-]{22}$/),
      sid: issued.person.sessionId,
    });
    expect(await isActive(body.access_token)).toBe(true);
  });

  test('A redemption returns no ID token without openid, and no refresh token without the refresh_token grant.', async () => {
    const other = await register(auth, { ...publicClient, grant_types: ['authorization_code'] });
    const { body } = await redeem(
      (await issueCode(auth, other.client.clientId, { scopes: ['profile'] })).form,
    );
    expect(Object.keys(body).sort()).toEqual(['access_token', 'expires_in', 'scope', 'token_type']);
  });

  test('The ID token is signed with the algorithm that the client registered.', async () => {
    const other = await register(auth, { ...publicClient, id_token_signed_response_alg: 'EdDSA' });
    const { body } = await redeem((await issueCode(auth, other.client.clientId)).form);
    const keys = createLocalJWKSet((await auth.get('/t/demo/jwks')).body as unknown as JSONWebKeySet);
    await jwtVerify(String(body.id_token), keys, { algorithms: ['EdDSA'] });
  });

  test('API scopes are granted to a user only through a role.', async () => {
    const scopes = ['openid', 'users:read'];
    const plain = await redeem((await issueCode(auth, web, { scopes })).form);
    expect(plain.body.scope).toBe('openid');
    const admin = await redeem((await issueCode(auth, web, { scopes, roles: ['tenant_admin'] })).form);
    expect(admin.body.scope).toBe('openid users:read');
  });

  test('The granted resource is the audience, and a resource that was not granted is rejected with invalid_target.', async () => {
    const granted = await issueCode(auth, web, { resources: ['https://api.example'] });
    expect((await redeem({ ...(granted.form as object), resource: auth.issuer('demo') })).body.error).toBe(
      'invalid_target',
    );
    const again = await issueCode(auth, web, { resources: ['https://api.example'] });
    expect(claimsOf((await redeem(again.form)).body.access_token).aud).toBe('https://api.example');
    const plain = await issueCode(auth, web);
    expect((await redeem({ ...(plain.form as object), resource: 'https://api.example' })).body.error).toBe(
      'invalid_target',
    );
  });

  test('The redirect_uri may be omitted if the authorization request omitted it, and must match otherwise.', async () => {
    const { form } = await issueCode(auth, web, { redirectUriSent: false });
    const { redirect_uri: uri, ...without } = form;
    expect(await redeem({ ...without, redirect_uri: `${uri}x` })).toMatchObject(invalidGrant);
    expect((await redeem(without)).status).toBe(200);
  });
});

describe('values that must match', () => {
  let issued: Awaited<ReturnType<typeof issueCode>>;
  beforeEach(async () => {
    issued = await issueCode(auth, web);
  });
  const refusedThenRedeemed = async (change: Record<string, string | undefined>, error: object) => {
    expect(await redeem({ ...issued.form, ...change })).toMatchObject(error);
    expect((await redeem(issued.form)).status).toBe(200);
  };

  test('A code with a wrong verifier is rejected and stays unconsumed.', () =>
    refusedThenRedeemed({ code_verifier: verifier() }, invalidGrant));
  test('A code whose redirect URI differs in one byte is rejected and stays unconsumed.', () =>
    refusedThenRedeemed({ redirect_uri: 'http://127.0.0.1:8123/Callback' }, invalidGrant));
  test('A code whose redirect URI has another port is rejected and stays unconsumed.', () =>
    refusedThenRedeemed({ redirect_uri: 'http://127.0.0.1:8124/callback' }, invalidGrant));
  test('A code without the redirect URI that was sent before is rejected and stays unconsumed.', () =>
    refusedThenRedeemed({ redirect_uri: undefined }, invalidGrant));
  test('A code presented by another client is rejected and stays unconsumed.', async () => {
    const other = (await register(auth, publicClient)).client.clientId;
    await refusedThenRedeemed({ client_id: other }, invalidGrant);
  });
  test('A code presented at another tenant is rejected and stays unconsumed.', async () => {
    await auth.deps.clientRegistry.register(
      'rival',
      { ...publicClient, client_name: 'Same id' },
      { clientId: web },
    );
    expect(await auth.post('/t/rival/token', issued.form)).toMatchObject(invalidGrant);
    expect((await redeem(issued.form)).status).toBe(200);
  });
  test('A missing verifier is rejected with invalid_request.', () =>
    refusedThenRedeemed({ code_verifier: undefined }, { status: 400, body: { error: 'invalid_request' } }));
  test.each(['a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(42)}!`, `${'a'.repeat(42)}é`])(
    'A verifier of invalid form is rejected with invalid_request: %s.',
    (code_verifier) =>
      refusedThenRedeemed({ code_verifier }, { status: 400, body: { error: 'invalid_request' } }),
  );
  test('The challenge itself is rejected as a verifier (plain is not S256).', async () => {
    const codeVerifier = verifier();
    const { form } = await issueCode(auth, web, { codeChallenge: codeVerifier });
    expect(await redeem({ ...form, code_verifier: codeVerifier })).toMatchObject(invalidGrant);
  });
  test('A changed, truncated or invented code is rejected.', async () => {
    const { code } = issued;
    for (const other of [
      `${code}A`,
      code.slice(0, -1),
      code.toLowerCase(),
      'oac_',
      '*',
      '{x}',
      `${code}\u200b`,
    ]) {
      expect(await redeem({ ...issued.form, code: other })).toMatchObject(invalidGrant);
    }
    expect((await redeem({ ...issued.form, code: undefined })).body.error).toBe('invalid_request');
  });
  test('A code is not accepted as a refresh token, nor a refresh token as a code.', async () => {
    expect(await refresh(issued.code)).toMatchObject(invalidGrant);
    const { body } = await redeem(issued.form);
    const other = await issueCode(auth, web);
    expect(await redeem({ ...other.form, code: String(body.refresh_token) })).toMatchObject(invalidGrant);
    expect(await redeem({ ...other.form, code: String(body.access_token) })).toMatchObject(invalidGrant);
  });
});

describe('ended users, sessions and tenants', () => {
  const change = (statement: string, ...values: unknown[]) => auth.database.sql.query(statement, values);

  test('A code of a user who was offboarded after its issue is rejected with invalid_grant.', async () => {
    const { form, person } = await issueCode(auth, web);
    await change('UPDATE auth.subjects SET active = false WHERE id = $1', person.subjectId);
    expect(await redeem(form)).toMatchObject(invalidGrant);
  });
  test('A code of a user who was offboarded and reactivated after its issue is rejected with invalid_grant.', async () => {
    const { form, person } = await issueCode(auth, web);
    await change('UPDATE auth.subjects SET epoch = epoch + 1 WHERE id = $1', person.subjectId);
    expect(await redeem(form)).toMatchObject(invalidGrant);
  });
  test('A code of a session that ended after its issue is rejected with invalid_grant.', async () => {
    const { form, person } = await issueCode(auth, web);
    await change('UPDATE auth.sessions SET revoked_at = now() WHERE id = $1', person.sessionId);
    expect(await redeem(form)).toMatchObject(invalidGrant);
  });
  test('A token request to a tenant that was suspended is rejected with 403.', async () => {
    backend.directory.tenants.set('halted', { id: 'halted', name: 'halted', status: 'suspended' });
    const machine = { grant_type: 'client_credentials', client_id: web };
    expect(await auth.post('/t/halted/token', machine)).toMatchObject({
      status: 403,
      body: { error: 'access_denied' },
    });
    expect((await auth.get('/t/halted/userinfo', { authorization: 'Bearer x' })).status).toBe(403);
    expect((await auth.get('/t/halted/jwks')).status).toBe(200);
  });
  test('An expired code is rejected with invalid_grant.', async () => {
    const brief = await startAuth(backend, { env: { AUTHORIZATION_CODE_TTL_SECONDS: '1' } });
    try {
      const { form } = await issueCode(brief, web);
      await new Promise((resolve) => setTimeout(resolve, 1_200));
      expect(await brief.post('/t/demo/token', form)).toMatchObject(invalidGrant);
    } finally {
      await brief.stop();
    }
  });
});

describe('concurrency', () => {
  test('A session that ends during the redemption of its code leaves no live refresh token.', async () => {
    for (let round = 0; round < 30; round += 1) {
      const { form, person } = await issueCode(auth, web);
      const [answer] = await Promise.all([redeem(form), twin.deps.sessions.revoke('demo', person.sessionId)]);
      if (answer.status !== 200) continue;
      expect(await isActive(answer.body.access_token)).toBe(false);
      expect(await refresh(answer.body.refresh_token)).toMatchObject(invalidGrant);
    }
  });
});

describe('unavailable stores', () => {
  test('Without Redis, codes are answered with 503 and Retry-After, and all other endpoints continue to work.', async () => {
    const lame = await startAuth(backend, { publicOrigin: auth.origin });
    try {
      const { form } = await issueCode(auth, web);
      lame.deps.redis.disconnect();
      const answer = await lame.post('/t/demo/token', form);
      expect(answer).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } });
      expect(answer.headers.get('retry-after')).toBe('1');
      const machine = { grant_type: 'client_credentials' };
      expect((await lame.post('/t/demo/token', machine, { basic: api })).status).toBe(200);
      // The process stays in rotation: otherwise verifiers could not read the revocation feed.
      expect(await lame.get('/readyz')).toMatchObject({
        status: 200,
        body: { status: 'degraded', dependencies: { redis: { status: 'down', required: false } } },
      });
      expect((await redeem(form)).status).toBe(200);
    } finally {
      await lame.stop();
    }
  });

  test('Without PostgreSQL, the token endpoint returns 503 and never a token.', async () => {
    const lame = await startAuth(backend, { publicOrigin: auth.origin });
    try {
      const { form } = await issueCode(auth, web);
      await lame.database.close();
      const answer = await lame.post('/t/demo/token', form);
      expect(answer).toMatchObject({ status: 503, body: { error: 'temporarily_unavailable' } });
      expect(JSON.stringify(answer.body)).not.toMatch(/postgres|pool|sql/i);
    } finally {
      await lame.stop().catch(() => {});
    }
  });
});

describe('reuse', () => {
  test('A second use of a code revokes the grant and all tokens issued from it.', async () => {
    const { form } = await issueCode(auth, web);
    const first = await redeem(form);
    const renewed = await refresh(first.body.refresh_token);
    expect(renewed.status).toBe(200);
    expect(await redeem(form)).toMatchObject(invalidGrant);
    expect(await isActive(first.body.access_token)).toBe(false);
    expect(await isActive(renewed.body.access_token)).toBe(false);
    expect(await refresh(renewed.body.refresh_token)).toMatchObject(invalidGrant);
    const verdict = auth.deps.verifier.verify(String(first.body.access_token), {
      audience: auth.issuer('demo'),
    });
    await expect(verdict).rejects.toMatchObject({ error: 'invalid_token' });
  });

  test('A replay by a confidential client counts even with a wrong verifier, by a public one only with the right one.', async () => {
    const own = { basic: [webapp.id, webapp.secret] as const };
    const confidential = await issueCode(auth, webapp.id, { redirectUri: 'https://app.example/cb' });
    const form = { ...confidential.form, client_id: undefined };
    const first = await redeem(form, own);
    expect(first.status).toBe(200);
    expect(await redeem({ ...form, code_verifier: verifier() }, own)).toMatchObject(invalidGrant);
    expect(await isActive(first.body.access_token)).toBe(false);

    const open = await issueCode(auth, web);
    const token = (await redeem(open.form)).body.access_token;
    expect(await redeem({ ...open.form, code_verifier: verifier() })).toMatchObject(invalidGrant);
    expect(await isActive(token)).toBe(true);
    expect(await redeem(open.form)).toMatchObject(invalidGrant);
    expect(await isActive(token)).toBe(false);
  });

  test('A second use by another client is rejected and revokes nothing.', async () => {
    const other = (await register(auth, publicClient)).client.clientId;
    const { form } = await issueCode(auth, web);
    const first = await redeem(form);
    expect(await redeem({ ...form, client_id: other })).toMatchObject(invalidGrant);
    expect(await isActive(first.body.access_token)).toBe(true);
  });

  test('Of 20 parallel redemptions over two processes, one succeeds, and its tokens are revoked.', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { form } = await issueCode(auth, web);
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => redeem(form, {}, index % 2 === 0 ? auth : twin)),
      );
      const successes = answers.filter((answer) => answer.status === 200);
      expect(successes).toHaveLength(1);
      expect(answers.filter((answer) => answer.body.error === 'invalid_grant')).toHaveLength(19);
      const [winner] = successes;
      expect(await isActive(winner?.body.access_token)).toBe(false);
      expect(await refresh(winner?.body.refresh_token)).toMatchObject(invalidGrant);
    }
  });

  test('A replay that completes before the first redemption still revokes its tokens.', async () => {
    const { form, code, person } = await issueCode(auth, web);
    const { PostgresGrantStore } = await import('../../../src/access/grants/data/grant-store.ts');
    const store = new PostgresGrantStore(auth.deps);
    // State of the first redemption at this point: the code is consumed. The replay then runs to its end.
    const redeemed = await auth.deps.authorizationCodes.redeem({
      tenant: 'demo',
      code,
      clientId: web,
      redirectUri: String(form.redirect_uri),
      codeChallenge: (await import('../../support/running-auth.ts')).challenge(String(form.code_verifier)),
      clientAuthenticated: false,
    });
    if (redeemed.outcome !== 'consumed') throw new Error(redeemed.outcome);
    expect(await redeem(form)).toMatchObject(invalidGrant);
    const opening = await store.open(redeemed.content, { lifetimeSeconds: 600 });
    expect(opening.outcome).toBe('stillborn');
    const live = await auth.deps.grants.listBySubjects('demo', [person.subjectId]);
    expect(live).toEqual([]);
  });
});

test('Authorization codes are not readable in Redis.', async () => {
  const { code } = await issueCode(auth, web);
  const keys = await auth.deps.redis.keys(`${backend.prefix}*`);
  expect(keys.length).toBeGreaterThan(0);
  expect(keys.join()).not.toContain(code);
  for (const key of keys) expect(await auth.deps.redis.ttl(key)).toBeGreaterThan(0);
});
