import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { newApiToken, subgraphAudience } from '@ostiary/access';
import type { Client } from '../../src/domain/ports.ts';
import {
  eventually,
  redeem,
  rival,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
  token,
  userinfoStatus,
} from './service.ts';

interface GraphAnswer {
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asked for
  data: any;
  errors?: { message: string; extensions: { code: string } }[];
}

let service: TestService;
let app: Client;
let admin: string;
let rivalAdmin: string;

const everything =
  'sessions:read sessions:write clients:read clients:write roles:read roles:write users:read users:write';

beforeAll(async () => {
  service = await startTestService();
  app = await service.client({
    require_consent: false,
    scope: 'openid profile email groups offline_access users:read',
  });
  admin = await machineToken(tenant, everything);
  rivalAdmin = await machineToken(rival, everything);
});
afterAll(() => service.stop());

async function machine(of: string, scope: string) {
  return service.client(
    {
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope,
    },
    of,
  );
}

async function machineToken(of: string, scope: string): Promise<string> {
  const client = await machine(of, scope);
  const answer = await token(service, client, {
    grant_type: 'client_credentials',
    client_secret: client.secret ?? '',
  });
  return answer.body.access_token ?? '';
}

async function ask(query: string, variables: object, accessToken: string): Promise<GraphAnswer> {
  const response = await fetch(`${service.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ query, variables }),
  });
  return (await response.json()) as GraphAnswer;
}

const codesOf = (answer: GraphAnswer): string[] | undefined =>
  answer.errors?.map((error) => error.extensions.code);

async function signedIn(userName: string, o: { admin?: boolean; scope?: string } = {}) {
  const person = await service.person(userName);
  if (o.admin) {
    await service.internal('POST', `/tenants/${tenant}/roles`, { subject: person.id, role: 'tenant_admin' });
  }
  const scope = o.scope ?? 'openid profile';
  const { body } = await redeem(
    service,
    app,
    await signInAndAllow(service.browser(), app, userName, { scope }),
  );
  return { person, accessToken: body.access_token ?? '' };
}

const create = `mutation ($input: CreatePersonalAccessTokenInput!) {
  createPersonalAccessToken(input: $input) {
    token personalAccessToken { id name hint scopes createdAt expiresAt lastUsedAt } } }`;
const revoke = `mutation ($id: ID!) { revokePersonalAccessToken(input: { id: $id }) { id user { id } } }`;
const tokensOf = `query ($of: [_Any!]!) { _entities(representations: $of) { ... on User {
  personalAccessTokens { id name hint scopes lastUsedAt expiresAt } } } }`;
const representation = (id: string) => ({ of: [{ __typename: 'User', id }] });

async function personal(
  accessToken: string,
  input: Record<string, unknown> = {},
): Promise<{ id: string; token: string; scopes: string[] }> {
  const answer = await ask(create, { input: { name: 'laptop', ...input } }, accessToken);
  if (answer.errors) throw new Error(JSON.stringify(answer.errors));
  const { personalAccessToken, token: secret } = answer.data.createPersonalAccessToken;
  return { id: personalAccessToken.id, scopes: personalAccessToken.scopes, token: secret };
}

const listOf = async (id: string, by: string) =>
  (await ask(tokensOf, representation(id), by)).data._entities[0]?.personalAccessTokens;

describe('a personal access token', () => {
  test('is shown once, does what its owner’s access token does, and only its keyed digest is stored', async () => {
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

  test('is listed to its owner and to administrators, with its last use; to nobody else', async () => {
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

  test('counts nowhere but in its tenant, and only whole', async () => {
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

  test('has no scope that its owner, or the token that asked for it, does not have', async () => {
    const { accessToken: plain } = await signedIn('dave', { scope: 'openid profile users:read' });
    expect((await personal(plain)).scopes).toEqual(['openid', 'profile']);
    for (const scope of ['users:read', 'email', 'offline_access', 'nonsense', '', '\u0000']) {
      const answer = await ask(create, { input: { name: 'x', scopes: ['openid', scope] } }, plain);
      expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
      expect(answer.data?.createPersonalAccessToken ?? null).toBeNull();
    }
    const { accessToken: boss } = await signedIn('erin', { admin: true, scope: 'openid users:read' });
    expect((await personal(boss, { scopes: ['users:read'] })).scopes).toEqual(['users:read']);
    expect(codesOf(await ask(create, { input: { name: 'x', scopes: ['users:write'] } }, boss))).toEqual([
      'BAD_USER_INPUT',
    ]);
  });

  test('without openid it is no ticket to userinfo', async () => {
    const { accessToken } = await signedIn('olga');
    const { token: secret } = await personal(accessToken, { scopes: ['profile'] });
    expect(await userinfoStatus(service, secret)).toBe(403);
  });

  test('can’t make another; and an app has none', async () => {
    const { accessToken } = await signedIn('frank');
    const { token: secret } = await personal(accessToken);
    expect(codesOf(await ask(create, { input: { name: 'x' } }, secret))).toEqual(['FORBIDDEN']);
    expect(codesOf(await ask(create, { input: { name: 'x' } }, admin))).toEqual(['FORBIDDEN']);
  });

  test('can’t be made by who acts for a person: it would outlive their right to', async () => {
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
  });

  test('can’t be made with a token that is bound to a key: it would be one for anybody', async () => {
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
  ])('is refused with %s', async (_name, input) => {
    const { accessToken } = await signedIn(`guest-${Math.random()}`);
    expect(codesOf(await ask(create, { input }, accessToken))).toEqual(['BAD_USER_INPUT']);
  });

  test('lives no longer than it was made for', async () => {
    const { accessToken } = await signedIn('grace');
    const expiresAt = new Date(Date.now() + 1_500).toISOString();
    const { token: secret } = await personal(accessToken, { expiresAt });
    expect(await userinfoStatus(service, secret)).toBe(200);
    await eventually(async () => (await userinfoStatus(service, secret)) === 401);
    expect(codesOf(await ask('{ __typename }', {}, secret))).toEqual(['UNAUTHENTICATED']);
  });

  test('there are fifty of one person at most, also when sixty are asked for at once', async () => {
    const { person, accessToken } = await signedIn('heidi');
    const answers = await Promise.all(
      Array.from({ length: 60 }, () => ask(create, { input: { name: 'many' } }, accessToken)),
    );
    expect(answers.filter((answer) => !answer.errors)).toHaveLength(50);
    expect(new Set(answers.flatMap((answer) => codesOf(answer) ?? []))).toEqual(new Set(['CONFLICT']));
    expect(await listOf(person.id, accessToken)).toHaveLength(50);
  });

  test('is introspected by resource servers of its tenant like an access token', async () => {
    const { person, accessToken } = await signedIn('ivan');
    const made = await personal(accessToken);
    const introspect = async (of: string, secret: string) => {
      const api = await machine(of, '');
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

  test('the internal door says what verifiers need, to our own services only', async () => {
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

describe('a personal access token ends', () => {
  test.each([
    ['disabled', (id: string) => service.deps.clientRegistry.disable(tenant, id)],
    ['deleted', (id: string) => service.deps.clientRegistry.delete(tenant, id)],
  ])(
    'when the app that made it is %s, also where it is remembered; one that the person made stays',
    async (how, end) => {
      const owner = await service.person(`owner-${how}`);
      const maker = await service.client({ require_consent: false, scope: 'openid profile' });
      const { body } = await redeem(
        service,
        maker,
        await signInAndAllow(service.browser(), maker, `owner-${how}`, { scope: 'openid profile' }),
      );
      const { token: secret } = await personal(body.access_token ?? '');
      const subject = await service.deps.subjects.find(tenant, owner.id);
      if (!subject) throw new Error('no such person');
      const own = await service.deps.apiTokens.createPersonal(tenant, subject, { name: 'own' });
      const seen = async (text: string) => codesOf(await ask('{ __typename }', {}, text));
      expect([await seen(secret), await seen(own.token)]).toEqual([undefined, undefined]);
      await end(maker.clientId);
      expect([await seen(secret), await seen(own.token)]).toEqual([['UNAUTHENTICATED'], undefined]);
      expect([await userinfoStatus(service, secret), await userinfoStatus(service, own.token)]).toEqual([
        401, 200,
      ]);
    },
  );

  test('when it is revoked, by its owner or an administrator; for others there is none', async () => {
    const { person, accessToken } = await signedIn('laura');
    const { accessToken: stranger } = await signedIn('mike');
    const [first, second] = [await personal(accessToken), await personal(accessToken)];
    for (const by of [stranger, rivalAdmin]) {
      expect(codesOf(await ask(revoke, { id: first.id }, by))).toEqual(['NOT_FOUND']);
    }
    for (const id of ['nonsense', crypto.randomUUID(), person.id]) {
      expect(codesOf(await ask(revoke, { id }, accessToken))).toEqual(['NOT_FOUND']);
    }
    expect(await userinfoStatus(service, first.token)).toBe(200);
    expect((await ask(revoke, { id: first.id }, first.token)).data.revokePersonalAccessToken).toEqual({
      id: first.id,
      user: { id: person.id },
    });
    expect(await userinfoStatus(service, first.token)).toBe(401);
    expect(codesOf(await ask('{ __typename }', {}, first.token))).toEqual(['UNAUTHENTICATED']);
    expect(codesOf(await ask(revoke, { id: first.id }, accessToken))).toEqual(['NOT_FOUND']);
    expect(await userinfoStatus(service, second.token)).toBe(200);
    expect((await ask(revoke, { id: second.id }, admin)).errors).toBeUndefined();
    expect(await userinfoStatus(service, second.token)).toBe(401);
    expect(await listOf(person.id, accessToken)).toEqual([]);
  });

  test('when its owner leaves, and does not come back with them', async () => {
    const { person, accessToken } = await signedIn('nina');
    const { token: secret } = await personal(accessToken);
    const seen = async () => codesOf(await ask('{ __typename }', {}, secret));
    expect(await seen()).toBeUndefined();
    await service.directory.change(tenant, person.id, 'user.deactivated');
    await eventually(async () => (await seen())?.[0] === 'UNAUTHENTICATED');
    expect(await userinfoStatus(service, secret)).toBe(401);
    await service.directory.change(tenant, person.id, 'user.reactivated');
    await eventually(async () => (await service.deps.subjects.find(tenant, person.id))?.active === true);
    expect(await userinfoStatus(service, secret)).toBe(401);
    expect(await listOf(person.id, admin)).toEqual([]);
  });

  test('when its owner is deleted: not even its name stays', async () => {
    const { person, accessToken } = await signedIn('oscar');
    const made = await personal(accessToken);
    await service.directory.change(tenant, person.id, 'user.deleted');
    await eventually(async () => (await userinfoStatus(service, made.token)) === 401);
    const { rowCount } = await service.deps.database.sql.query(
      'SELECT 1 FROM auth.api_tokens WHERE tenant = $1 AND id = $2',
      [tenant, made.id],
    );
    expect(rowCount).toBe(0);
  });

  test('when its owner signs out everywhere, or loses a role', async () => {
    const { person, accessToken } = await signedIn('peggy');
    const { token: first } = await personal(accessToken);
    await service.deps.subjects.signOutEverywhere(tenant, person.id);
    expect(await userinfoStatus(service, first)).toBe(401);

    const { person: boss, accessToken: theirs } = await signedIn('quinn', { admin: true });
    const { token: second } = await personal(theirs);
    await service.deps.subjects.removeRole(tenant, boss.id, 'tenant_admin');
    expect(await userinfoStatus(service, second)).toBe(401);
  });

  test('a request that a departure overtook makes none', async () => {
    const { person } = await signedIn('rita');
    const subject = await service.deps.subjects.find(tenant, person.id);
    if (!subject) throw new Error('no subject');
    // Creations and departures at the same time: whatever was made before the departure is dead after it.
    const made = await Promise.allSettled([
      ...Array.from({ length: 10 }, () =>
        service.deps.apiTokens.createPersonal(tenant, subject, { name: 'race' }),
      ),
      service.deps.subjects.signOutEverywhere(tenant, person.id),
      ...Array.from({ length: 10 }, () =>
        service.deps.apiTokens.createPersonal(tenant, subject, { name: 'race' }),
      ),
    ]);
    for (const outcome of made) {
      if (outcome.status === 'fulfilled' && typeof outcome.value === 'object') {
        expect(await userinfoStatus(service, outcome.value.token)).toBe(401);
      }
    }
    expect(await service.deps.apiTokens.listPersonal(tenant, [person.id])).toEqual([]);
  });
});

describe('a service account', () => {
  const createAccount = `mutation ($input: CreateServiceAccountInput!) {
    createServiceAccount(input: $input) { serviceAccount { id name description scopes disabled } } }`;
  const updateAccount = `mutation ($input: UpdateServiceAccountInput!) {
    updateServiceAccount(input: $input) { serviceAccount { id name description scopes disabled } } }`;
  const createKey = `mutation ($input: CreateApiKeyInput!) {
    createApiKey(input: $input) { token apiKey { id name hint scopes lastUsedAt } } }`;
  const revokeKey =
    'mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id serviceAccount { id apiKeys { id } } } }';
  const remove = 'mutation ($id: ID!) { deleteServiceAccount(input: { id: $id }) { id } }';
  const read = `query ($id: ID!) { serviceAccount(id: $id) {
    id name apiKeys { id lastUsedAt } publicKeys { id kid alg expiresAt } } }`;

  const account = async (scopes = ['clients:read', 'users:read'], by = admin): Promise<string> => {
    const answer = await ask(createAccount, { input: { name: 'Backup', scopes } }, by);
    if (answer.errors) throw new Error(JSON.stringify(answer.errors));
    return answer.data.createServiceAccount.serviceAccount.id;
  };
  const key = async (serviceAccountId: string, input: Record<string, unknown> = {}) => {
    const answer = await ask(createKey, { input: { serviceAccountId, name: 'cron', ...input } }, admin);
    if (answer.errors) throw new Error(JSON.stringify(answer.errors));
    return { ...answer.data.createApiKey.apiKey, token: answer.data.createApiKey.token } as {
      id: string;
      scopes: string[];
      token: string;
    };
  };
  const clients = '{ clients { totalCount } }';
  const opens = async (secret: string) => codesOf(await ask(clients, {}, secret)) ?? 'open';

  test('calls with an API key, within its scopes and the key’s', async () => {
    const id = await account();
    const all = await key(id);
    expect(all.token).toMatch(/^ost_key_[0-9A-Za-z]{46}$/);
    expect(all.scopes).toEqual(['clients:read', 'users:read']);
    expect(await opens(all.token)).toBe('open');
    const little = await key(id, { scopes: ['users:read'] });
    expect(await opens(little.token)).toEqual(['FORBIDDEN']);
    await eventually(async () =>
      (await ask(read, { id }, admin)).data.serviceAccount.apiKeys.every(
        (one: { lastUsedAt: string | null }) => one.lastUsedAt !== null,
      ),
    );
    // It stands for no person.
    expect(await userinfoStatus(service, all.token)).toBe(403);
    const beyond = await ask(
      createKey,
      { input: { serviceAccountId: id, name: 'x', scopes: ['roles:write'] } },
      admin,
    );
    expect(codesOf(beyond)).toEqual(['BAD_USER_INPUT']);
  });

  test('nobody hands out what they may not do themselves', async () => {
    const weak = await machineToken(tenant, 'clients:read clients:write');
    const strong = await account(['users:write']);
    for (const [document, variables] of [
      [createAccount, { input: { name: 'x', scopes: ['users:write'] } }],
      [createKey, { input: { serviceAccountId: strong, name: 'x' } }],
      [updateAccount, { input: { id: strong, scopes: ['users:write', 'clients:read'] } }],
      [updateAccount, { input: { id: strong, disabled: false } }],
      [addKey, { input: { serviceAccountId: strong, jwk: JSON.stringify(publicJwk()) } }],
    ] as const) {
      expect(codesOf(await ask(document, variables, weak))).toEqual(['FORBIDDEN']);
    }
    // Closing a door needs no more than the right to.
    expect(
      (await ask(updateAccount, { input: { id: strong, disabled: true } }, weak)).errors,
    ).toBeUndefined();
    const own = await account(['clients:read'], weak);
    expect((await ask(read, { id: own }, weak)).data.serviceAccount.id).toBe(own);
    for (const scope of ['openid', 'offline_access', 'nonsense']) {
      const answer = await ask(createAccount, { input: { name: 'x', scopes: [scope] } }, admin);
      expect(['BAD_USER_INPUT', 'FORBIDDEN']).toContain(codesOf(answer)?.[0]);
    }
  });

  test('is invisible and untouchable to the rival', async () => {
    const id = await account();
    const { id: keyId, token: secret } = await key(id);
    expect((await ask(read, { id }, rivalAdmin)).data.serviceAccount).toBeNull();
    for (const [document, variables] of [
      [updateAccount, { input: { id, disabled: true } }],
      [createKey, { input: { serviceAccountId: id, name: 'x' } }],
      [revokeKey, { id: keyId }],
      [remove, { id }],
      [addKey, { input: { serviceAccountId: id, jwk: JSON.stringify(publicJwk()) } }],
    ] as const) {
      expect(codesOf(await ask(document, variables, rivalAdmin))).toEqual(['NOT_FOUND']);
    }
    expect(await opens(secret)).toBe('open');
    const list = '{ serviceAccounts(first: 100) { totalCount edges { node { id } } } }';
    expect((await ask(list, {}, rivalAdmin)).data.serviceAccounts).toEqual({ totalCount: 0, edges: [] });
  });

  test('loses its keys one by one, or all for as long as it is disabled', async () => {
    const id = await account();
    const [one, two] = [await key(id), await key(id)];
    expect(await opens(one.token)).toBe('open');
    expect((await ask(revokeKey, { id: one.id }, admin)).data.revokeApiKey).toEqual({
      id: one.id,
      serviceAccount: { id, apiKeys: [{ id: two.id }] },
    });
    expect(await opens(one.token)).toEqual(['UNAUTHENTICATED']);
    expect(codesOf(await ask(revokeKey, { id: one.id }, admin))).toEqual(['NOT_FOUND']);

    expect(await opens(two.token)).toBe('open');
    await ask(updateAccount, { input: { id, disabled: true } }, admin);
    expect(await opens(two.token)).toEqual(['UNAUTHENTICATED']);
    const enabled = await ask(updateAccount, { input: { id, disabled: false } }, admin);
    expect(enabled.data.updateServiceAccount.serviceAccount.disabled).toBe(false);
    expect(await opens(two.token)).toBe('open');
    expect(await opens(one.token)).toEqual(['UNAUTHENTICATED']);
  });

  test('that loses a scope loses it in its keys at once', async () => {
    const id = await account();
    const { token: secret } = await key(id);
    expect(await opens(secret)).toBe('open');
    await ask(updateAccount, { input: { id, scopes: ['users:read'] } }, admin);
    expect(await opens(secret)).toEqual(['FORBIDDEN']);
    const kept = await ask(updateAccount, { input: { id, name: 'New name', description: 'why' } }, admin);
    expect(kept.data.updateServiceAccount.serviceAccount).toEqual({
      id,
      name: 'New name',
      description: 'why',
      scopes: ['users:read'],
      disabled: false,
    });
  });

  test('that is removed takes everything with it', async () => {
    const id = await account();
    const { token: secret } = await key(id);
    expect(await opens(secret)).toBe('open');
    expect((await ask(remove, { id }, admin)).data.deleteServiceAccount.id).toBe(id);
    expect(await opens(secret)).toEqual(['UNAUTHENTICATED']);
    expect(codesOf(await ask(remove, { id }, admin))).toEqual(['NOT_FOUND']);
    const { rowCount } = await service.deps.database.sql.query(
      'SELECT 1 FROM auth.api_tokens WHERE service_account_id = $1',
      [id],
    );
    expect(rowCount).toBe(0);
  });

  test('accounts are listed in pages that neither skip nor repeat', async () => {
    for (let round = 0; round < 3; round += 1) await account();
    const list = `query ($after: String) { serviceAccounts(first: 2, after: $after) {
      totalCount pageInfo { hasNextPage endCursor } edges { node { id } } } }`;
    const seen: string[] = [];
    let after: string | null = null;
    let total = 0;
    do {
      const answer: GraphAnswer = await ask(list, { after }, admin);
      const { edges, pageInfo, totalCount } = answer.data.serviceAccounts;
      seen.push(...edges.map((edge: { node: { id: string } }) => edge.node.id));
      total = totalCount;
      after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
    } while (after !== null);
    expect(new Set(seen).size).toBe(total);
    expect(seen).toHaveLength(total);
    expect(codesOf(await ask(list, { after: 'nonsense' }, admin))).toEqual(['BAD_USER_INPUT']);
  });

  const addKey = `mutation ($input: AddServiceAccountKeyInput!) {
    addServiceAccountKey(input: $input) { publicKey { id kid alg } } }`;
  const removeKey = `mutation ($id: ID!) { removeServiceAccountKey(input: { id: $id }) { id } }`;
  const jwkOf = (publicKey: KeyObject): Record<string, unknown> => ({
    ...publicKey.export({ format: 'jwk' }),
  });
  const publicJwk = () => jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey);

  test('has public keys to sign assertions with', async () => {
    const id = await account();
    const { serviceAccounts } = service.deps;
    for (const [alg, jwk] of [
      ['ES256', { ...publicJwk(), kid: 'chosen', use: 'sig', x5u: 'https://evil.example' }],
      ['EdDSA', jwkOf(generateKeyPairSync('ed25519').publicKey)],
      ['RS256', jwkOf(generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey)],
    ] as const) {
      const answer = await ask(addKey, { input: { serviceAccountId: id, jwk: JSON.stringify(jwk) } }, admin);
      const { kid, alg: used } = answer.data.addServiceAccountKey.publicKey;
      expect(used).toBe(alg);
      const found = await serviceAccounts.assertionKey(tenant, id, kid);
      expect(found).toMatchObject({ alg, scopes: ['clients:read', 'users:read'] });
      expect(found?.publicJwk).not.toHaveProperty('x5u');
      expect(await serviceAccounts.assertionKey(rival, id, kid)).toBeUndefined();
    }
    const twice = { input: { serviceAccountId: id, jwk: JSON.stringify({ ...publicJwk(), kid: 'chosen' }) } };
    expect(codesOf(await ask(addKey, twice, admin))).toEqual(['CONFLICT']);

    const keys = (await ask(read, { id }, admin)).data.serviceAccount.publicKeys;
    expect(keys).toHaveLength(3);
    const before = await serviceAccounts.find(tenant, id);
    const chosen = keys.find((one: { kid: string }) => one.kid === 'chosen');
    expect((await ask(removeKey, { id: chosen.id }, rivalAdmin)).errors?.[0]?.extensions.code).toBe(
      'NOT_FOUND',
    );
    expect((await ask(removeKey, { id: chosen.id }, admin)).errors).toBeUndefined();
    expect(await serviceAccounts.assertionKey(tenant, id, 'chosen')).toBeUndefined();
    // What was had with it ends too.
    expect((await serviceAccounts.find(tenant, id))?.epoch).toBe((before?.epoch ?? 0) + 1);

    await ask(updateAccount, { input: { id, disabled: true } }, admin);
    expect(await serviceAccounts.assertionKey(tenant, id, keys[0].kid)).toBeUndefined();
    for (const odd of ['', '\u0000', 'x'.repeat(10_000)]) {
      expect(await serviceAccounts.assertionKey(tenant, odd, odd)).toBeUndefined();
    }
  });

  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  test.each([
    ['no JSON', 'nonsense'],
    ['not an object', '[1]'],
    ['no key', '{}'],
    ['a private key', JSON.stringify(privateKey.export({ format: 'jwk' }))],
    ['a secret', JSON.stringify({ kty: 'oct', k: 'AAAA' })],
    ['a point that is not on the curve', JSON.stringify({ ...publicJwk(), x: 'A'.repeat(43) })],
    ['a short RSA key', JSON.stringify(jwkOf(generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey))],
    ['another curve', JSON.stringify(jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-384' }).publicKey))],
    ['another alg than its own', JSON.stringify({ ...publicJwk(), alg: 'RS256' })],
    ['a key for encryption', JSON.stringify({ ...publicJwk(), use: 'enc' })],
    ['an odd kid', JSON.stringify({ ...publicJwk(), kid: 'a b' })],
    ['a kid that is no text', JSON.stringify({ ...publicJwk(), kid: 7 })],
    ['too much', JSON.stringify({ ...publicJwk(), junk: 'x'.repeat(9_000) })],
  ])('a public key is refused when it is %s', async (_name, jwk) => {
    const id = await account();
    const answer = await ask(addKey, { input: { serviceAccountId: id, jwk } }, admin);
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
  });
});

describe('retention', () => {
  test('what ended a month ago is deleted, nothing else', async () => {
    const { person, accessToken } = await signedIn('zoe');
    const ids = [];
    for (let round = 0; round < 4; round += 1) ids.push((await personal(accessToken)).id);
    const { sql } = service.deps.database;
    const age = (column: string, id: string | undefined, days: number) =>
      sql.query(`UPDATE auth.api_tokens SET ${column} = now() - $2 * interval '1 day' WHERE id = $1`, [
        id,
        days,
      ]);
    await age('expires_at', ids[0], 31);
    await age('revoked_at', ids[1], 31);
    await age('expires_at', ids[2], 29);
    const { pruneApiTokens } = await import('../../src/data/api-tokens.ts');
    expect(await pruneApiTokens(sql, 1_000)).toBe(2);
    const { rows } = await sql.query<{ id: string }>(
      'SELECT id FROM auth.api_tokens WHERE subject_id = $1 ORDER BY id',
      [person.id],
    );
    expect(rows.map((row) => row.id)).toEqual(ids.slice(2));
  });
});
