import { describe, expect, test } from '@jest/globals';
import { accessTokenType, exchangeGrant } from '../../support/assertions.ts';
import {
  alive,
  api,
  auth,
  backOffice,
  confidential,
  exchange,
  given,
  impersonator,
  lives,
  own,
  setUpExchange,
  signIn,
  userinfo,
  web,
} from '../../support/exchange.ts';
import { claimsOf, type Fields, issueCode, publicClient, register } from '../../support/running-auth.ts';

setUpExchange();

describe('delegation', () => {
  test('The exchanged token is about the user, is issued to the client and names the client as the actor.', async () => {
    const { status, body, headers } = await exchange(api);
    expect(body).toEqual({
      access_token: expect.any(String),
      issued_token_type: accessTokenType,
      token_type: 'Bearer',
      expires_in: expect.any(Number),
      scope: 'openid profile email groups',
    });
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toBe('no-store');
    expect(claimsOf(body.access_token)).toMatchObject({
      iss: auth.issuer('demo'),
      aud: auth.issuer('demo'),
      sub: given.person.subjectId,
      client_id: api.id,
      sid: given.person.sessionId,
      act: { sub: api.id, client_id: api.id },
    });
    expect(await userinfo(body.access_token)).toBe(200);
    expect(await lives(body.access_token)).toEqual(alive);
  });

  test('An actor token names the actor, and earlier actors stay nested inside.', async () => {
    const first = await exchange(api);
    const second = await exchange(backOffice, {
      subject_token: String(first.body.access_token),
      actor_token: await own(backOffice),
      actor_token_type: accessTokenType,
    });
    expect(second.status).toBe(200);
    expect(claimsOf(second.body.access_token).act).toEqual({
      sub: backOffice.id,
      client_id: backOffice.id,
      act: { sub: api.id, client_id: api.id },
    });
  });

  test('The actor may be a user whose token was issued to the client itself.', async () => {
    const support = await register(auth, {
      ...publicClient,
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: ['authorization_code', exchangeGrant],
      redirect_uris: ['https://support.example/cb'],
      token_exchange_subject_clients: [web],
    });
    const client = { id: support.client.clientId, secret: support.clientSecret ?? '' };
    const code = await issueCode(auth, client.id, { redirectUri: 'https://support.example/cb' });
    const agent = await auth.post('/t/demo/token', code.form, { basic: [client.id, client.secret] });
    const { body } = await exchange(client, {
      actor_token: String(agent.body.access_token),
      actor_token_type: accessTokenType,
    });
    expect(claimsOf(body.access_token)).toMatchObject({
      sub: given.person.subjectId,
      act: { sub: code.person.subjectId, client_id: client.id },
    });
    const principal = await auth.deps.verifier.verify(String(body.access_token), {
      audience: auth.issuer('demo'),
    });
    expect(principal).toMatchObject({
      kind: 'user',
      subject: given.person.subjectId,
      actors: [{ subject: code.person.subjectId, clientId: client.id }],
    });
  });

  test('Introspection of an exchanged token shows the actor and nothing of the lineage.', async () => {
    const { body } = await exchange(api);
    const seen = await auth.post(
      '/t/demo/introspect',
      { token: String(body.access_token) },
      { basic: [api.id, api.secret] },
    );
    expect(seen.body).toMatchObject({ active: true, sub: given.person.subjectId, act: { sub: api.id } });
    expect(seen.body).not.toHaveProperty('derived_from');
  });

  test('A token of a client itself may be the subject, and the result is still a token of that client.', async () => {
    const { body } = await exchange(backOffice, { subject_token: await own(api), scope: undefined });
    expect(body).toEqual({
      // The two clients have no API scope in common.
      error: 'invalid_scope',
      error_description:
        'The client can receive none of the scopes of subject_token: users:read users:write.',
    });
    const reader = await confidential({
      token_exchange_subject_clients: [api.id],
      scope: 'users:read',
    });
    const exchanged = await exchange(reader, { subject_token: await own(api) });
    expect(exchanged.body.scope).toBe('users:read');
    expect(claimsOf(exchanged.body.access_token)).toMatchObject({ sub: api.id, client_id: reader.id });
    const principal = await auth.deps.verifier.verify(String(exchanged.body.access_token), {
      audience: auth.issuer('demo'),
    });
    expect(principal).toMatchObject({ kind: 'client', subject: api.id, clientId: reader.id });
    expect(await userinfo(exchanged.body.access_token)).not.toBe(200);
  });

  test('A chain of actors has at most five entries.', async () => {
    const a = await confidential({ token_exchange_subject_clients: [web] });
    const b = await confidential({ token_exchange_subject_clients: [a.id] });
    await auth.deps.clientRegistry.update('demo', a.id, (current) => ({
      ...current,
      token_exchange_subject_clients: [web, b.id],
    }));
    let token = given.token;
    for (const client of [a, b, a, b, a]) {
      const { body } = await exchange(client, { subject_token: token });
      token = String(body.access_token);
    }
    expect(await exchange(b, { subject_token: token })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
    expect(await userinfo(token)).toBe(200);
  });
});

describe('impersonation', () => {
  test('Impersonation requires a policy that permits it; every other client is named in act.', async () => {
    const allowed = await exchange(impersonator);
    expect(claimsOf(allowed.body.access_token)).toMatchObject({
      sub: given.person.subjectId,
      client_id: impersonator.id,
    });
    expect(claimsOf(allowed.body.access_token)).not.toHaveProperty('act');
    expect(claimsOf((await exchange(api)).body.access_token)).toHaveProperty('act');
  });

  test('Impersonation never hides an earlier actor.', async () => {
    const delegated = await exchange(api);
    const { body } = await exchange(impersonator, { subject_token: String(delegated.body.access_token) });
    expect(claimsOf(body.access_token).act).toEqual({ sub: api.id, client_id: api.id });
  });

  test('A client that narrows its own exchanged token adds no new actor.', async () => {
    const first = await exchange(api);
    const { body } = await exchange(api, {
      subject_token: String(first.body.access_token),
      scope: 'openid',
    });
    expect(body.scope).toBe('openid');
    expect(claimsOf(body.access_token).act).toEqual({ sub: api.id, client_id: api.id });
  });
});

describe('may_act', () => {
  test('The may_act claim names the only client that may act.', async () => {
    const careful = await register(auth, { ...publicClient, may_act: api.id });
    await auth.deps.clientRegistry.update('demo', api.id, (current) => ({
      ...current,
      token_exchange_subject_clients: [web, careful.client.clientId],
    }));
    await auth.deps.clientRegistry.update('demo', impersonator.id, (current) => ({
      ...current,
      token_exchange_subject_clients: [web, api.id, careful.client.clientId],
    }));
    const { token } = await signIn({}, careful.client.clientId);
    expect(claimsOf(token).may_act).toEqual({ sub: api.id });
    expect((await exchange(api, { subject_token: token })).status).toBe(200);
    expect(await exchange(impersonator, { subject_token: token })).toMatchObject({
      status: 400,
      body: { error: 'invalid_request' },
    });
  });
});

describe('narrowing only', () => {
  test.each([
    ['fewer scopes', 'openid email', 'openid email'],
    ['the same scopes', 'openid profile email groups', 'openid profile email groups'],
  ])('A token exchange may ask for %s.', async (_, scope, granted) => {
    expect((await exchange(api, { scope })).body.scope).toBe(granted);
  });

  test.each([
    ['a scope the subject token lacks', 'openid users:read', 'Scope users:read '],
    [
      'a scope the client is registered for, and the person has no role for',
      'users:write',
      'Scope users:write ',
    ],
    ['a refresh token', 'openid offline_access', 'Scope offline_access '],
    ['a scope nobody knows', 'everything', 'Scope everything '],
    ['nothing but a quote', '"', 'scope must be a space-separated list of at most 100 scopes.'],
  ])('A token exchange that asks for %s is rejected with invalid_scope.', async (_, scope, said) => {
    expect(await exchange(api, { scope })).toMatchObject({
      status: 400,
      body: { error: 'invalid_scope', error_description: expect.stringContaining(said) },
    });
  });

  test('A scope removed in one exchange is not available in a later one.', async () => {
    const narrow = await exchange(api, { scope: 'openid' });
    const again = await exchange(api, {
      subject_token: String(narrow.body.access_token),
      scope: 'openid email',
    });
    expect(again.body.error).toBe('invalid_scope');
    expect((await exchange(api, { subject_token: String(narrow.body.access_token) })).body.scope).toBe(
      'openid',
    );
  });

  test('The audience and resource parameters narrow the audience of a token.', async () => {
    const { token } = await signIn({ resources: [auth.issuer('demo'), 'https://api.example'] });
    const audienceOf = async (fields: Fields) => {
      const { body } = await exchange(api, { subject_token: token, ...fields });
      return { token: String(body.access_token), aud: claimsOf(body.access_token).aud };
    };
    expect((await audienceOf({})).aud).toEqual([auth.issuer('demo'), 'https://api.example']);
    expect((await audienceOf({ resource: 'https://api.example' })).aud).toBe('https://api.example');
    expect((await audienceOf({ resource: 'https://api.example/' })).aud).toBe('https://api.example');
    const narrowed = await audienceOf({ audience: 'https://api.example' });
    expect(narrowed.aud).toBe('https://api.example');
    // A narrowed token cannot regain an audience.
    expect(
      await exchange(api, {
        subject_token: narrowed.token,
        audience: auth.issuer('demo'),
      }),
    ).toMatchObject({ status: 400, body: { error: 'invalid_target' } });
    expect(await userinfo(narrowed.token)).toBe(401);
  });

  test.each([
    ['another audience', { audience: 'https://api.example' }],
    ['another resource', { resource: 'https://other.example' }],
    ['one of several', { audience: ['http://id.test/t/demo', 'https://other.example'] }],
    ["another tenant's API", { audience: 'http://id.test/t/rival' }],
    ["a service's own surface", { audience: 'urn:ostiary:service:directory' }],
    ['the graph, for which the token was not issued', { resource: 'http://id.test/graphql' }],
    ['a resource with a fragment', { resource: 'http://id.test/t/demo#x' }],
    ['a resource that is no URI', { resource: 'here' }],
  ])('A token exchange for %s is rejected with invalid_target.', async (_, fields) => {
    expect(await exchange(api, fields)).toMatchObject({ status: 400, body: { error: 'invalid_target' } });
  });

  test('The exchanged token does not outlive the subject token.', async () => {
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    const { body } = await exchange(api);
    expect(claimsOf(body.access_token).exp).toBe(claimsOf(given.token).exp);
    expect(body.expires_in as number).toBeLessThan(600);
  });
});

test('The discovery document announces the token exchange grant.', async () => {
  const { body } = await auth.get('/t/demo/.well-known/openid-configuration');
  expect(body.grant_types_supported).toEqual(expect.arrayContaining([exchangeGrant]));
});
