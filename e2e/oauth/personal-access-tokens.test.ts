import { beforeAll, describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { type DemoTenant, type DemoUser, runningDemo, unique } from '../support/demo.ts';
import { type GraphAnswer, graph } from '../support/graph.ts';
import { renewPassword } from '../support/roles.ts';
import { ScimClient } from '../support/scim.ts';
import { adminToken, signIn } from '../support/sign-in.ts';

const demo = runningDemo();
const { demo: tenant, rival } = demo.tenants;
let scim: ScimClient;
let admin: string;

beforeAll(async () => {
  scim = new ScimClient(tenant, tenant.clients.scim.token);
  admin = await adminToken(tenant);
});

const create = `mutation ($input: CreatePersonalAccessTokenInput!) {
  createPersonalAccessToken(input: $input) { token personalAccessToken { id name hint scopes expiresAt } } }`;
const revoke = 'mutation ($id: ID!) { revokePersonalAccessToken(input: { id: $id }) { id } }';
const mine =
  '{ me { id userName personalAccessTokens { id name hint scopes createdAt expiresAt lastUsedAt } } }';

interface Token {
  id: string;
  token: string;
}

async function personal(accessToken: string, input: Record<string, unknown> = {}): Promise<Token> {
  const answer = await graph(demo, accessToken, create, { input: { name: 'script', ...input } });
  expect(answer.errors).toEqual([]);
  const { token, personalAccessToken } = answer.data.createPersonalAccessToken;
  return { token, id: personalAccessToken.id };
}

async function employ(): Promise<{ id: string; user: DemoUser; accessToken: string }> {
  const user = { userName: unique('scripter'), password: unique('correct horse battery') };
  const { id } = await scim.createUser(user);
  const { tokens } = await signIn(demo, tenant, user);
  return { id, user, accessToken: tokens.access_token };
}

const codes = (answer: GraphAnswer): unknown[] => answer.errors.map((error) => error.extensions?.code);

/** Requests to every protected resource of a tenant. Each returns the status for the token. */
const accessPathsOf = (of: DemoTenant, token: string) => ({
  graph: async () => (await graph(demo, token, '{ __typename }')).status,
  scim: async () => (await new ScimClient(of, token).call('GET', '/Me')).status,
  userinfo: async () =>
    (await fetch(`${of.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } })).status,
});

async function expectOpen(token: string): Promise<void> {
  for (const door of Object.values(accessPathsOf(tenant, token))) expect(await door()).toBe(200);
}

async function expectClosed(token: string, of = tenant): Promise<void> {
  for (const door of Object.values(accessPathsOf(of, token))) expect(await door()).toBe(401);
}

/** Waits until the token is rejected by every resource, and checks that it stays rejected. */
async function closing(token: string): Promise<void> {
  for (const door of Object.values(accessPathsOf(tenant, token))) {
    await eventually(door, (status) => status === 401);
  }
  await expectClosed(token);
}

describe('a personal access token', () => {
  test('The token opens graph, SCIM and userinfo as its owner, is listed with its last use and is never shown again.', async () => {
    const { id, user, accessToken } = await employ();
    const made = await personal(accessToken, { name: 'backup script' });
    expect(made.token).toMatch(/^ost_pat_[0-9A-Za-z]{46}$/);
    await expectOpen(made.token);
    const me = await new ScimClient(tenant, made.token).call('GET', '/Me');
    expect(me.body).toMatchObject({ id, userName: user.userName });

    const listed = await eventually(
      () => graph(demo, made.token, mine),
      (answer) => answer.data.me.personalAccessTokens[0].lastUsedAt !== null,
    );
    expect(listed.errors).toEqual([]);
    expect(listed.data.me).toMatchObject({
      id,
      personalAccessTokens: [{ id: made.id, name: 'backup script', hint: made.token.slice(-4) }],
    });
    expect(JSON.stringify(listed.data)).not.toContain(made.token.slice(8, 40));
  });

  test('The token has the scopes it was created with and no more than its owner.', async () => {
    const { accessToken } = await employ();
    const { token } = await personal(accessToken, { scopes: ['openid'] });
    expect((await new ScimClient(tenant, token).call('GET', '/Users')).status).toBe(403);
    expect(codes(await graph(demo, token, '{ users { totalCount } }'))).toEqual(['FORBIDDEN']);
    const greedy = await graph(demo, accessToken, create, { input: { name: 'x', scopes: ['scim:write'] } });
    expect(codes(greedy)).toEqual(['BAD_USER_INPUT']);
    const endless = await graph(demo, token, create, { input: { name: 'x' } });
    expect(codes(endless)).toEqual(['FORBIDDEN']);
  });

  test('The token of an administrator reads users over SCIM and the graph and ends with the role.', async () => {
    const { id, user } = await employ();
    await renewPassword(tenant, { ...user, id });
    const role = (mutation: string) =>
      graph(
        demo,
        admin,
        `mutation ($id: ID!) { ${mutation}(input: { userId: $id, role: TENANT_ADMIN }) { user { id } } }`,
        { id },
      );
    expect((await role('assignRole')).errors).toEqual([]);
    const console = await graph(
      demo,
      admin,
      'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } } }',
      {
        input: {
          name: 'Console',
          tokenEndpointAuthMethod: 'NONE',
          redirectUris: ['http://127.0.0.1/callback'],
          scopes: ['openid', 'users:read', 'scim:read', 'self:tokens'],
        },
      },
    );
    const web = { ...tenant.clients.web, client_id: console.data.registerClient.client.id };
    const { tokens } = await signIn(demo, { ...tenant, clients: { ...tenant.clients, web } }, user, {
      scope: 'openid users:read scim:read self:tokens',
    });
    const { token } = await personal(tokens.access_token, { scopes: ['openid', 'users:read', 'scim:read'] });
    const client = new ScimClient(tenant, token);
    expect((await client.call('GET', '/Users?count=1')).status).toBe(200);
    expect((await client.call('POST', '/Users', { userName: unique('x') })).status).toBe(403);
    expect((await graph(demo, token, '{ users { totalCount } }')).errors).toEqual([]);
    expect((await role('removeRole')).errors).toEqual([]);
    await closing(token);
  });

  test('The token is rejected everywhere after its revocation.', async () => {
    const { accessToken } = await employ();
    const [one, other] = [await personal(accessToken), await personal(accessToken)];
    await expectOpen(one.token);
    await expectOpen(other.token);
    expect((await graph(demo, accessToken, revoke, { id: one.id })).errors).toEqual([]);
    await closing(one.token);
    await expectOpen(other.token);
    expect(codes(await graph(demo, accessToken, revoke, { id: one.id }))).toEqual(['NOT_FOUND']);
  });

  test.each([
    ['PATCH active false', [{ op: 'replace', path: 'active', value: false }]],
    ['Okta’s pathless PATCH', [{ op: 'replace', value: { active: false } }]],
  ])(
    'The token is rejected everywhere, also after a return, when its owner is deactivated by %s.',
    async (_name, operations) => {
      const { id, accessToken } = await employ();
      const { token } = await personal(accessToken);
      await expectOpen(token);
      await scim.patch(`/Users/${id}`, operations);
      await closing(token);

      await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: true }]);
      await eventually(
        async () => (await graph(demo, admin, `{ user(id: "${id}") { active } }`)).data.user.active,
        (active) => active === true,
      );
      await new Promise((resolve) => setTimeout(resolve, 300));
      await expectClosed(token);
    },
  );

  test('The token ends when its owner is deleted.', async () => {
    const { id, accessToken } = await employ();
    const { token } = await personal(accessToken);
    await expectOpen(token);
    expect((await scim.call('DELETE', `/Users/${id}`)).status).toBe(204);
    await closing(token);
  });

  test('The token is rejected in another tenant, whose users can neither see nor revoke it.', async () => {
    const { id, accessToken } = await employ();
    const made = await personal(accessToken);
    const { scim: scimAccessPath, userinfo } = accessPathsOf(rival, made.token);
    expect(await scimAccessPath()).toBe(401);
    expect(await userinfo()).toBe(401);
    const intruder = await adminToken(rival);
    expect(codes(await graph(demo, intruder, revoke, { id: made.id }))).toEqual(['NOT_FOUND']);
    const seen = await graph(demo, intruder, `{ user(id: "${id}") { personalAccessTokens { id } } }`);
    expect(seen.data?.user ?? null).toBeNull();
    await expectOpen(made.token);
  });

  test('A truncated or mistyped token, and one with another prefix or a forged checksum, is rejected with the same message.', async () => {
    const { accessToken } = await employ();
    const { token } = await personal(accessToken);
    const swapped = token.at(-10) === 'a' ? 'b' : 'a';
    const bad = [
      token.slice(0, -1),
      token.slice(0, 20),
      `${token}a`,
      token.slice(0, -10) + swapped + token.slice(-9),
      `${token.slice(0, -6)}000000`,
      token.replace('ost_pat_', 'ost_key_'),
      'ost_pat_',
      'ost_key_',
    ];
    const answers = new Set<string>();
    for (const forged of bad) {
      await expectClosed(forged);
      const answer = await new ScimClient(tenant, forged).call('GET', '/Me');
      expect(answer.headers.get('www-authenticate')).toContain('error="invalid_token"');
      answers.add(JSON.stringify(answer.body));
    }
    expect(answers.size).toBe(1);
    await expectOpen(token);
  });

  test('The token is rejected in the query and in two places of one request.', async () => {
    const { accessToken } = await employ();
    const { token } = await personal(accessToken);
    for (const address of [`${tenant.issuer}/userinfo`, `${tenant.scim}/Me`, demo.graphql]) {
      const query = await fetch(`${address}?access_token=${token}&query=%7B__typename%7D`);
      expect(query.status).toBe(400);
    }
    const twice = await fetch(`${tenant.issuer}/userinfo`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams({ access_token: token }),
    });
    expect(twice.status).toBe(400);
    expect(await twice.json()).toMatchObject({ error: 'invalid_request' });
  });

  test('The token is rejected under the DPoP scheme, not treated as a missing token.', async () => {
    const { accessToken } = await employ();
    const { token } = await personal(accessToken);
    for (const address of [`${tenant.issuer}/userinfo`, `${tenant.scim}/Me`]) {
      const answer = await fetch(address, { headers: { authorization: `DPoP ${token}` } });
      expect(answer.status).toBe(401);
    }
    await expectOpen(token);
  });

  test('The token appears in the federated query of an administrator, in one response for all users.', async () => {
    const { id, accessToken } = await employ();
    const made = await personal(accessToken);
    const answer = await graph(
      demo,
      admin,
      'query ($id: ID!) { user(id: $id) { userName personalAccessTokens { id } sessions { id } } }',
      { id },
    );
    expect(answer.errors).toEqual([]);
    expect(answer.data.user.personalAccessTokens).toEqual([{ id: made.id }]);
  });
});

describe('an API key of a service account', () => {
  const run = async (document: string, variables: Record<string, unknown>, by = admin) => {
    const answer = await graph(demo, by, document, variables);
    expect(answer.errors).toEqual([]);
    return answer.data;
  };
  const account = async (scopes: string[]): Promise<string> =>
    (
      await run(
        `mutation ($input: CreateServiceAccountInput!) {
          createServiceAccount(input: $input) { serviceAccount { id } } }`,
        { input: { name: 'HR sync', scopes } },
      )
    ).createServiceAccount.serviceAccount.id;
  const key = async (serviceAccountId: string): Promise<Token> => {
    const { createApiKey } = await run(
      'mutation ($input: CreateApiKeyInput!) { createApiKey(input: $input) { token apiKey { id } } }',
      { input: { serviceAccountId, name: 'cron' } },
    );
    return { token: createApiKey.token, id: createApiKey.apiKey.id };
  };
  const scimAccessPath = (token: string) => async () =>
    (await new ScimClient(tenant, token).call('GET', '/Users?count=1')).status;
  const graphAccessPath = (token: string) => async () =>
    (await graph(demo, token, '{ users { totalCount } }')).status;
  const closes = async (token: string): Promise<void> => {
    for (const door of [scimAccessPath(token), graphAccessPath(token)]) {
      await eventually(door, (status) => status === 401);
      expect(await door()).toBe(401);
    }
  };

  test('The key provisions over SCIM and reads the graph, but represents no user.', async () => {
    const { token } = await key(await account(['scim:read', 'scim:write', 'users:read']));
    expect(token).toMatch(/^ost_key_/);
    const robot = new ScimClient(tenant, token);
    const { id } = await robot.createUser({ userName: unique('made-by-robot') });
    expect((await robot.call('GET', `/Users/${id}`)).status).toBe(200);
    expect((await robot.call('GET', '/Me')).status).toBe(404);
    expect((await graph(demo, token, `{ user(id: "${id}") { userName } }`)).errors).toEqual([]);
    expect(codes(await graph(demo, token, '{ me { id } }'))).toEqual(['FORBIDDEN']);
    expect(codes(await graph(demo, token, create, { input: { name: 'x' } }))).toEqual(['FORBIDDEN']);
    const stranger = new ScimClient(rival, token);
    expect((await stranger.call('GET', '/Users')).status).toBe(401);
  });

  test('The key ends with its revocation and is suspended while its account is disabled.', async () => {
    const id = await account(['scim:read', 'users:read']);
    const [one, two] = [await key(id), await key(id)];
    for (const { token } of [one, two]) {
      expect(await scimAccessPath(token)()).toBe(200);
      expect(await graphAccessPath(token)()).toBe(200);
    }
    await run('mutation ($id: ID!) { revokeApiKey(input: { id: $id }) { id } }', { id: one.id });
    await closes(one.token);
    expect(await scimAccessPath(two.token)()).toBe(200);

    const disable = `mutation ($id: ID!, $disabled: Boolean) {
      updateServiceAccount(input: { id: $id, disabled: $disabled }) { serviceAccount { disabled } } }`;
    await run(disable, { id, disabled: true });
    await closes(two.token);
    await run(disable, { id, disabled: false });
    await eventually(scimAccessPath(two.token), (status) => status === 200);
    await eventually(graphAccessPath(two.token), (status) => status === 200);
    await closes(one.token);

    await run('mutation ($id: ID!) { deleteServiceAccount(input: { id: $id }) { id } }', { id });
    await closes(two.token);
  });
});
