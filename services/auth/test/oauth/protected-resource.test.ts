import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import {
  type Backend,
  claimsOf,
  createBackend,
  issueCode,
  publicClient,
  type RunningAuth,
  register,
  startAuth,
} from '../support/running-auth.ts';

let backend: Backend;
let auth: RunningAuth;
let web: string;
let api: readonly [string, string];
let rivalApi: readonly [string, string];
let subjectId: string;
let tokens: Record<string, unknown>;

const machine = {
  grant_types: ['client_credentials'],
  redirect_uris: [],
  scope: 'users:read',
  protected_resources: ['urn:ostiary:tenant-api'],
};

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
  web = (await register(auth, { ...publicClient, resources: ['https://api.example'] })).client.clientId;
  const own = await register(auth, machine);
  api = [own.client.clientId, own.clientSecret ?? ''];
  const rival = await register(auth, machine, 'rival');
  rivalApi = [rival.client.clientId, rival.clientSecret ?? ''];
  const issued = await issueCode(auth, web);
  subjectId = issued.person.subjectId;
  tokens = (await auth.post('/t/demo/token', issued.form)).body;
});

afterAll(async () => {
  await auth?.stop();
  await backend?.drop();
});

const fresh = async (o: Parameters<typeof issueCode>[2] = {}) =>
  (await auth.post('/t/demo/token', (await issueCode(auth, web, o)).form)).body;
const bearer = (token: unknown) => ({ authorization: `Bearer ${token}` });
const forged = (change: (claims: Record<string, unknown>) => void, token = tokens.access_token) => {
  const parts = String(token).split('.');
  const claims = claimsOf(token);
  change(claims);
  return [parts[0], Buffer.from(JSON.stringify(claims)).toString('base64url'), parts[2]].join('.');
};

describe('userinfo', () => {
  const path = '/t/demo/userinfo';

  test('Userinfo returns the claims of the granted scopes by GET and by POST.', async () => {
    const expected = {
      sub: subjectId,
      name: 'Alice Adams',
      given_name: 'Alice',
      family_name: 'Adams',
      preferred_username: 'alice',
      locale: 'en-GB',
      updated_at: 1767323045,
      email: 'alice@example.com',
      email_verified: false,
    };
    const get = await auth.get(path, bearer(tokens.access_token));
    expect([get.status, get.body]).toEqual([200, expected]);
    expect(get.headers.get('cache-control')).toBe('no-store');
    const post = await auth.post(path, '', { headers: { ...bearer(tokens.access_token) } });
    expect(post.body).toEqual(expected);
    const form = await auth.post(path, { access_token: String(tokens.access_token) });
    expect(form.body).toEqual(expected);
    const narrow = await fresh({ scopes: ['openid'] });
    expect(Object.keys((await auth.get(path, bearer(narrow.access_token))).body)).toEqual(['sub']);
  });

  test('The groups claim comes from the directory.', async () => {
    const issued = await issueCode(auth, web, { scopes: ['openid', 'groups'] });
    backend.directory.groups.set(issued.person.subjectId, [{ value: '1', display: 'Staff' }]);
    const { body } = await auth.post('/t/demo/token', issued.form);
    expect((await auth.get(path, bearer(body.access_token))).body).toEqual({
      sub: issued.person.subjectId,
      groups: ['Staff'],
    });
  });

  test('A request without a token receives 401 with a bare challenge for each scheme.', async () => {
    const answer = await auth.get(path);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(
      new RegExp(`^Bearer realm="${auth.issuer('demo')}", DPoP realm="[^"]+", algs="ES256 `),
    );
    expect((await auth.get(path, { authorization: 'Basic eDp5' })).status).toBe(401);
  });

  test.each<[string, () => Promise<{ status: number; body: unknown; headers: Headers }>]>([
    ['in the query', () => auth.get(`${path}?access_token=${tokens.access_token}`)],
    [
      'in header and form',
      () =>
        auth.post(
          path,
          { access_token: String(tokens.access_token) },
          { headers: bearer(tokens.access_token) },
        ),
    ],
    ['twice in the form', () => auth.post(path, { access_token: ['a', 'a'] })],
  ])('A token %s receives 400 invalid_request.', async (_, send) => {
    const answer = await send();
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(answer.headers.get('www-authenticate')).toContain('error="invalid_request"');
  });

  test('An invalid token receives 401 invalid_token.', async () => {
    const token = String(tokens.access_token);
    const [header, payload, signature] = token.split('.');
    const none = `${Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url')}.${payload}.`;
    const other = await auth.post(
      '/t/rival/token',
      { grant_type: 'client_credentials' },
      { basic: rivalApi },
    );
    const audience = await fresh({ resources: ['https://api.example'] });
    for (const bad of [
      'x',
      'a.b.c',
      `${header}.${payload}`,
      token.slice(0, -1),
      `${token}A`,
      `${header}.${payload}.${signature?.slice(0, -2)}AA`,
      none,
      forged((claims) => Object.assign(claims, { sub: '0190a0a0-0000-7000-8000-000000000000' })),
      forged((claims) => Object.assign(claims, { exp: 9_999_999_999 })),
      tokens.id_token,
      tokens.refresh_token,
      other.body.access_token,
      audience.access_token,
    ]) {
      const answer = await auth.get(path, bearer(bad));
      expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_token' } });
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
    }
  });

  test('A token of another tenant is invalid, regardless of its claims.', async () => {
    const answer = await auth.get('/t/rival/userinfo', bearer(tokens.access_token));
    expect(answer.status).toBe(401);
  });

  test('A token without openid receives 403 insufficient_scope.', async () => {
    const plain = await fresh({ scopes: ['profile'] });
    const client = await auth.post('/t/demo/token', { grant_type: 'client_credentials' }, { basic: api });
    for (const token of [plain.access_token, client.body.access_token]) {
      const answer = await auth.get(path, bearer(token));
      expect(answer).toMatchObject({ status: 403, body: { error: 'insufficient_scope' } });
      expect(answer.headers.get('www-authenticate')).toContain('scope="openid"');
    }
  });

  test('A token of an offboarded user receives 401 immediately.', async () => {
    const issued = await issueCode(auth, web);
    const { body } = await auth.post('/t/demo/token', issued.form);
    await auth.database.sql.query('UPDATE auth.subjects SET active = false WHERE id = $1', [
      issued.person.subjectId,
    ]);
    expect((await auth.get(path, bearer(body.access_token))).status).toBe(401);
  });
});

describe('introspection', () => {
  const introspect = (token: unknown, basic = api, tenant = 'demo') =>
    auth.post(`/t/${tenant}/introspect`, { token: String(token) }, { basic });

  test('Introspection describes a live access token.', async () => {
    const { status, headers, body } = await introspect(tokens.access_token);
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(body).toMatchObject({
      active: true,
      token_type: 'Bearer',
      client_id: web,
      sub: subjectId,
      username: 'alice',
      iss: auth.issuer('demo'),
      aud: auth.issuer('demo'),
      scope: tokens.scope,
      exp: expect.any(Number),
      iat: expect.any(Number),
      jti: expect.any(String),
    });
  });

  test('A refresh token is active only for the client that owns it.', async () => {
    expect((await introspect(tokens.refresh_token)).body).toEqual({ active: false });
    const { client, clientSecret = '' } = await register(auth, {
      ...publicClient,
      token_endpoint_auth_method: 'client_secret_basic',
      redirect_uris: ['https://app.example/cb'],
    });
    const own = [client.clientId, clientSecret] as const;
    const { form } = await issueCode(auth, client.clientId, { redirectUri: 'https://app.example/cb' });
    const { body } = await auth.post('/t/demo/token', { ...form, client_id: undefined }, { basic: own });
    expect((await introspect(body.refresh_token, own)).body).toMatchObject({
      active: true,
      client_id: client.clientId,
    });
    const request = { grant_type: 'refresh_token', refresh_token: String(body.refresh_token) };
    await auth.post('/t/demo/token', request, { basic: own });
    expect((await introspect(body.refresh_token, own)).body).toEqual({ active: false });
  });

  test('Any other token is reported as inactive without further details.', async () => {
    for (const token of [
      'x',
      'a.b.c',
      tokens.id_token,
      String(tokens.access_token).slice(0, -1),
      'é',
      '\u0001',
    ]) {
      expect((await introspect(token)).body).toEqual({ active: false });
    }
    expect((await introspect(tokens.access_token, rivalApi, 'rival')).body).toEqual({ active: false });
  });

  test('Introspection requires a confidential client and a token.', async () => {
    const { access_token } = tokens;
    expect(
      await auth.post('/t/demo/introspect', { token: String(access_token), client_id: web }),
    ).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    expect((await auth.post('/t/demo/introspect', { token: String(access_token) })).status).toBe(401);
    expect((await introspect(access_token, rivalApi)).status).toBe(401);
    expect(await auth.post('/t/demo/introspect', {}, { basic: api })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });

  test.each<[string, string]>([
    ['the session', 'UPDATE auth.sessions SET revoked_at = now() WHERE subject_id = $1'],
    ['the grant', 'UPDATE auth.grants SET revoked_at = now() WHERE subject_id = $1'],
    ['the person', 'UPDATE auth.subjects SET active = false WHERE id = $1'],
    ['the person’s epoch', 'UPDATE auth.subjects SET epoch = epoch + 1 WHERE id = $1'],
  ])('The database reports an access token as inactive once %s ended.', async (_, statement) => {
    const issued = await issueCode(auth, web);
    const { body } = await auth.post('/t/demo/token', issued.form);
    const live = () => auth.deps.introspection.liveAccessToken('demo', String(body.access_token));
    expect(await live()).not.toBeNull();
    await auth.database.sql.query(statement, [issued.person.subjectId]);
    expect(await live()).toBeNull();
    // Also for the first request at a process that did not issue the token.
    const another = await startAuth(backend);
    try {
      const token = String(body.access_token);
      const answer = await another.post('/t/demo/introspect', { token }, { basic: api });
      expect(answer.body).toEqual({ active: false });
    } finally {
      await another.stop();
    }
  });

  test('The internal introspection endpoint answers services only.', async () => {
    const service = await auth.post(
      '/t/platform/token',
      { grant_type: 'client_credentials', resource: 'urn:ostiary:service:auth' },
      { basic: ['gateway', 'gateway-secret-for-tests'] },
    );
    const ask = async (authorization: unknown, body: unknown) =>
      fetch(`${auth.origin}/internal/v1/introspect`, {
        method: 'POST',
        headers: { authorization: `Bearer ${authorization}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    const question = { tenant: 'demo', token: tokens.access_token };
    expect(await (await ask(service.body.access_token, question)).json()).toEqual({ active: true });
    expect(await (await ask(service.body.access_token, { ...question, tenant: 'rival' })).json()).toEqual({
      active: false,
    });
    expect(await (await ask(service.body.access_token, { ...question, tenant: 'no/such' })).json()).toEqual({
      active: false,
    });
    expect((await ask(service.body.access_token, {})).status).toBe(400);
    expect((await ask(service.body.access_token, null)).status).toBe(400);
    expect((await ask(tokens.access_token, question)).status).toBe(401);
  });
});

describe('revocation', () => {
  const revoke = (fields: Record<string, string>, o?: Parameters<RunningAuth['post']>[2]) =>
    auth.post('/t/demo/revoke', fields, o);
  const isActive = async (token: unknown) =>
    (await auth.post('/t/demo/introspect', { token: String(token) }, { basic: api })).body.active;

  test('Revocation of an access token ends that token only.', async () => {
    const { access_token, refresh_token } = await fresh();
    const answer = await revoke({ token: String(access_token), client_id: web });
    expect(answer.status).toBe(200);
    expect(await isActive(access_token)).toBe(false);
    const verdict = auth.deps.verifier.verify(String(access_token), { audience: auth.issuer('demo') });
    await expect(verdict).rejects.toMatchObject({ error: 'invalid_token' });
    const renewed = await auth.post('/t/demo/token', {
      grant_type: 'refresh_token',
      refresh_token: String(refresh_token),
      client_id: web,
    });
    expect(renewed.status).toBe(200);
  });

  test('Revocation of a refresh token ends the whole grant, regardless of the hint.', async () => {
    const { access_token, refresh_token } = await fresh();
    expect(
      (await revoke({ token: String(refresh_token), token_type_hint: 'access_token', client_id: web }))
        .status,
    ).toBe(200);
    expect(await isActive(access_token)).toBe(false);
    const renewed = await auth.post('/t/demo/token', {
      grant_type: 'refresh_token',
      refresh_token: String(refresh_token),
      client_id: web,
    });
    expect(renewed.body.error).toBe('invalid_grant');
    expect((await revoke({ token: String(refresh_token), client_id: web })).status).toBe(200);
  });

  test('Revocation of an unknown token succeeds.', async () => {
    for (const token of ['x', 'a.b.c', 'ort_x', String(tokens.id_token)]) {
      expect((await revoke({ token, client_id: web })).status).toBe(200);
    }
  });

  test('Revocation of a token of another client is rejected and changes nothing.', async () => {
    const { access_token, refresh_token } = await fresh();
    for (const token of [access_token, refresh_token]) {
      expect(await revoke({ token: String(token) }, { basic: api })).toMatchObject({
        status: 400,
        body: { error: 'invalid_request' },
      });
    }
    expect(await isActive(access_token)).toBe(true);
    expect(
      (await auth.post('/t/rival/revoke', { token: String(refresh_token) }, { basic: rivalApi })).status,
    ).toBe(200);
    expect(await isActive(access_token)).toBe(true);
  });

  test('Revocation requires a client and a token.', async () => {
    expect((await revoke({ token: 'x' })).body.error).toBe('invalid_client');
    expect((await revoke({ client_id: web })).body.error).toBe('invalid_request');
  });
});
