import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ClientMetadata } from '../../src/clients/domain/client-registry.ts';
import { tokenExchangeGrantType } from '../../src/clients/domain/exchange-policy.ts';
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

// A narrowed client loses its access tokens: immediately at the authorization server, and with the revocation feed at
// every verifier.

let backend: Backend;
let auth: RunningAuth;
const orders = 'https://orders.example/v1';

beforeAll(async () => {
  backend = await createBackend();
  auth = await startAuth(backend);
});

afterAll(async () => {
  await auth?.stop();
  await backend?.drop();
});

const isLive = async (token: unknown, tenant = 'demo') =>
  (await auth.deps.introspection.liveAccessToken(tenant, String(token))) !== null;

const change = (clientId: string, changes: Partial<ClientMetadata>, tenant = 'demo') =>
  auth.deps.clientRegistry.update(tenant, clientId, (current) => ({ ...current, ...changes }));

/** Registers an app for users, with tokens issued for one of them. */
async function app(metadata: object = {}) {
  const { client } = await register(auth, {
    ...publicClient,
    resources: [orders],
    ...metadata,
  });
  const { form, person } = await issueCode(auth, client.clientId, {
    scopes: ['openid', 'email', 'offline_access'],
  });
  const { body } = await auth.post('/t/demo/token', form);
  const refresh = () =>
    auth.post('/t/demo/token', {
      grant_type: 'refresh_token',
      refresh_token: String(body.refresh_token),
      client_id: client.clientId,
    });
  return { client, person, body, refresh };
}

/** Registers an app with client credentials. */
async function robot(metadata: object = {}) {
  const { client, clientSecret } = await register(auth, {
    grant_types: ['client_credentials', tokenExchangeGrantType],
    redirect_uris: [],
    scope: 'users:read groups:read',
    resources: [orders],
    ...metadata,
  });
  const basic = [client.clientId, clientSecret ?? ''] as const;
  const { body } = await auth.post('/t/demo/token', { grant_type: 'client_credentials' }, { basic });
  return { client, basic, token: body.access_token };
}

describe('access tokens of a narrowed app', () => {
  test.each<[string, object, Partial<ClientMetadata>]>([
    ['scopes', {}, { scope: 'users:read' }],
    ['resources', {}, { resources: [] }],
    [
      'clients whose tokens it may exchange',
      { token_exchange_subject_clients: ['somebody'] },
      { token_exchange_subject_clients: [] },
    ],
    ['impersonation', { token_exchange_impersonation: true }, { token_exchange_impersonation: false }],
    ['who may act for its subjects', { may_act: 'somebody' }, { may_act: 'another' }],
    ['grant types', {}, { grant_types: ['client_credentials'] }],
    ['tokens without a key', {}, { dpop_bound_access_tokens: true }],
  ])('The access tokens of an app end when a change narrows its %s.', async (_, metadata, changes) => {
    const mine = await robot(metadata);
    const other = await robot(metadata);
    const said = (await auth.deps.verifier.verify(String(mine.token), { audience: auth.issuer('demo') }))
      .clientId;
    expect([said, await isLive(mine.token)]).toEqual([mine.client.clientId, true]);
    await change(mine.client.clientId, changes);
    expect(await isLive(mine.token)).toBe(false);
    await expect(
      auth.deps.verifier.verify(String(mine.token), { audience: auth.issuer('demo') }),
    ).rejects.toThrow();
    expect(await isLive(other.token)).toBe(true);
  });

  test('The access tokens of an app for itself end when it loses an own scope of an API, and others stay.', async () => {
    const scope = 'parcels:read';
    await auth.deps.apis.register('demo', {
      identifier: 'https://parcels.example',
      name: 'Parcels',
      scopes: [scope, 'parcels:write'].map((name) => ({ name, descriptions: {} })),
      roles: [],
      tokenLifetimeSeconds: null,
      tokenFormat: 'jwt',
    });
    const issued = async (own_scopes: string[]) => {
      const { client, basic } = await robot({ own_scopes });
      const form = { grant_type: 'client_credentials', scope };
      return { client, token: (await auth.post('/t/demo/token', form, { basic })).body.access_token };
    };
    const [mine, other] = [await issued([scope, 'parcels:write']), await issued([scope])];
    expect(claimsOf(mine.token)).toMatchObject({ aud: 'https://parcels.example', scope });
    await change(mine.client.clientId, { own_scopes: ['parcels:write'] });
    expect([await isLive(mine.token), await isLive(other.token)]).toEqual([false, true]);
  });

  test('A token that is requested after the change stays within the remaining scopes.', async () => {
    const { client, basic } = await robot();
    await change(client.clientId, { scope: 'users:read' });
    const { body } = await auth.post('/t/demo/token', { grant_type: 'client_credentials' }, { basic });
    expect([body.scope, await isLive(body.access_token)]).toEqual(['users:read', true]);
  });
});

describe('access tokens of a pairwise client', () => {
  const pairwise = {
    subject_type: 'pairwise',
    scope: 'openid email offline_access',
    application_type: 'web' as const,
    redirect_uris: ['https://one.example/cb'],
  };
  const signIn = async (metadata: Partial<ClientMetadata>) => {
    const { client } = await register(auth, { ...publicClient, resources: [orders], ...metadata });
    const { form } = await issueCode(auth, client.clientId, {
      scopes: ['openid', 'email', 'offline_access'],
      ...(metadata.redirect_uris && { redirectUri: metadata.redirect_uris[0] }),
    });
    return { client, body: (await auth.post('/t/demo/token', form)).body };
  };

  test.each<[string, Partial<ClientMetadata>]>([
    ['no longer gets pairwise identifiers', { subject_type: 'public' }],
    ['moves to another sector', { redirect_uris: ['https://two.example/cb'] }],
  ])('The access tokens of a client end when it %s, and its refresh tokens stay.', async (_, changes) => {
    const { client, body } = await signIn(pairwise);
    await change(client.clientId, changes);
    expect(await isLive(body.access_token)).toBe(false);
    const refreshed = await auth.post('/t/demo/token', {
      grant_type: 'refresh_token',
      refresh_token: String(body.refresh_token),
      client_id: client.clientId,
    });
    expect(claimsOf(refreshed.body.access_token).sub).not.toBe(claimsOf(body.access_token).sub);
  });

  test.each<[string, Partial<ClientMetadata>, Partial<ClientMetadata>]>([
    ['gets another path in its sector', pairwise, { redirect_uris: ['https://one.example/other'] }],
    ['becomes pairwise', { ...pairwise, subject_type: 'public' }, { subject_type: 'pairwise' }],
  ])('No access token of a client ends when it %s.', async (_, metadata, changes) => {
    const { client, body } = await signIn(metadata);
    await change(client.clientId, changes);
    expect(await isLive(body.access_token)).toBe(true);
  });
});

test('A change that widens an app or does not affect its permissions ends no access token.', async () => {
  const { client, token } = await robot();
  for (const changes of [
    { scope: 'users:read groups:read scim:read' },
    { client_name: 'Another name' },
    { resources: [orders, 'https://more.example'] },
    {
      redirect_uris: ['https://app.example/cb'],
      grant_types: [...client.grantTypes, 'authorization_code'],
      response_types: ['code'],
    },
  ])
    await change(client.clientId, changes);
  expect(await isLive(token)).toBe(true);
});

describe('an app with signed-in users', () => {
  test('An app that loses a scope keeps its authorization with the remaining scopes.', async () => {
    const { client, body, refresh } = await app();
    expect(await isLive(body.access_token)).toBe(true);
    await change(client.clientId, { scope: 'openid offline_access' });
    expect(await isLive(body.access_token)).toBe(false);
    const again = await refresh();
    expect([again.status, again.body.scope]).toEqual([200, 'openid offline_access']);
    expect(await isLive(again.body.access_token)).toBe(true);
    // With the scope restored, the user's consent still applies, but the old token stays revoked.
    await change(client.clientId, { scope: 'openid email offline_access' });
    expect(await isLive(body.access_token)).toBe(false);
  });

  test('An app that loses a grant type loses everything issued on that grant.', async () => {
    const { client, body, refresh } = await app();
    await change(client.clientId, { grant_types: ['authorization_code'] });
    expect(await isLive(body.access_token)).toBe(false);
    await change(client.clientId, { grant_types: ['authorization_code', 'refresh_token'] });
    expect((await refresh()).body.error).toBe('invalid_grant');
  });

  test('A personal access token made by the app ends when its scopes exceed those of the app.', async () => {
    const { client, person } = await app();
    const subject = await auth.deps.subjects.find('demo', person.subjectId);
    if (!subject) throw new Error('no subject');
    const made = (scopes: string[]) =>
      auth.deps.apiTokens.createPersonal(
        'demo',
        subject,
        { name: 'x', scopes },
        { clientId: client.clientId },
      );
    const [wide, narrow] = [await made(['openid', 'email']), await made(['openid'])];
    await change(client.clientId, { scope: 'openid offline_access' });
    expect([await isLive(wide.token), await isLive(narrow.token)]).toEqual([false, true]);
  });

  test('A code that is redeemed while the app is narrowed yields no live token with the removed scope.', async () => {
    const { client } = await register(auth, { ...publicClient });
    for (let round = 0; round < 5; round += 1) {
      const { form } = await issueCode(auth, client.clientId, { scopes: ['openid', 'email'] });
      const scope = round % 2 === 0 ? 'openid profile' : 'openid profile email';
      const [redeemed] = await Promise.all([
        auth.post('/t/demo/token', form),
        change(client.clientId, { scope }),
      ]);
      const scopes = String(redeemed.body.scope ?? '').split(' ');
      if (redeemed.status === 200 && round % 2 === 0 && scopes.includes('email'))
        expect(await isLive(redeemed.body.access_token)).toBe(false);
    }
  });
});

test('A client with the same client_id in another tenant keeps its tokens.', async () => {
  const mine = await robot();
  await auth.deps.clientRegistry.register(
    'rival',
    {
      client_name: 'x',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope: 'users:read groups:read',
    },
    { clientId: mine.client.clientId },
  );
  await change(mine.client.clientId, { scope: 'users:read' }, 'rival');
  expect(await isLive(mine.token)).toBe(true);
});

describe('refresh tokens of a narrowed app', () => {
  test.each<[string, Partial<ClientMetadata>, string]>([
    ['scopes', { scope: 'openid' }, 'openid'],
    ['resources', { resources: [] }, 'openid email'],
  ])(
    'After the removal of %s, introspection returns the remaining scopes and the new epoch of the client.',
    async (_name, changes, scope) => {
      const { client, clientSecret = '' } = await register(auth, {
        ...publicClient,
        token_endpoint_auth_method: 'client_secret_basic',
        redirect_uris: ['https://app.example/cb'],
        scope: 'openid email',
        resources: [orders],
      });
      const basic = [client.clientId, clientSecret] as const;
      const { form } = await issueCode(auth, client.clientId, {
        redirectUri: 'https://app.example/cb',
        scopes: ['openid', 'email'],
      });
      const { body } = await auth.post('/t/demo/token', { ...form, client_id: undefined }, { basic });
      const introspect = async () =>
        (await auth.post('/t/demo/introspect', { token: String(body.refresh_token) }, { basic })).body;
      const { client_epoch: epoch } = claimsOf(body.access_token);
      expect(await introspect()).toMatchObject({ active: true, scope: 'openid email', client_epoch: epoch });
      await change(client.clientId, changes);
      expect(await introspect()).toMatchObject({ active: true, scope, client_epoch: Number(epoch) + 1 });
    },
  );
});
