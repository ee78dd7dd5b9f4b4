import { describe, expect, test } from '@jest/globals';
import { newApiToken, subgraphAudience } from '@ostiary/access';
import { eventually } from '@ostiary/service/testing';
import {
  admin,
  app,
  ask,
  codesOf,
  create,
  type GraphAnswer,
  listOf,
  machine,
  personal,
  representation,
  rivalAdmin,
  service,
  setUpApiTokens,
  signedIn,
  tokensOf,
} from '../../support/sign-in/api-tokens.ts';
import { rival, selfService, tenant, token, userinfoStatus } from '../../support/sign-in/service.ts';

setUpApiTokens();

describe('a personal access token', () => {
  test('A personal access token is returned once, has the access of its owner’s access token, and is stored as a keyed digest.', async () => {
    const { person, accessToken } = await signedIn('alice');
    const answer = await ask(create, { input: { name: '  laptop ' } }, accessToken);
    const { personalAccessToken, token: secret } = answer.data.createPersonalAccessToken;
    expect(secret).toMatch(/^ost_pat_[0-9A-Za-z]{46}$/);
    expect(personalAccessToken).toMatchObject({
      name: 'laptop',
      hint: secret.slice(-4),
      scopes: ['openid', 'profile'],
      lastUsedAt: null,
    });
    const life = Date.parse(personalAccessToken.expiresAt) - Date.now();
    expect(Math.round(life / 86_400_000)).toBe(90);

    expect(await userinfoStatus(service, secret)).toBe(200);
    expect(await listOf(person.id, secret)).toHaveLength(1);
    const { rows } = await service.deps.database.sql.query<{ row: string; digest: Buffer }>(
      'SELECT t::text AS row, t.digest FROM auth.api_tokens t WHERE id = $1',
      [personalAccessToken.id],
    );
    expect(rows[0]?.digest).toHaveLength(32);
    expect(rows[0]?.row).not.toContain(secret.slice(8, -4));
    expect(service.logs.join('')).not.toContain(secret.slice(0, 20));
  });

  test('A personal access token is listed with its last use to its owner and to administrators only.', async () => {
    const { person, accessToken } = await signedIn('bob');
    const { accessToken: stranger } = await signedIn('mallory');
    const made = await personal(accessToken);
    expect((await listOf(person.id, accessToken))[0]).toMatchObject({ id: made.id, lastUsedAt: null });
    expect(await userinfoStatus(service, made.token)).toBe(200);
    await eventually(async () => (await listOf(person.id, admin))[0].lastUsedAt !== null);
    expect((await listOf(person.id, admin))[0]).not.toHaveProperty('token');
    expect(codesOf(await ask(tokensOf, representation(person.id), stranger))).toContain('FORBIDDEN');
    expect(await listOf(person.id, rivalAdmin)).toEqual([]);
  });

  test('A personal access token is valid only in its tenant and only in its complete form.', async () => {
    const { accessToken } = await signedIn('carol');
    const { token: secret } = await personal(accessToken);
    expect(await userinfoStatus(service, secret)).toBe(200);
    expect(await userinfoStatus(service, secret, rival)).toBe(401);
    for (const forged of [
      secret.slice(0, -1),
      `${secret}0`,
      secret.replace('ost_pat_', 'ost_key_'),
      `${secret.slice(0, -6)}000000`,
      newApiToken('personal'),
      newApiToken('service_account'),
      'ost_pat_',
    ]) {
      expect(await userinfoStatus(service, forged)).toBe(401);
      expect(codesOf(await ask('{ __typename }', {}, forged))).toEqual(['UNAUTHENTICATED']);
    }
  });

  test('A personal access token has no scope that its owner or the requesting token does not have.', async () => {
    const { accessToken: plain } = await signedIn('dave', {
      scope: `openid profile users:read ${selfService}`,
    });
    expect((await personal(plain)).scopes).toEqual(['openid', 'profile']);
    for (const scope of ['users:read', 'email', 'offline_access', 'nonsense', '', '\u0000']) {
      const answer = await ask(create, { input: { name: 'x', scopes: ['openid', scope] } }, plain);
      expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
      expect(answer.data?.createPersonalAccessToken ?? null).toBeNull();
    }
    const { accessToken: boss } = await signedIn('erin', {
      admin: true,
      scope: 'openid users:read self:tokens',
    });
    expect((await personal(boss, { scopes: ['users:read'] })).scopes).toEqual(['users:read']);
    expect(codesOf(await ask(create, { input: { name: 'x', scopes: ['users:write'] } }, boss))).toEqual([
      'BAD_USER_INPUT',
    ]);
  });

  test('A personal access token without openid is rejected at userinfo.', async () => {
    const { accessToken } = await signedIn('olga');
    const { token: secret } = await personal(accessToken, { scopes: ['profile'] });
    expect(await userinfoStatus(service, secret)).toBe(403);
  });

  test('A personal access token cannot create another one, and an app cannot own one.', async () => {
    const { accessToken } = await signedIn('frank');
    const { token: secret } = await personal(accessToken);
    expect(codesOf(await ask(create, { input: { name: 'x' } }, secret))).toEqual(['FORBIDDEN']);
    expect(codesOf(await ask(create, { input: { name: 'x' } }, admin))).toEqual(['FORBIDDEN']);
  });

  test('A client that acts for a user cannot create a personal access token, which would outlive its permission.', async () => {
    const { accessToken } = await signedIn('nora');
    const grant = 'urn:ietf:params:oauth:grant-type:token-exchange';
    const exchanger = await service.client({
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: [grant],
      redirect_uris: [],
      scope: 'openid profile',
      token_exchange_subject_clients: [app.clientId],
      token_exchange_impersonation: true,
    });
    const { body, status } = await token(service, exchanger, {
      grant_type: grant,
      client_secret: exchanger.secret ?? '',
      subject_token: accessToken,
      subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    });
    expect(status).toBe(200);
    const answer = await ask(create, { input: { name: 'x' } }, body.access_token ?? '');
    expect(codesOf(answer)).toEqual(['FORBIDDEN']);
    // Nor can it remove sign-in methods.
    for (const removal of [
      'mutation { removeAuthenticatorApp(input: {}) { user { id } } }',
      'mutation { removePasskey(input: { id: "x" }) { passkeyId } }',
    ]) {
      expect(codesOf(await ask(removal, {}, body.access_token ?? ''))).toEqual(['FORBIDDEN']);
      expect(codesOf(await ask(removal, {}, accessToken))).toEqual(['NOT_FOUND']);
    }
  });

  test('A key-bound access token cannot create a personal access token, which would not be bound to the key.', async () => {
    const { person, accessToken } = await signedIn('petra');
    const { grant_id: grantId } = JSON.parse(
      Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString(),
    ) as { grant_id: string };
    const { token: bound } = await service.deps.accessTokens.issue(tenant, {
      client: app,
      scopes: ['openid'],
      resources: [],
      dpopJkt: 'k'.repeat(43),
      grant: {
        subjectId: person.id,
        subjectEpoch: 0,
        grantId,
        sessionId: null,
        authTime: Math.floor(Date.now() / 1000),
        amr: ['pwd'],
        acr: 'urn:ostiary:acr:1fa',
        expiresAt: Math.floor(Date.now() / 1000) + 600,
      },
    });
    const gateway = await service.deps.clients.find('platform', 'gateway');
    if (!gateway) throw new Error('no gateway');
    const { token: voucher } = await service.deps.accessTokens.issue('platform', {
      client: gateway,
      scopes: [],
      resources: [subgraphAudience('auth')],
    });
    const mutate = async (query: string) => {
      const response = await fetch(`${service.origin}/graphql`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `DPoP ${bound}`,
          'x-ostiary-possession': voucher,
        },
        body: JSON.stringify({ query }),
      });
      return (await response.json()) as GraphAnswer;
    };
    expect((await mutate('{ __typename }')).data).toEqual({ __typename: 'Query' });
    const made = await mutate('mutation { createPersonalAccessToken(input: { name: "x" }) { token } }');
    expect(codesOf(made)).toEqual(['FORBIDDEN']);
  });

  test.each([
    ['an empty name', { name: '  ' }],
    ['a long name', { name: 'x'.repeat(101) }],
    ['NUL in the name', { name: 'a\u0000b' }],
    ['half a surrogate pair in the name', { name: 'a\ud800' }],
    ['text that turns around', { name: 'a\u202eb' }],
    ['an expiry in the past', { name: 'x', expiresAt: '2020-01-01T00:00:00Z' }],
    ['an expiry beyond a year', { name: 'x', expiresAt: '2099-01-01T00:00:00Z' }],
  ])('A request for a personal access token with %s is rejected.', async (_name, input) => {
    const { accessToken } = await signedIn(`guest-${Math.random()}`);
    expect(codesOf(await ask(create, { input }, accessToken))).toEqual(['BAD_USER_INPUT']);
  });

  test('A personal access token expires at the requested time.', async () => {
    const { accessToken } = await signedIn('grace');
    const expiresAt = new Date(Date.now() + 3_000).toISOString();
    const { token: secret } = await personal(accessToken, { expiresAt });
    expect(await userinfoStatus(service, secret)).toBe(200);
    await eventually(async () => (await userinfoStatus(service, secret)) === 401);
    expect(codesOf(await ask('{ __typename }', {}, secret))).toEqual(['UNAUTHENTICATED']);
  });

  test('A user has at most fifty personal access tokens, even when sixty are requested concurrently.', async () => {
    const { person, accessToken } = await signedIn('heidi');
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => ask(create, { input: { name: 'many' } }, accessToken)),
    );
    expect(answers.filter((answer) => !answer.errors)).toHaveLength(50);
    expect(new Set(answers.flatMap((answer) => codesOf(answer) ?? []))).toEqual(new Set(['CONFLICT']));
    expect(await listOf(person.id, accessToken)).toHaveLength(50);
  });

  test('A personal access token is introspected by the resource servers of its tenant like an access token.', async () => {
    const { person, accessToken } = await signedIn('ivan');
    const made = await personal(accessToken);
    const introspect = async (of: string, secret: string) => {
      const api = await machine(of, '', { protected_resources: ['urn:ostiary:tenant-api'] });
      const response = await fetch(`${service.origin}/t/${of}/introspect`, {
        method: 'POST',
        body: new URLSearchParams({
          client_id: api.clientId,
          client_secret: api.secret ?? '',
          token: secret,
        }),
      });
      return response.json();
    };
    expect(await introspect(tenant, made.token)).toMatchObject({
      active: true,
      sub: person.id,
      username: 'ivan',
      jti: made.id,
      scope: 'openid profile',
      iss: `${service.deps.env.PUBLIC_ORIGIN}/t/${tenant}`,
    });
    expect(await introspect(rival, made.token)).toEqual({ active: false });
    await service.deps.apiTokens.revoke(tenant, made.id);
    expect(await introspect(tenant, made.token)).toEqual({ active: false });
  });

  test('The internal introspection returns the data that verifiers need, to internal services only.', async () => {
    const { person, accessToken } = await signedIn('kim');
    const made = await personal(accessToken);
    const answer = await service.internal('POST', '/api-tokens/introspect', { token: made.token }, 'gateway');
    expect(answer).toMatchObject({
      status: 200,
      body: { token: { tenant, kind: 'personal', id: made.id, subject: person.id, epoch: 0 } },
    });
    expect((await service.internal('POST', '/api-tokens/introspect', { token: 'x' })).body).toEqual({});
    expect((await service.internal('POST', '/api-tokens/introspect', { token: 1 })).status).toBe(400);
    const outside = await fetch(`${service.origin}/internal/v1/api-tokens/introspect`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${made.token}` },
      body: JSON.stringify({ token: made.token }),
    });
    expect(outside.status).toBe(401);
  });
});
