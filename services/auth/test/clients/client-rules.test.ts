import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { exportJWK, generateKeyPair } from 'jose';
import {
  authorizeUrl,
  redeem,
  rival,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
  token,
  verifier,
} from '../support/sign-in/service.ts';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
  await service.person('alice');
});
afterAll(() => service?.stop());

const withoutPkce = { code_challenge: undefined, code_challenge_method: undefined };
const oldSoftware = {
  token_endpoint_auth_method: 'client_secret_post',
  require_pkce: false,
  require_consent: false,
} as const;

describe('PKCE at the authorization endpoint', () => {
  test('An exempt client signs a user in with a nonce in place of PKCE.', async () => {
    const client = await service.client(oldSoftware);
    const answer = await signInAndAllow(service.browser(), client, 'alice', { ...withoutPkce, nonce: 'n' });
    const code = answer.searchParams.get('code') ?? '';
    const form = {
      grant_type: 'authorization_code',
      code,
      redirect_uri: 'https://app.example/callback',
      client_secret: client.secret ?? '',
    };
    // A verifier for a code without challenge is rejected: it would be a PKCE downgrade.
    const downgraded = await token(service, client, { ...form, code_verifier: verifier });
    expect(downgraded.body.error).toBe('invalid_grant');
    const redeemed = await token(service, client, form);
    expect(redeemed.status).toBe(200);
    expect(redeemed.body.id_token).toEqual(expect.any(String));
  });

  test.each<[string, object, Record<string, string | undefined>]>([
    ['a client that isn’t exempt', { ...oldSoftware, require_pkce: true }, { nonce: 'n' }],
    ['an exempt client without a nonce', oldSoftware, {}],
    ['an exempt client without openid', oldSoftware, { nonce: 'n', scope: 'profile' }],
    ['an exempt client that names a method', oldSoftware, { nonce: 'n', code_challenge_method: 'S256' }],
    [
      'an exempt client with plain',
      oldSoftware,
      { nonce: 'n', code_challenge: verifier, code_challenge_method: 'plain' },
    ],
  ])('The authorization request of %s is rejected when it omits PKCE.', async (_, metadata, fields) => {
    const client = await service.client(metadata);
    const { location } = await service.browser().get(authorizeUrl(client, { ...withoutPkce, ...fields }));
    const answer = new URL(location ?? '');
    expect([answer.origin, answer.searchParams.get('error')]).toEqual([
      'https://app.example',
      'invalid_request',
    ]);
  });

  test('An exempt client that sends a challenge must present its verifier.', async () => {
    const client = await service.client(oldSoftware);
    const answer = await signInAndAllow(service.browser(), client, 'alice', {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    });
    const form = {
      grant_type: 'authorization_code',
      code: answer.searchParams.get('code') ?? '',
      redirect_uri: 'https://app.example/callback',
      client_secret: client.secret ?? '',
    };
    expect((await token(service, client, form)).body.error).toBe('invalid_grant');
    expect((await token(service, client, { ...form, code_verifier: verifier })).status).toBe(200);
  });
});

test('A native app receives its code at its own scheme, and every similar redirect URI is rejected.', async () => {
  const uri = 'com.example.notes:/callback';
  const client = await service.client({ application_type: 'native', redirect_uris: [uri] });
  const answer = await signInAndAllow(service.browser(), client, 'alice', { redirect_uri: uri });
  expect([answer.protocol, answer.pathname]).toEqual(['com.example.notes:', '/callback']);
  const { body } = await token(service, client, {
    grant_type: 'authorization_code',
    code: answer.searchParams.get('code') ?? '',
    redirect_uri: uri,
    code_verifier: verifier,
  });
  expect(body.access_token).toEqual(expect.any(String));
  for (const near of [
    `${uri}/`,
    'com.example.notes://callback',
    'COM.example.notes:/callback',
    'com.example.other:/callback',
  ]) {
    const page = await service.browser().get(authorizeUrl(client, { redirect_uri: near }));
    expect([page.status, page.location]).toEqual([400, undefined]);
  }
});

describe('the graph', () => {
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asked for
  type Answer = { data: any; errors?: { message: string; extensions: { code: string } }[] };

  const bearers = new Map<string, string>();

  async function bearer(scope: string, of = tenant): Promise<string> {
    const known = bearers.get(`${of} ${scope}`);
    if (known) return known;
    const machine = await service.client(
      {
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: ['client_credentials'],
        redirect_uris: [],
        scope,
      },
      of,
    );
    const { body } = await token(service, machine, {
      grant_type: 'client_credentials',
      client_secret: machine.secret ?? '',
    });
    bearers.set(`${of} ${scope}`, body.access_token ?? '');
    return body.access_token ?? '';
  }

  async function ask(
    query: string,
    input: object = {},
    o: { scope?: string; of?: string } = {},
  ): Promise<Answer> {
    const response = await fetch(`${service.origin}/graphql`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${await bearer(o.scope ?? 'clients:read clients:write users:read', o.of)}`,
      },
      body: JSON.stringify({ query, variables: { input } }),
    });
    return (await response.json()) as Answer;
  }
  const codeOf = (answer: Answer) => answer.errors?.[0]?.extensions.code;

  const register = `mutation ($input: RegisterClientInput!) { registerClient(input: $input) {
    client { id tokenEndpointAuthMethod jwks jwksUri requirePkce introspectionSignedResponseAlg } clientSecret } }`;
  const update = `mutation ($input: UpdateClientInput!) { updateClient(input: $input) {
    client { id name redirectUris scopes requirePkce tokenEndpointAuthMethod jwksUri } clientSecret } }`;
  const remove = 'mutation ($input: ClientInput!) { deleteClient(input: $input) { clientId } }';
  const invite = `mutation ($input: CreateInitialAccessTokenInput!) { createInitialAccessToken(input: $input) {
    token initialAccessToken { id name scopes usesLeft expiresAt } } }`;

  test('The graph registers a client with a private key and without a secret.', async () => {
    const jwk = { ...(await exportJWK((await generateKeyPair('ES256')).publicKey)), kid: 'k' };
    const input = {
      name: 'Machine',
      tokenEndpointAuthMethod: 'PRIVATE_KEY_JWT',
      grantTypes: ['client_credentials'],
      jwks: JSON.stringify({ keys: [jwk] }),
    };
    const { data } = await ask(register, input);
    expect(data.registerClient).toMatchObject({
      client: { tokenEndpointAuthMethod: 'PRIVATE_KEY_JWT', requirePkce: true, jwksUri: null },
      clientSecret: null,
    });
    expect(JSON.parse(data.registerClient.client.jwks).keys[0].kid).toBe('k');
    for (const jwks of [
      'nonsense',
      '[]',
      '{"keys":[{"kty":"oct","k":"AQAB"}]}',
      JSON.stringify({ keys: [{ ...jwk, d: 'AQAB' }] }),
    ]) {
      expect(codeOf(await ask(register, { ...input, jwks }))).toBe('BAD_USER_INPUT');
    }
  });

  test('The graph sets and clears the back-channel logout URI of a client.', async () => {
    const fields = '{ client { id backchannelLogoutUri backchannelLogoutSessionRequired } }';
    const register = `mutation ($input: RegisterClientInput!) { registerClient(input: $input) ${fields} }`;
    const update = `mutation ($input: UpdateClientInput!) { updateClient(input: $input) ${fields} }`;
    const { data } = await ask(register, {
      name: 'Told',
      redirectUris: ['https://app.example/cb'],
      backchannelLogoutUri: 'https://app.example/logout',
      backchannelLogoutSessionRequired: true,
    });
    const { id, ...shown } = data.registerClient.client;
    expect(shown).toEqual({
      backchannelLogoutUri: 'https://app.example/logout',
      backchannelLogoutSessionRequired: true,
    });
    const taken = await ask(update, { id, backchannelLogoutUri: null });
    expect(taken.data.updateClient.client).toEqual({
      id,
      backchannelLogoutUri: null,
      backchannelLogoutSessionRequired: false,
    });
    expect(codeOf(await ask(update, { id, backchannelLogoutUri: 'https://app.example/#top' }))).toBe(
      'BAD_USER_INPUT',
    );
  });

  test('The graph sets and clears the request object settings of a client.', async () => {
    const fields = '{ client { id requestObjectSigningAlg requestUris requireSignedRequestObject } }';
    const register = `mutation ($input: RegisterClientInput!) { registerClient(input: $input) ${fields} }`;
    const update = `mutation ($input: UpdateClientInput!) { updateClient(input: $input) ${fields} }`;
    const jwk = await exportJWK((await generateKeyPair('RS256')).publicKey);
    const given = {
      requestObjectSigningAlg: 'RS256',
      requestUris: ['https://app.example/request.jwt'],
      requireSignedRequestObject: true,
    };
    const { data } = await ask(register, {
      name: 'Signing',
      redirectUris: ['https://app.example/cb'],
      jwks: JSON.stringify({ keys: [jwk] }),
      ...given,
    });
    const { id, ...shown } = data.registerClient.client;
    expect(shown).toEqual(given);
    expect(codeOf(await ask(update, { id, requestObjectSigningAlg: 'NONE' }))).toBe('BAD_USER_INPUT');
    for (const requestUris of [['https://10.0.0.1/request'], ['https://localhost/request'], ['x']]) {
      expect(codeOf(await ask(update, { id, requestUris }))).toBe('BAD_USER_INPUT');
    }
    const unsigned = await ask(update, {
      id,
      requestObjectSigningAlg: 'NONE',
      requireSignedRequestObject: null,
      requestUris: null,
    });
    expect(unsigned.data.updateClient.client).toEqual({
      id,
      requestObjectSigningAlg: 'NONE',
      requestUris: [],
      requireSignedRequestObject: false,
    });
  });

  test('The graph changes the given members of a client and keeps the others.', async () => {
    const client = await service.client({ scope: 'openid email' });
    const { data } = await ask(update, {
      id: client.clientId,
      name: 'Renamed',
      redirectUris: ['https://new.example/cb'],
    });
    expect(data.updateClient).toEqual({
      client: {
        id: client.clientId,
        name: 'Renamed',
        redirectUris: ['https://new.example/cb'],
        scopes: ['openid', 'email'],
        requirePkce: true,
        tokenEndpointAuthMethod: 'NONE',
        jwksUri: null,
      },
      clientSecret: null,
    });
    const confidential = await ask(update, {
      id: client.clientId,
      tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC',
      requirePkce: false,
    });
    expect(confidential.data.updateClient).toMatchObject({
      client: { requirePkce: false, tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC' },
      clientSecret: expect.any(String),
    });
    const machine = await ask(update, {
      id: client.clientId,
      requirePkce: true,
      grantTypes: ['client_credentials'],
    });
    expect(machine.errors).toBeUndefined();
  });

  test('A change to a client takes effect immediately at the token endpoint.', async () => {
    const client = await service.client({ scope: 'openid profile users:read' });
    const answer = await signInAndAllow(service.browser(), client, 'alice');
    await ask(update, {
      id: client.clientId,
      grantTypes: ['client_credentials'],
      tokenEndpointAuthMethod: 'CLIENT_SECRET_POST',
    });
    expect((await redeem(service, client, answer)).body.error).toBe('invalid_client');
  });

  test.each([
    ['a redirect URI over http', { redirectUris: ['http://evil.example'] }],
    ['going without PKCE as a public client', { requirePkce: false }],
    ['a private key method without keys', { tokenEndpointAuthMethod: 'PRIVATE_KEY_JWT' }],
    ['an unknown scope', { scopes: ['everything'] }],
    ['an empty name', { name: ' ' }],
  ])('The graph rejects %s in a client update.', async (_, change) => {
    const client = await service.client();
    expect(codeOf(await ask(update, { id: client.clientId, ...change }))).toBe('BAD_USER_INPUT');
  });

  test('The graph deletes a client.', async () => {
    const client = await service.client();
    expect((await ask(remove, { id: client.clientId })).data.deleteClient).toEqual({
      clientId: client.clientId,
    });
    expect(codeOf(await ask(remove, { id: client.clientId }))).toBe('NOT_FOUND');
    expect((await service.browser().get(authorizeUrl(client))).status).toBe(400);
  });

  test('An administrator of another tenant and a caller with read access cannot change a client.', async () => {
    const client = await service.client();
    const { clientId: id } = client;
    for (const [mutation, input] of [
      [update, { id, name: 'X' }],
      [remove, { id }],
    ] as const) {
      expect(codeOf(await ask(mutation, input, { of: rival }))).toBe('NOT_FOUND');
      expect(codeOf(await ask(mutation, input, { scope: 'clients:read' }))).toBe('FORBIDDEN');
    }
    expect(codeOf(await ask(invite, { name: 'x' }, { scope: 'clients:read' }))).toBe('FORBIDDEN');
    for (const list of ['initialAccessTokens { id }', 'liveInitialAccessTokens { totalCount }'])
      expect((await ask(`{ ${list} }`, {}, { scope: 'users:read' })).errors).toHaveLength(1);
    expect((await service.deps.clients.find(tenant, id))?.name).toBe('Notes <App>');
  });

  test('An initial access token created in the graph registers as many clients as its uses allow, and can be revoked.', async () => {
    const { data } = await ask(invite, { name: 'CI', scopes: ['openid', 'email'], uses: 2 });
    const { token: initial, initialAccessToken } = data.createInitialAccessToken;
    expect(initialAccessToken).toMatchObject({ name: 'CI', scopes: ['openid', 'email'], usesLeft: 2 });
    const use = async () => {
      const response = await fetch(`${service.origin}/t/${tenant}/register`, {
        method: 'POST',
        headers: { authorization: `Bearer ${initial}`, 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: ['https://notes.example/cb'] }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    expect(await use()).toMatchObject({
      status: 201,
      body: { scope: 'openid email', client_name: 'notes.example' },
    });
    const list = await ask('{ initialAccessTokens { id usesLeft } }');
    expect(list.data.initialAccessTokens).toContainEqual({ id: initialAccessToken.id, usesLeft: 1 });
    const paged = '{ liveInitialAccessTokens(last: 1) { totalCount edges { node { id usesLeft } } } }';
    expect((await ask(paged)).data.liveInitialAccessTokens).toMatchObject({
      totalCount: list.data.initialAccessTokens.length,
    });
    const ofRival = await ask(`{ initialAccessTokens { id } ${paged.slice(1)}`, {}, { of: rival });
    expect(ofRival.data).toEqual({
      initialAccessTokens: [],
      liveInitialAccessTokens: { totalCount: 0, edges: [] },
    });
    const revoke = `mutation ($input: RevokeInitialAccessTokenInput!) {
      revokeInitialAccessToken(input: $input) { initialAccessTokenId } }`;
    const input = { id: initialAccessToken.id };
    expect(codeOf(await ask(revoke, input, { of: rival }))).toBe('NOT_FOUND');
    expect(codeOf(await ask(revoke, { id: 'nonsense' }))).toBe('NOT_FOUND');
    expect((await ask(revoke, input)).errors).toBeUndefined();
    expect((await use()).status).toBe(401);
  });

  test('A caller cannot grant scopes beyond its own.', async () => {
    const client = await service.client({ scope: 'openid users:read' });
    const own = { scope: 'clients:read clients:write' };
    for (const [mutation, input] of [
      [invite, { name: 'x', scopes: ['openid', 'users:write'] }],
      [register, { name: 'x', grantTypes: ['client_credentials'], scopes: ['users:write'] }],
      [update, { id: client.clientId, redirectUris: ['https://evil.example/cb'] }],
    ] as const) {
      expect(codeOf(await ask(mutation, input, own))).toBe('FORBIDDEN');
    }
  });

  test.each([
    ['no use', { uses: 0 }],
    ['endless uses', { uses: 1_001 }],
    ['a short life', { expiresIn: 1 }],
    ['a long life', { expiresIn: 7_776_001 }],
    ['an unknown scope', { scopes: ['everything'] }],
    ['a name of nothing', { name: ' ' }],
    ['a name with a NUL', { name: 'a\u0000' }],
  ])('The graph rejects an initial access token with %s.', async (_, change) => {
    expect(codeOf(await ask(invite, { name: 'x', ...change }))).toBe('BAD_USER_INPUT');
  });
});
