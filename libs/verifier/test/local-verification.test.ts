import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { newApiToken } from '../src/core.ts';
import { ostiary, VerificationError, type Verify } from '../src/index.ts';
import { audience, clientId, clientSecret, StubIssuer } from './support/stub-issuer.ts';

let issuer: StubIssuer;
let rival: StubIssuer;
let verify: Verify;

beforeAll(async () => {
  issuer = await new StubIssuer().start();
  rival = await new StubIssuer().start();
  verify = issuer.verifier();
  await verify.ready();
});

beforeEach(() => {
  issuer.requests.length = 0;
});

afterAll(async () => {
  await issuer.stop();
  await rival.stop();
});

const introspections = (): number => issuer.countOf('introspect');

async function rejects(header: string | undefined, status: number, code: string): Promise<VerificationError> {
  const error: unknown = await verify(header).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(VerificationError);
  expect(error).toMatchObject({ status, statusCode: status, code });
  return error as VerificationError;
}

describe('a valid token', () => {
  test('A token of a user becomes a principal without a request to the issuer.', async () => {
    await verify(await issuer.bearer());
    issuer.requests.length = 0;
    const principal = await verify(
      await issuer.bearer({
        scope: 'orders:read orders:write',
        acr: 'urn:mfa',
        auth_time: 5,
        department: 'x',
      }),
    );
    expect(principal).toMatchObject({
      kind: 'user',
      subject: 'user-1',
      clientId: 'shop',
      acr: 'urn:mfa',
      authTime: 5,
    });
    expect([...principal.scopes]).toEqual(['orders:read', 'orders:write']);
    expect(principal.claims.department).toBe('x');
    expect(introspections() + issuer.countOf('jwks') + issuer.countOf('metadata')).toBe(0);
  });

  test('A resource with an empty path has the same tokens with and without a slash at its end.', async () => {
    expect((await verify(await issuer.bearer({ aud: `${audience}/` }))).kind).toBe('user');
    await rejects(await issuer.bearer({ aud: `${audience}/v1` }), 401, 'invalid_token');
  });

  test('A token whose subject is its client becomes a client.', async () => {
    const token = await issuer.bearer({ sub: 'shop', sub_epoch: undefined });
    expect(await verify(token)).toMatchObject({ kind: 'client', clientId: 'shop' });
  });

  test('The actors of an exchanged token are listed, the current one first.', async () => {
    const ancestor = { jti: 'a1', sub: 'user-1', client_id: 'shop', sub_epoch: 1 };
    const act = { sub: 'desk', client_id: 'desk', act: { sub: 'shop' } };
    const { actors } = await verify(await issuer.bearer({ act, derived_from: [ancestor] }));
    expect(actors).toEqual([{ subject: 'desk', clientId: 'desk' }, { subject: 'shop' }]);
  });

  test('A caller cannot change the principal of other requests with the same token.', async () => {
    const token = await issuer.bearer();
    const principal = await verify(token);
    expect(() => Object.assign(principal, { subject: 'user-2' })).toThrow(TypeError);
    expect((await verify(token)).subject).toBe('user-1');
  });

  test('A caller cannot change the scopes, claims and actors of other requests with the same token.', async () => {
    const act = { sub: 'desk', client_id: 'desk' };
    const token = await issuer.bearer({ scope: 'orders:read', roles: ['reader'], act });
    const { scopes, claims, actors, audience: of } = await verify(token);
    for (const change of [
      () => (scopes as Set<string>).add('orders:write'),
      () => (scopes as Set<string>).delete('orders:read'),
      () => (scopes as Set<string>).clear(),
      () => (claims.roles as string[]).push('owner'),
      () => Object.assign(actors?.[0] ?? {}, { subject: 'user-2' }),
      () => (of as string[]).push('https://other.example'),
    ])
      expect(change).toThrow(TypeError);
    expect([...(await verify(token)).scopes]).toEqual(['orders:read']);
  });

  test('A token of a new signing key is accepted after one request for keys.', async () => {
    const later = await new StubIssuer().start();
    try {
      const follower = later.verifier();
      await follower(await later.bearer());
      await later.rotate();
      // Keys are requested again for an unknown key, at most every five seconds.
      await eventually(async () => follower(await later.bearer()).catch(() => undefined));
      expect(later.countOf('jwks')).toBe(2);
    } finally {
      await later.stop();
    }
  });
});

describe('an invalid token', () => {
  const now = () => Math.floor(Date.now() / 1_000);
  const invalid: Record<string, [claims: () => object, header?: object]> = {
    'of another audience': [() => ({ aud: 'https://other.example' })],
    'of another issuer': [() => ({ iss: 'https://id.example/t/rival' })],
    'that has expired': [() => ({ exp: now() - 10 })],
    'without an expiry': [() => ({ exp: undefined })],
    'without a client': [() => ({ client_id: undefined })],
    'without a jti': [() => ({ jti: undefined })],
    'of the type of an ID token': [() => ({}), { typ: 'JWT' }],
    'without a type': [() => ({}), { typ: undefined }],
    'that is bound to a certificate': [() => ({ cnf: { 'x5t#S256': 'abc' } })],
    'with unreadable ancestors': [() => ({ derived_from: [] })],
  };

  test.each(Object.entries(invalid))(
    'A token %s is rejected with invalid_token.',
    async (_, [claims, header]) => {
      const token = await issuer.bearer({ ...claims() }, { ...header });
      const { challenge } = await rejects(token, 401, 'invalid_token');
      expect(challenge).toContain('Bearer realm="https://orders.example", error="invalid_token"');
    },
  );

  test('A token with another signature, without one, or with the algorithm none is rejected.', async () => {
    const [head = '', body = ''] = (await issuer.token()).split('.');
    const none = Buffer.from('{"alg":"none","typ":"at+jwt"}').toString('base64url');
    const [, , signature] = (await issuer.token()).split('.');
    for (const forged of [`${head}.${body}.${signature}`, `${head}.${body}.`, `${none}.${body}.`])
      await rejects(`Bearer ${forged}`, 401, 'invalid_token');
  });

  test('A token that the rival tenant signed for the same audience is rejected.', async () => {
    await rejects(await rival.bearer(), 401, 'invalid_token');
    await rejects(await rival.bearer({ iss: issuer.issuer }), 401, 'invalid_token');
  });

  test('A token that states another issuer causes no request for keys.', async () => {
    await rejects(await rival.bearer(), 401, 'invalid_token');
    expect(issuer.countOf('jwks')).toBe(0);
  });

  test('A request without a token is challenged without an error code.', async () => {
    for (const header of [undefined, 'Basic abc', '']) {
      const { challenge, body } = await rejects(header, 401, 'unauthorized');
      expect(challenge).not.toContain('error=');
      expect(challenge).toContain(
        'resource_metadata="https://orders.example/.well-known/oauth-protected-resource"',
      );
      expect(body.error).toBe('unauthorized');
    }
  });

  test('A malformed token is rejected without a request to the issuer.', async () => {
    for (const token of ['abc', 'a b', '', 'a'.repeat(9_000), 'ost_pat_abc', 'e30.e30.e30'])
      await rejects(`Bearer ${token}`, 401, 'invalid_token');
    expect(introspections()).toBe(0);
  });
});

describe('an opaque token', () => {
  test('A personal access token is introspected at every request.', async () => {
    const token = newApiToken('personal');
    const exp = Math.floor(Date.now() / 1_000) + 600;
    const claims = { iss: issuer.issuer, aud: audience, sub: 'user-1', client_id: 'urn:pat', jti: 'p1', exp };
    issuer.opaque.set(token, { ...claims, sub_epoch: 1 });
    expect(await verify(`Bearer ${token}`)).toMatchObject({ kind: 'user', subject: 'user-1' });
    issuer.opaque.set(token, { ...claims, aud: 'https://other.example' });
    await rejects(`Bearer ${token}`, 401, 'invalid_token');
    issuer.opaque.set(token, { ...claims, iss: rival.issuer });
    await rejects(`Bearer ${token}`, 401, 'invalid_token');
    issuer.opaque.delete(token);
    await rejects(`Bearer ${token}`, 401, 'invalid_token');
    expect(introspections()).toBe(4);
  });

  test('Invented tokens cause a limited number of introspections, and a known token is still introspected.', async () => {
    verify = issuer.verifier();
    const known = newApiToken('personal');
    const exp = Math.floor(Date.now() / 1_000) + 600;
    const claims = { iss: issuer.issuer, aud: audience, sub: 'user-1', client_id: 'urn:pat', jti: 'p1', exp };
    issuer.opaque.set(known, { ...claims, sub_epoch: 1 });
    await verify(`Bearer ${known}`);
    issuer.requests.length = 0;
    const statuses: number[] = [];
    const invent = () =>
      verify(`Bearer ${newApiToken('personal')}`).catch(({ status }: VerificationError) =>
        statuses.push(status),
      );
    for (let n = 0; n < 40; n += 1) await Promise.all(Array.from({ length: 10 }, invent));
    expect(introspections()).toBe(300);
    expect(statuses.filter((status) => status === 401)).toHaveLength(300);
    expect(statuses.filter((status) => status === 503)).toHaveLength(100);
    await verify(`Bearer ${known}`);
    expect(introspections()).toBe(301);
  });

  test('Tokens whose introspection failed do not count: after an outage, new valid tokens are accepted.', async () => {
    verify = issuer.verifier();
    const token = newApiToken('personal');
    const exp = Math.floor(Date.now() / 1_000) + 600;
    const claims = { iss: issuer.issuer, aud: audience, sub: 'user-1', client_id: 'urn:pat', jti: 'p1', exp };
    issuer.failures.set('introspect', { status: 503 });
    for (let n = 0; n < 310; n += 1)
      await expect(verify(`Bearer ${newApiToken('personal')}`)).rejects.toMatchObject({ status: 503 });
    issuer.failures.clear();
    issuer.opaque.set(token, { ...claims, sub_epoch: 1 });
    expect(await verify(`Bearer ${token}`)).toMatchObject({ subject: 'user-1' });
  });

  test('Opaque access tokens are introspected, active ones without a limit, and malformed ones never.', async () => {
    verify = issuer.verifier();
    const exp = Math.floor(Date.now() / 1_000) + 600;
    const tokens = Array.from({ length: 3_100 }, (_, n) => `ost_at_${String(n).padStart(128, 'a')}`);
    for (const [n, token] of tokens.entries())
      issuer.opaque.set(token, {
        iss: issuer.issuer,
        aud: audience,
        sub: 'shop',
        client_id: 'shop',
        jti: `o${n}`,
        exp,
      });
    issuer.requests.length = 0;
    for (const token of tokens) await verify(`Bearer ${token}`);
    expect(introspections()).toBe(3_100);
    for (const text of [
      'ost_at_',
      'ost_at_short',
      `ost_at_${'a'.repeat(200)}+`,
      `ost_at_${'a'.repeat(20_000)}`,
    ])
      await expect(verify(`Bearer ${text}`)).rejects.toMatchObject({ status: 401 });
    expect(introspections()).toBe(3_100);
  });
});

describe('the requirements of a route', () => {
  test('A token without a required scope is rejected with all required scopes.', async () => {
    const token = await issuer.bearer({ scope: 'orders:read' });
    await verify(token, { scopes: ['orders:read'] });
    const rule = { scopes: ['orders:read', 'orders:write'] };
    await expect(verify(token, rule)).rejects.toMatchObject({ status: 403, code: 'insufficient_scope' });
    await expect(verify(token, rule)).rejects.toMatchObject({
      challenge: expect.stringContaining('scope="orders:read orders:write"'),
    });
  });

  test('A token of a user without a required role at the API is rejected with insufficient_role.', async () => {
    const token = await issuer.bearer({ roles: ['approver', 'reader', 7] });
    const { roles } = await verify(token, { roles: ['approver', 'reader'] });
    expect([...roles]).toEqual(['approver', 'reader']);
    await expect(verify(token, { roles: ['approver', 'owner'] })).rejects.toMatchObject({
      status: 403,
      code: 'insufficient_role',
      challenge: expect.stringContaining('error="insufficient_role"'),
    });
    for (const malformed of ['approver', { 0: 'approver' }]) {
      const principal = await verify(await issuer.bearer({ roles: malformed }));
      expect(principal.roles.size).toBe(0);
    }
  });

  test('A weaker or older sign-in than required is challenged with acr_values and max_age.', async () => {
    const signedInAt = Math.floor(Date.now() / 1_000) - 100;
    const token = await issuer.bearer({ acr: 'urn:mfa', auth_time: signedInAt });
    await verify(token, { acr: 'urn:mfa', maxAge: 300 });
    const weaker = verify(token, { acr: ['urn:passkey', 'urn:key'] });
    await expect(weaker).rejects.toMatchObject({
      status: 401,
      code: 'insufficient_user_authentication',
      challenge: expect.stringContaining('acr_values="urn:passkey urn:key"'),
    });
    await expect(verify(token, { maxAge: 60 })).rejects.toMatchObject({
      challenge: expect.stringContaining('max_age="60"'),
    });
  });

  test('A token from a token exchange does not satisfy a requirement for the sign-in.', async () => {
    const claims = { acr: 'urn:mfa', auth_time: Math.floor(Date.now() / 1_000), act: { sub: 'desk' } };
    await expect(verify(await issuer.bearer(claims), { maxAge: 60 })).rejects.toMatchObject({
      code: 'insufficient_user_authentication',
    });
  });
});

test('A missing or malformed option is rejected when the verifier is created.', () => {
  const options = { issuer: issuer.issuer, audience, clientId, clientSecret };
  expect(() => ostiary({ ...options, clientSecret: '' })).toThrow('clientSecret');
  expect(() => ostiary({ ...options, issuer: 'acme' })).toThrow('issuer');
  expect(() => ostiary({ ...options, maxStalenessSeconds: 1 })).toThrow('maxStalenessSeconds');
});

test('The metadata of the API names the issuer and the resource (RFC 9728).', () => {
  const named = issuer.verifier({ audience: 'https://orders.example/v1', scopes: ['a'], name: 'Orders' });
  expect(named.metadata()).toMatchObject({
    resource: 'https://orders.example/v1',
    authorization_servers: [issuer.issuer],
    scopes_supported: ['a'],
    resource_name: 'Orders',
  });
  expect(named.metadataPath).toBe('/.well-known/oauth-protected-resource/v1');
  expect(issuer.verifier({ audience: 'urn:orders' }).metadataPath).toBeUndefined();
});
