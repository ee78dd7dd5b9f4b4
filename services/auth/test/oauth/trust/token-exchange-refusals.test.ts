import { describe, expect, test } from '@jest/globals';
import { accessTokenType, exchangeGrant } from '../../support/assertions.ts';
import {
  api,
  auth,
  backOffice,
  confidential,
  exchange,
  type Given,
  given,
  own,
  setUpExchange,
  signIn,
  stranger,
  web,
} from '../../support/exchange.ts';
import { claimsOf, type Fields, publicClient, register } from '../../support/running-auth.ts';

setUpExchange();

describe('rejected tokens', () => {
  const kinds: [string, (g: Given) => Fields | Promise<Fields>][] = [
    ['an ID token', (g) => ({ subject_token: g.idToken })],
    [
      'an ID token, by its name',
      (g) => ({
        subject_token: g.idToken,
        subject_token_type: 'urn:ietf:params:oauth:token-type:id_token',
      }),
    ],
    ['a refresh token', (g) => ({ subject_token: g.refreshToken })],
    [
      'a refresh token, by its name',
      (g) => ({
        subject_token: g.refreshToken,
        subject_token_type: 'urn:ietf:params:oauth:token-type:refresh_token',
      }),
    ],
    ['an access token called something else', () => ({ subject_token_type: 'access_token' })],
    ['no type', () => ({ subject_token_type: undefined })],
    ['no token', () => ({ subject_token: undefined })],
    ['an empty token', () => ({ subject_token: '' })],
    ['two tokens', (g) => ({ subject_token: [g.token, g.token] })],
    ['a truncated token', (g) => ({ subject_token: g.token.slice(0, -4) })],
    ['a token with a byte changed', (g) => ({ subject_token: `${g.token.slice(0, -6)}AAAAAA` })],
    [
      'a token without a signature',
      (g) => ({ subject_token: `${g.token.split('.').slice(0, 2).join('.')}.` }),
    ],
    ['a token beyond any length', () => ({ subject_token: 'x'.repeat(40_000) })],
    [
      'another type wanted',
      () => ({ requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }),
    ],
    ['an ID token wanted', () => ({ requested_token_type: 'urn:ietf:params:oauth:token-type:id_token' })],
    ['an actor type without a token', () => ({ actor_token_type: accessTokenType })],
    ['an actor token without a type', (g) => ({ actor_token: g.token })],
    ['an ID token as the actor', (g) => ({ actor_token: g.idToken, actor_token_type: accessTokenType })],
    ['an API token that is none', () => ({ subject_token: `ost_pat_${'A'.repeat(46)}` })],
    [
      "another tenant's token",
      async () => {
        const { client } = await register(auth, publicClient, 'rival');
        return { subject_token: (await signIn({ tenant: 'rival' }, client.clientId)).token };
      },
    ],
  ];

  test.each(kinds)('A token exchange with %s is rejected with invalid_request.', async (_, fields) => {
    const answer = await exchange(api, await fields(given));
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(JSON.stringify(answer.body)).not.toContain('eyJ');
  });

  test('A subject token of a client that the policy does not name is rejected.', async () => {
    for (const client of [stranger, backOffice]) {
      expect(await exchange(client)).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    }
  });

  test('An actor token of a client that the policy does not name is rejected.', async () => {
    const answer = await exchange(api, {
      actor_token: await own(await confidential({ scope: 'users:read' })),
      actor_token_type: accessTokenType,
    });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
  });

  test('An actor token that itself has an actor is rejected.', async () => {
    const { body } = await exchange(api);
    const answer = await exchange(api, {
      actor_token: String(body.access_token),
      actor_token_type: accessTokenType,
    });
    expect(answer.body.error).toBe('invalid_request');
  });

  test('A subject token that is bound to a key is rejected without proof of that key.', async () => {
    const client = await auth.deps.clients.find('demo', web);
    if (!client) throw new Error('no client');
    const { subjectId, sessionId } = given.person;
    const { token } = await auth.deps.accessTokens.issue('demo', {
      client,
      scopes: ['openid'],
      resources: [],
      dpopJkt: 'a'.repeat(43),
      grant: {
        subjectId,
        subjectEpoch: 0,
        grantId: String(claimsOf(given.token).grant_id),
        sessionId,
        authTime: 0,
        amr: [],
        acr: null,
        expiresAt: Math.floor(Date.now() / 1000) + 600,
      } as never,
    });
    const answer = await exchange(api, { subject_token: token });
    expect(answer).toMatchObject({ status: 400, body: { error: 'invalid_request' } });
    expect(answer.body.error_description).toMatch(/bound to a key/);
  });
});

describe('rejected clients', () => {
  test('A client without the token exchange grant is rejected.', async () => {
    const { client, clientSecret } = await register(auth, {
      grant_types: ['client_credentials'],
      redirect_uris: [],
    });
    expect(await exchange({ id: client.clientId, secret: clientSecret ?? '' })).toMatchObject({
      status: 400,
      body: { error: 'unauthorized_client' },
    });
  });

  test('A client that does not present its secret is rejected at a token exchange.', async () => {
    const answer = await exchange({ id: api.id, secret: 'wrong' });
    expect(answer).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
    const none = await auth.post('/t/demo/token', {
      grant_type: exchangeGrant,
      client_id: api.id,
      subject_token: given.token,
      subject_token_type: accessTokenType,
    });
    expect(none).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });

  test('A public client cannot be registered for token exchange, nor a policy without the grant.', async () => {
    await expect(
      register(auth, { ...publicClient, grant_types: ['authorization_code', exchangeGrant] }),
    ).rejects.toMatchObject({
      code: 'invalid_client_metadata',
    });
    await expect(
      register(auth, { ...publicClient, token_exchange_subject_clients: [web] }),
    ).rejects.toMatchObject({ code: 'invalid_client_metadata' });
    await expect(confidential({ token_exchange_subject_clients: ['two words'] })).rejects.toMatchObject({
      code: 'invalid_client_metadata',
    });
  });
});
