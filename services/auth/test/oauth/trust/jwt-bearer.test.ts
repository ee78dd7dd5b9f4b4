import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { JWTPayload } from 'jose';
import { bearerGrant, person, Signatory } from '../../support/assertions.ts';
import { type Partnership, refused, startPartnership } from '../../support/partnership.ts';
import { claimsOf, issueCode, publicClient, type RunningAuth, register } from '../../support/running-auth.ts';

let partnership: Partnership;
let auth: RunningAuth;
let other: RunningAuth;
let partner: Signatory;
let app: Partnership['app'];
let stranger: Partnership['stranger'];
let alice: string;
let client: Partnership['client'];
let trust: Partnership['trust'];
let present: Partnership['present'];

beforeAll(async () => {
  partnership = await startPartnership();
  ({ auth, other, partner, app, stranger, alice, client, trust, present } = partnership);
});

afterAll(() => partnership?.stop());

const claims = (changes: JWTPayload = {}): JWTPayload => ({
  aud: auth.issuer('demo'),
  sub: 'alice@partner.example',
  ...changes,
});

const userinfo = async (token: unknown): Promise<number> =>
  (await other.get('/t/demo/userinfo', { authorization: `Bearer ${String(token)}` })).status;

describe('an assertion of a trusted issuer', () => {
  test('An assertion of a trusted issuer yields an access token for the user, and no refresh token.', async () => {
    const { status, body, headers } = await present(await partner.assertion(claims()));
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 600,
      scope: 'openid profile',
    });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    const token = claimsOf(body.access_token);
    expect(token).toMatchObject({ sub: alice, client_id: app.id, aud: auth.issuer('demo') });
    expect(token).not.toHaveProperty('auth_time');
    expect(token).not.toHaveProperty('sid');
    expect(await userinfo(body.access_token)).toBe(200);
  });

  test.each(['http://id.test/t/demo', 'http://id.test/t/demo/token'])(
    'The aud of an assertion may be %s.',
    async (aud) => {
      expect((await present(await partner.assertion(claims({ aud })))).status).toBe(200);
      expect((await present(await partner.assertion(claims({ aud: [aud] })))).status).toBe(200);
    },
  );

  test.each(['RS256', 'PS256', 'ES384', 'EdDSA'])('An assertion may be signed with %s.', async (alg) => {
    const signatory = await Signatory.create(`https://${alg.toLowerCase()}.example`, alg);
    await trust(signatory);
    expect((await present(await signatory.assertion(claims()))).status).toBe(200);
  });

  test('An assertion is limited to the requested scope, and API scopes also require the role of the user.', async () => {
    const narrow = await present(await partner.assertion(claims()), { scope: 'profile' });
    expect(narrow.body.scope).toBe('profile');
    const admin = await partnership.known('admin@partner.example', { roles: ['tenant_admin'] });
    const { body } = await present(await partner.assertion(claims({ sub: 'admin@partner.example' })));
    expect(body.scope).toBe('openid profile users:read');
    expect(claimsOf(body.access_token).sub).toBe(admin);
  });

  test.each([
    ['a scope beyond the role', 'openid users:read', 'Scope users:read '],
    ['a scope the issuer is not trusted with', 'openid email', 'Scope email '],
    ['a scope the client lacks', 'users:write', 'Scope users:write '],
    ['a refresh token', 'openid offline_access', 'Scope offline_access '],
    ['a malformed scope', '"', 'scope must be a space-separated list of at most 100 scopes.'],
  ])(
    'A request for %s is rejected with invalid_scope, and does not use up the assertion.',
    async (_, asked, said) => {
      const assertion = await partner.assertion(claims());
      expect(await present(assertion, { scope: asked })).toMatchObject({
        status: 400,
        body: { error: 'invalid_scope', error_description: expect.stringContaining(said) },
      });
      expect((await present(assertion)).status).toBe(200);
    },
  );

  test('An assertion without a scope that client and user allow is rejected with the names of the scopes of the issuer.', async () => {
    const reader = await Signatory.create('https://reader.example');
    await trust(reader, { scopes: ['users:read', 'users:write'] });
    expect(await present(await reader.assertion(claims()))).toMatchObject({
      status: 400,
      body: {
        error: 'invalid_scope',
        error_description:
          'Client and user allow none of the scopes of the trusted issuer: users:read users:write.',
      },
    });
  });

  test('A resource must be one for which the client is registered.', async () => {
    const answer = await present(await partner.assertion(claims()), { resource: 'https://api.example' });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_target' } });
  });
});

describe('rejected assertions', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const changes: [string, () => JWTPayload][] = [
    ['another server as audience', () => ({ aud: 'https://other.example' })],
    ["another tenant's audience", () => ({ aud: auth.issuer('rival') })],
    ["another endpoint's audience", () => ({ aud: `${auth.issuer('demo')}/userinfo` })],
    ['an audience beside ours', () => ({ aud: [auth.issuer('demo'), 'https://other.example'] })],
    ['no audience', () => ({ aud: undefined as never })],
    ['an expired one', () => ({ exp: now() - 60 })],
    ['one that lives for more than an hour', () => ({ exp: now() + 3_700 })],
    ['one without an end', () => ({ exp: undefined as never })],
    ['one from the future', () => ({ iat: now() + 120 })],
    ['one that is not valid yet', () => ({ nbf: now() + 120 })],
    ['times as text', () => ({ exp: String(now() + 60) as never })],
    ['one without jti', () => ({ jti: undefined as never })],
    ['an empty jti', () => ({ jti: '' })],
    ['a jti that is a number', () => ({ jti: 7 as never })],
    ['one without subject', () => ({ sub: undefined as never })],
    ['a subject that is an object', () => ({ sub: { id: 'alice' } as never })],
    ['one without issuer', () => ({ iss: undefined as never })],
    ['another issuer', () => ({ iss: 'https://unknown.example' })],
    ['the issuer with a slash', () => ({ iss: 'https://partner.example/' })],
    ['the issuer in capitals', () => ({ iss: 'https://PARTNER.example' })],
    ['this server as issuer', () => ({ iss: auth.issuer('demo') })],
    ['nobody we know', () => ({ sub: 'nobody@partner.example' })],
    ['a filter as subject', () => ({ sub: '" or userName pr or userName eq "' })],
    ['a NUL in the subject', () => ({ sub: 'alice@partner.example\0' })],
    ['a lone surrogate in the subject', () => ({ sub: 'alice\ud800' })],
  ];

  test.each(changes)('An assertion is rejected with invalid_grant: %s.', async (_, change) => {
    const answer = await present(await partner.assertion(claims(change())));
    expect(answer).toMatchObject(refused);
    expect(answer.body.error_description).toBe(
      'The assertion is invalid, expired, already used, or not from a trusted issuer.',
    );
  });

  test.each([
    ['an access token', { typ: 'at+jwt' }],
    ['a logout token', { typ: 'logout+jwt' }],
    ['a client assertion', { typ: 'client-authentication+jwt' }],
    ['a proof', { typ: 'dpop+jwt' }],
    ['a critical header nobody knows', { crit: ['exp'], exp: 1 }],
  ])('An assertion is rejected with invalid_grant for its type: %s.', async (_, header) => {
    const assertion = await partner.assertion(claims(), header).catch(() => null);
    if (assertion) expect(await present(assertion)).toMatchObject(refused);
  });

  test('An assertion is rejected if signed by an unknown or another key, by the public key as HMAC key, or not at all.', async () => {
    const impostor = await Signatory.create('https://partner.example');
    const genuine = await partner.assertion(claims());
    const [header = '', payload = '', signature = ''] = genuine.split('.');
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    const hmac = Buffer.from(JSON.stringify({ alg: 'HS256', kid: partner.jwk.kid })).toString('base64url');
    for (const assertion of [
      await impostor.assertion(claims()),
      await impostor.assertion(claims(), { kid: partner.jwk.kid }),
      await impostor.assertion(claims(), { jwk: impostor.jwk }),
      await impostor.assertion(claims(), { jku: 'https://partner.example/jwks' }),
      `${none}.${payload}.`,
      `${none}.${payload}.AA`,
      `${hmac}.${payload}.${signature}`,
      `${header}.${payload}.${signature.slice(0, -6)}AAAAAA`,
      genuine.slice(0, -3),
      `${header}.${payload}`,
      'not a JWT',
      `${'x'.repeat(9_000)}.x.x`,
    ]) {
      expect(await present(assertion)).toMatchObject(refused);
    }
  });

  test('The access token and the ID token of this server are rejected as assertions.', async () => {
    const web = await register(auth, publicClient);
    const code = await issueCode(auth, web.client.clientId);
    const { body } = await auth.post('/t/demo/token', code.form);
    for (const token of [body.access_token, body.id_token]) {
      expect(await present(String(token))).toMatchObject(refused);
    }
  });

  test('A request with no assertion, two, or an overlong one is rejected with invalid_request.', async () => {
    const one = await partner.assertion(claims());
    for (const fields of [
      { assertion: undefined },
      { assertion: '' },
      { assertion: [one, one] },
      { assertion: 'x'.repeat(20_000) },
    ]) {
      expect(await present(one, fields)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    }
  });

  test('A client without trust in the issuer, a client without the grant, and a missing client are rejected.', async () => {
    const assertion = await partner.assertion(claims());
    expect(await present(assertion, {}, { as: stranger })).toMatchObject(refused);
    const without = await client('demo', { grant_types: ['client_credentials'] });
    expect((await present(assertion, {}, { as: without })).body.error).toBe('unauthorized_client');
    expect(await present(assertion, {}, { as: null })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    expect(await present(assertion, { client_id: app.id }, { as: null })).toMatchObject({
      status: 401,
      body: { error: 'invalid_client' },
    });
    // None of these requests used up the assertion.
    expect((await present(assertion)).status).toBe(200);
  });

  test('A user of another tenant, and an issuer that only another tenant trusts, are rejected.', async () => {
    await person(auth, 'rival-only@partner.example', { tenant: 'rival' });
    expect(
      await present(await partner.assertion(claims({ sub: 'rival-only@partner.example' }))),
    ).toMatchObject(refused);
    const rival = await client('rival');
    expect(
      await present(
        await partner.assertion(claims({ aud: auth.issuer('rival') })),
        {},
        { as: rival, tenant: 'rival' },
      ),
    ).toMatchObject(refused);
  });

  test('An assertion for an offboarded user is rejected.', async () => {
    await partnership.known('gone@partner.example', { active: false });
    expect(await present(await partner.assertion(claims({ sub: 'gone@partner.example' })))).toMatchObject(
      refused,
    );
  });

  test('A public client cannot be registered for the grant.', async () => {
    await expect(
      register(auth, { ...publicClient, grant_types: ['authorization_code', bearerGrant] }),
    ).rejects.toMatchObject({ code: 'invalid_client_metadata' });
  });
});

describe('single use', () => {
  test('Of 50 parallel redemptions of one assertion in two processes, one succeeds.', async () => {
    const assertion = await partner.assertion(claims());
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => present(assertion, {}, { at: index % 2 ? auth : other })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 200))
      expect(answer).toMatchObject(refused);
  });

  test('Another assertion with the same jti is rejected as already used.', async () => {
    const jti = randomUUID();
    expect((await present(await partner.assertion(claims({ jti })))).status).toBe(200);
    expect(await present(await partner.assertion(claims({ jti, sub: 'other' })))).toMatchObject(refused);
    expect(await present(await partner.assertion(claims({ jti, iat: 1 })))).toMatchObject(refused);
  });

  test('An assertion with the same jti of another issuer is accepted.', async () => {
    const second = await Signatory.create('https://second.example');
    await trust(second);
    const jti = randomUUID();
    expect((await present(await partner.assertion(claims({ jti })))).status).toBe(200);
    expect((await present(await second.assertion(claims({ jti })))).status).toBe(200);
  });
});
