import { afterEach, describe, expect, test } from '@jest/globals';
import { apiScopes, selfScopes } from '@ostiary/access';
import { Prover } from '@ostiary/access/testing';
import { eventually } from '@ostiary/service/testing';
import { readRecord } from '../../src/clients/data/client-record.ts';
import { ConsoleRegistration } from '../../src/clients/data/console-registration.ts';
import { consoleClientId } from '../../src/clients/domain/console-client.ts';
import { ConsoleAtBrowser, logged, rows } from '../support/console-client.ts';
import { initialToken, send } from '../support/registering.ts';
import { claimsOf, register } from '../support/running-auth.ts';
import { Browser } from '../support/sign-in/browser.ts';
import { auth, setUpTwoProcesses, twin } from '../support/two-processes.ts';

setUpTwoProcesses();

describe('the client of the console', () => {
  test('Many concurrent requests to two processes create one console client and one log entry.', async () => {
    expect(await rows('demo')).toEqual([]);
    const opened = await ConsoleAtBrowser.open(auth);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        new Browser((n % 2 === 0 ? auth : twin).origin).get(opened.request({ scope: 'openid' })),
      ),
    );
    expect(answers.map(({ status, location }) => [status, location?.split('?')[0]])).toEqual(
      Array(20).fill([303, '/t/demo/login']),
    );
    expect(await rows('demo')).toHaveLength(1);
    expect(await logged('demo', 'client.registered')).toMatchObject([
      { actor: { kind: 'system', id: 'auth' } },
    ]);
  });

  test('Concurrent registrations without a shared cache create one client.', async () => {
    const { clientSecrets: secrets, eventPublisher, grants, knowers, revocations, tenants } = auth.deps;
    await tenants.find('rival');
    const registration = new ConsoleRegistration({
      database: auth.database,
      url: `${auth.origin}/console`,
      departure: () => ({ secrets, knowers, eventPublisher, grants, revocations, expiresAt: 0 }),
      revocations,
    });
    const read = () => readRecord(auth.database.sql, secrets, { tenant: 'rival', clientId: consoleClientId });
    const all = await Promise.all(Array.from({ length: 20 }, () => registration.settled('rival', read)));
    expect(all.map((record) => record?.client.clientId)).toEqual(Array(20).fill('console'));
    expect(await rows('rival')).toHaveLength(1);
    expect(await logged('rival', 'client.registered')).toHaveLength(1);
    await auth.database.sql.query(
      `DELETE FROM auth.clients WHERE tenant = 'rival' AND client_id = 'console'`,
    );
    await auth.deps.clients.changed('rival', 'console');
  });

  test('The console is a public client with bound tokens, without a consent page, and with every scope of any role.', async () => {
    const client = await auth.deps.clients.find('demo', 'console');
    expect(client).toMatchObject({
      name: 'Ostiary Console',
      type: 'public',
      tokenEndpointAuthMethod: 'none',
      grantTypes: ['authorization_code', 'refresh_token'],
      redirectUris: [`${auth.origin}/console/callback`],
      postLogoutRedirectUris: [`${auth.origin}/console/`],
      requireConsent: false,
      disabled: false,
      metadata: { application_type: 'web', dpop_bound_access_tokens: true },
    });
    // A tenant_admin gets every API scope, so a new scope must be in both lists.
    expect([...(client?.scopes ?? [])].sort()).toEqual(
      ['openid', 'profile', 'email', ...Object.keys(selfScopes), ...Object.keys(apiScopes)].sort(),
    );
  });

  test('A suspended or unknown tenant has no console client.', async () => {
    await auth.database.sql.query(`UPDATE auth.tenants SET status = 'suspended' WHERE id = 'rival'`);
    try {
      expect(await auth.deps.clients.find('rival', 'console')).toBeNull();
      expect(await auth.deps.clients.find('nobody', 'console')).toBeNull();
      expect(await auth.deps.clients.find('platform', 'console')).toBeNull();
    } finally {
      await auth.database.sql.query(`UPDATE auth.tenants SET status = 'active' WHERE id = 'rival'`);
      await auth.deps.clients.changed('rival', 'console');
    }
    expect(await rows('rival')).toEqual([]);
  });
});

describe('the scopes of console users', () => {
  test.each([
    ['tenant_admin', Object.keys(apiScopes)],
    ['auditor', Object.keys(apiScopes).filter((scope) => scope.endsWith(':read'))],
    ['help_desk', ['users:read', 'groups:read', 'sessions:read', 'sessions:write', 'access:write']],
  ])('A user with the role %s gets exactly the scopes of that role.', async (role, expected) => {
    const opened = await ConsoleAtBrowser.open(auth, { roles: [role] });
    const { body } = await opened.tokens();
    const api = String(body.scope)
      .split(' ')
      .filter((scope) => scope in apiScopes);
    expect(api.sort()).toEqual([...expected].sort());
  });

  test('A user without a role gets no API scope, and can still manage their own account.', async () => {
    const { body } = await (await ConsoleAtBrowser.open(auth, { roles: [] })).tokens();
    expect(String(body.scope).split(' ')).toEqual(['openid', 'profile', 'email', ...Object.keys(selfScopes)]);
  });

  test("The console's tokens are bound to the key of the browser, and none is issued without a key.", async () => {
    const opened = await ConsoleAtBrowser.open(auth);
    const { status, body } = await opened.tokens();
    expect([status, body.token_type]).toEqual([200, 'DPoP']);
    expect(claimsOf(body.access_token)).toMatchObject({
      client_id: 'console',
      cnf: { jkt: expect.any(String) },
    });
    expect(
      (await auth.get('/t/demo/userinfo', { authorization: `Bearer ${body.access_token}` })).status,
    ).toBe(401);
    const stolen = await opened.refresh(body.refresh_token, await Prover.create());
    expect([stolen.status, stolen.body.error]).toEqual([400, 'invalid_grant']);
    const fields = {
      client_id: 'console',
      grant_type: 'refresh_token',
      refresh_token: String(body.refresh_token),
    };
    expect((await auth.post('/t/demo/token', fields)).status).toBe(400);
  });

  test('A refresh token is issued without offline_access, and ends with the browser session.', async () => {
    const opened = await ConsoleAtBrowser.open(auth);
    const { body } = await opened.tokens();
    const again = await opened.refresh(body.refresh_token);
    expect([again.status, again.body.token_type]).toEqual([200, 'DPoP']);
    await auth.deps.sessions.signOut('demo', String(claimsOf(again.body.access_token).sid));
    expect((await opened.refresh(again.body.refresh_token)).body.error).toBe('invalid_grant');
    expect((await opened.userinfo(again.body.access_token)).status).toBe(401);
  });
});

describe('attacks on the console client', () => {
  /** Queries the graph as a client with every scope of its tenant. */
  const administrator = async (tenant = 'demo') => {
    const { client, clientSecret = '' } = await register(
      auth,
      { grant_types: ['client_credentials'], redirect_uris: [], scope: Object.keys(apiScopes).join(' ') },
      tenant,
    );
    const { body: issued } = await auth.post(
      `/t/${tenant}/token`,
      { grant_type: 'client_credentials' },
      { basic: [client.clientId, clientSecret] },
    );
    return async (query: string, input: object = {}) => {
      const body = { query, variables: { input } };
      const answer = await send('POST', '/graphql', String(issued.access_token), body);
      // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asked for
      return answer.body as { data?: any };
    };
  };

  test.each(['https://evil.example/console/callback', 'http://127.0.0.1:9/console/callback'])(
    'A request with the redirect URI %s gets an error page and no redirect.',
    async (address) => {
      const opened = await ConsoleAtBrowser.open(auth);
      const answer = await opened.browser.get(opened.request({ scope: 'openid', redirect_uri: address }));
      expect([answer.status, answer.location]).toEqual([400, undefined]);
    },
  );

  test("The console's id cannot be registered, whether or not the tenant has the client already.", async () => {
    for (const tenant of ['demo', 'rival']) {
      await expect(
        auth.deps.clientRegistry.register(
          tenant,
          { client_name: 'Mine', redirect_uris: ['https://evil.example/cb'] },
          { clientId: 'console' },
        ),
      ).rejects.toMatchObject({ code: 'invalid_client_metadata' });
    }
    const { body } = await send('POST', '/t/rival/register', await initialToken({ tenant: 'rival' }), {
      client_id: 'console',
      client_name: 'Mine',
      redirect_uris: ['https://evil.example/cb'],
    });
    expect(body.client_id).not.toBe('console');
    expect(await rows('rival')).toEqual([]);
  });

  test.each([
    ['updateClient', 'UpdateClientInput', { redirectUris: ['https://evil.example/cb'] }],
    ['updateClient', 'UpdateClientInput', { scopes: ['openid'] }],
    ['deleteClient', 'ClientInput', {}],
    ['rotateClientSecret', 'RotateClientSecretInput', {}],
    ['transferCredential', 'TransferCredentialInput', { kind: 'CLIENT' }],
  ])('An administrator cannot change the console client: %s.', async (mutation, type, more) => {
    const before = await auth.deps.clients.find('demo', 'console');
    const ask = await administrator();
    const { subjectId } = await ConsoleAtBrowser.open(auth);
    const owner = mutation === 'transferCredential' ? { ownerId: subjectId } : {};
    const answer = await ask(
      `mutation ($input: ${type}!) { ${mutation}(input: $input) { problems { __typename message } } }`,
      { id: 'console', ...more, ...owner },
    );
    expect(answer.data?.[mutation].problems ?? answer).toEqual([
      { __typename: 'InvalidInput', message: expect.stringContaining('belongs to the installation') },
    ]);
    expect(await auth.deps.clients.find('demo', 'console')).toEqual(before);
  });

  test("The console's registration cannot be managed with an initial access token.", async () => {
    const token = await initialToken();
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const { status } = await send(
        method,
        '/t/demo/register/console',
        token,
        method === 'PUT' ? {} : undefined,
      );
      expect(status).toBe(401);
    }
  });

  test('A console client disabled by an administrator stays disabled until one enables it, and its tokens end.', async () => {
    const ask = await administrator('rival');
    const opened = await ConsoleAtBrowser.open(auth, { tenant: 'rival' });
    const { body } = await opened.tokens();
    const off = await ask(
      'mutation ($input: ClientInput!) { disableClient(input: $input) { client { id disabled } } }',
      { id: 'console' },
    );
    expect(off.data.disableClient.client).toEqual({ id: 'console', disabled: true });
    expect((await opened.userinfo(body.access_token)).status).toBe(401);
    expect((await opened.refresh(body.refresh_token)).status).toBe(401);
    await eventually(async () => (await twin.deps.clients.find('rival', 'console'))?.disabled === true);
    const page = await new Browser(twin.origin).get(opened.request({ scope: 'openid' }));
    expect([page.status, page.location]).toEqual([400, undefined]);
    await auth.deps.clientRegistry.enable('rival', 'console', () => undefined);
    expect((await opened.tokens()).status).toBe(200);
    expect((await opened.refresh(body.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('A console token of one tenant is invalid in another tenant.', async () => {
    const opened = await ConsoleAtBrowser.open(auth, { tenant: 'rival' });
    const { body } = await opened.tokens();
    expect((await opened.userinfo(body.access_token)).status).toBe(200);
    expect((await opened.userinfo(body.access_token, 'demo')).status).toBe(401);
    const foreign = await register(auth, { client_name: 'Only in demo' });
    expect(foreign.client.tenant).toBe('demo');
    const ask = await administrator('rival');
    const answer = await ask(
      '{ client(id: "console") { id disabled } clients(first: 50) { edges { node { name } } } }',
    );
    expect(answer.data.client.id).toBe('console');
    expect(JSON.stringify(answer.data)).not.toContain('Only in demo');
  });
});

describe('a tenant that requires FAPI 2.0 of every client', () => {
  const demand = async (settings: object) => {
    await auth.database.sql.query('UPDATE auth.tenants SET policy = $1 WHERE id = $2', [
      JSON.stringify(settings),
      'rival',
    ]);
    for (const process of [auth, twin]) process.deps.tenants.forget('rival');
  };
  afterEach(() => demand({}));

  test('An administrator gets a page with the reason why the console is unavailable, and no token is issued.', async () => {
    const opened = await ConsoleAtBrowser.open(auth, { tenant: 'rival' });
    const { body } = await opened.tokens();
    await demand({ requiredClientProfile: 'fapi2' });
    const page = await opened.browser.get(opened.request({ scope: 'openid' }));
    expect([page.status, page.location]).toEqual([403, undefined]);
    expect(page.text).toContain('requiredClientProfile');
    expect((await opened.refresh(body.refresh_token)).body.error).toBe('unauthorized_client');
    await demand({});
    expect((await opened.tokens()).status).toBe(200);
  });
});
