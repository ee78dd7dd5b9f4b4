import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Asking, codesOf, startAsking } from './asking.ts';
import { appCode, openAccount } from './second-step.ts';
import { eventually, rival, tenant, userinfoStatus } from './service.ts';

type Payload = Record<string, unknown>;

let asking: Asking;
let admin: string;
let rivalAdmin: string;
let helpDesk: string;

const scopes =
  'clients:read clients:write sessions:read sessions:write roles:read roles:write tenants:read users:read users:write audit:read';

beforeAll(async () => {
  asking = await startAsking();
  admin = await asking.machine(scopes);
  rivalAdmin = await asking.machine(scopes, rival);
  helpDesk = await asking.machine('users:read sessions:read access:write');
});
afterAll(() => asking.service.stop());

const ask = (query: string, variables: object = {}, token = admin) => asking.ask(query, variables, token);
// biome-ignore lint/suspicious/noExplicitAny: each query's own shape
const nodes = (list: any): any[] => list.edges.map((edge: any) => edge.node);

describe('sessions', () => {
  const sessions = `query ($filter: SessionFilter, $first: Int, $after: String) {
    sessions(filter: $filter, first: $first, after: $after) { totalCount pageInfo { hasNextPage endCursor }
      edges { node { id user { id } ipAddress authenticationMethods expiresAt apps { clientId name } } } } }`;

  test('of a tenant are paged, filtered, and say which apps use them', async () => {
    const people = [await asking.signedIn('s-1'), await asking.signedIn('s-2'), await asking.signedIn('s-3')];
    const theirs = await asking.signedIn('s-rival', rival);
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const answer = await ask(sessions, { first: 2, after });
      const { pageInfo } = answer.data.sessions;
      for (const session of nodes(answer.data.sessions)) {
        seen.push(session.user.id);
        expect(session).toMatchObject({
          ipAddress: '127.0.0.1',
          authenticationMethods: ['pwd'],
          apps: [{ name: 'Notes <App>' }],
        });
      }
      after = pageInfo.hasNextPage ? pageInfo.endCursor : undefined;
    } while (after !== undefined);
    expect(seen).toEqual(people.map(({ id }) => id).reverse());
    expect(seen).not.toContain(theirs.id);
    const one = await ask(sessions, { filter: { userId: people[0]?.id } });
    expect(one.data.sessions).toMatchObject({ totalCount: 1 });
    const none = await ask(sessions, { filter: { ipAddress: '192.0.2.1' } });
    expect(none.data.sessions).toMatchObject({ totalCount: 0, edges: [] });
    expect(
      (await ask(sessions, { filter: { userId: people[0]?.id } }, rivalAdmin)).data.sessions.edges,
    ).toEqual([]);
    expect(codesOf(await ask(sessions, {}, people[0]?.accessToken))).toEqual(['FORBIDDEN']);
  });
});

describe('grants', () => {
  const grants = `query ($id: ID!) { _entities(representations: [{ __typename: "User", id: $id }]) { ... on User {
    grants { id clientName user { id } client { id name } } } } }`;
  const revoke = `mutation ($id: ID!) { revokeGrant(input: { id: $id }) { grantId user { id } problems { code } } }`;
  const grantOf = async (id: string): Promise<string> =>
    (await ask(grants, { id })).data._entities[0].grants[0]?.id;

  test('end at the word of an administrator or of the person, and of nobody else', async () => {
    const alice = await asking.signedIn('g-alice');
    const bob = await asking.signedIn('g-bob');
    const id = await grantOf(alice.id);
    for (const other of [bob.accessToken, rivalAdmin]) {
      const refused = await ask(revoke, { id }, other);
      expect(refused.data.revokeGrant).toEqual({
        grantId: null,
        user: null,
        problems: [{ code: 'NOT_FOUND' }],
      });
    }
    expect(codesOf(await ask(revoke, { id }, helpDesk))).toEqual(['FORBIDDEN']);
    expect(await userinfoStatus(asking.service, alice.accessToken)).toBe(200);
    const own = await ask(revoke, { id }, alice.accessToken);
    expect(own.data.revokeGrant).toEqual({ grantId: id, user: { id: alice.id }, problems: [] });
    await eventually(async () => (await userinfoStatus(asking.service, alice.accessToken)) === 401);
    expect(await grantOf(alice.id)).toBeUndefined();
    const ofBob = await grantOf(bob.id);
    const parallel = await Promise.all(Array.from({ length: 5 }, () => ask(revoke, { id: ofBob })));
    expect(parallel.filter((answer) => answer.data.revokeGrant.grantId === ofBob)).toHaveLength(1);
    const told = await ask('query ($id: ID!) { securityLog(filter: { resourceId: $id }) { totalCount } }', {
      id: ofBob,
    });
    expect(told.data.securityLog.totalCount).toBe(1);
  });
});

describe('tokens', () => {
  test('of a whole tenant are listed by administrators, without the tokens', async () => {
    const { id, accessToken } = await asking.signedIn('t-alice');
    const made = await ask(
      `mutation { createPersonalAccessToken(input: { name: "script" }) { token personalAccessToken { id } } }`,
      {},
      accessToken,
    );
    const account = await ask(
      `mutation { createServiceAccount(input: { name: "robot", scopes: ["users:read"] }) { serviceAccount { id } } }`,
    );
    const serviceAccountId = account.data.createServiceAccount.serviceAccount.id;
    const key = await ask(
      'mutation ($id: ID!) { createApiKey(input: { serviceAccountId: $id, name: "key" }) { token apiKey { id serviceAccountId } } }',
      { id: serviceAccountId },
    );
    const lists = `query ($user: ID, $account: ID) {
      personalAccessTokens(filter: { userId: $user }) { totalCount edges { node { id name user { id } } } }
      apiKeys(filter: { serviceAccountId: $account }) { totalCount edges { node { id name serviceAccountId } } } }`;
    const all = await ask(lists, { user: id, account: serviceAccountId });
    expect(nodes(all.data.personalAccessTokens)).toEqual([
      { id: made.data.createPersonalAccessToken.personalAccessToken.id, name: 'script', user: { id } },
    ]);
    expect(nodes(all.data.apiKeys)).toEqual([
      { id: key.data.createApiKey.apiKey.id, name: 'key', serviceAccountId },
    ]);
    const theirs = await ask(lists, {}, rivalAdmin);
    expect([theirs.data.personalAccessTokens.totalCount, theirs.data.apiKeys.totalCount]).toEqual([0, 0]);
    expect(new Set(codesOf(await ask(lists, {}, accessToken)))).toEqual(new Set(['FORBIDDEN']));
  });
});

describe('credentials', () => {
  const credentials = `query ($id: ID!) { _entities(representations: [{ __typename: "User", id: $id }]) { ... on User {
    credentials { hasPassword passwordChangedAt hasAuthenticatorApp recoveryCodesLeft passkeys { id name } } } } }`;
  const remove = `mutation ($id: ID) { removeAuthenticatorApp(input: { userId: $id }) { user { id } problems { code } } }`;

  async function withApp(userName: string): Promise<{ id: string }> {
    const person = await asking.service.person(userName);
    const browser = asking.service.browser();
    const offer = await openAccount(browser, userName, '/totp');
    const secret = /<code class="typed">([^<]+)/.exec(offer.text)?.[1]?.replaceAll(' ', '') ?? '';
    await browser.submit(offer, { code: appCode(secret) });
    return person;
  }

  test('are seen without secrets, by administrators and the person', async () => {
    const { id } = await withApp('c-alice');
    const seen = await ask(credentials, { id });
    expect(seen.data._entities[0].credentials).toEqual({
      hasPassword: true,
      passwordChangedAt: expect.any(String),
      hasAuthenticatorApp: true,
      recoveryCodesLeft: 10,
      passkeys: [],
    });
    const bob = await asking.signedIn('c-bob');
    const own = await ask(credentials, { id: bob.id }, bob.accessToken);
    expect(own.data._entities[0].credentials).toMatchObject({
      hasPassword: true,
      hasAuthenticatorApp: false,
    });
    expect(codesOf(await ask(credentials, { id }, bob.accessToken))).toEqual(['FORBIDDEN']);
    expect((await ask(credentials, { id }, rivalAdmin)).data._entities[0].credentials).toBeNull();
  });

  test('a help desk takes an authenticator app away, with an entry in the log; not from who has a role', async () => {
    const { id } = await withApp('c-lost');
    const other = await asking.signedIn('c-other');
    expect((await ask(remove, { id }, other.accessToken)).data.removeAuthenticatorApp.problems).toEqual([
      { code: 'NOT_FOUND' },
    ]);
    expect((await ask(remove, { id }, rivalAdmin)).data.removeAuthenticatorApp.problems).toEqual([
      { code: 'NOT_FOUND' },
    ]);
    expect((await ask(remove, { id }, helpDesk)).data.removeAuthenticatorApp).toEqual({
      user: { id },
      problems: [],
    });
    expect((await ask(remove, { id }, helpDesk)).data.removeAuthenticatorApp.problems).toEqual([
      { code: 'NOT_FOUND' },
    ]);
    const told = await ask(
      'query ($id: ID!) { securityLog(filter: { userId: $id, action: "user.totp_removed" }) { edges { node { actor { kind } } } } }',
      { id },
    );
    expect(nodes(told.data.securityLog)).toEqual([{ actor: { kind: 'CLIENT' } }]);
    const chief = await withApp('c-chief');
    await asking.service.deps.subjects.assignRole(tenant, chief.id, 'tenant_admin');
    expect(codesOf(await ask(remove, { id: chief.id }, helpDesk))).toEqual(['FORBIDDEN']);
    expect((await ask(credentials, { id: chief.id })).data._entities[0].credentials.hasAuthenticatorApp).toBe(
      true,
    );
  });

  test('a passkey that isn’t there can’t be removed', async () => {
    const { id } = await asking.service.person('c-none');
    const answer = await ask(
      'mutation ($id: ID!) { removePasskey(input: { userId: $id, id: "x" }) { passkeyId problems { code } } }',
      { id },
      helpDesk,
    );
    expect(answer.data.removePasskey).toEqual({ passkeyId: null, problems: [{ code: 'NOT_FOUND' }] });
  });
});

describe('clients', () => {
  const register = `mutation ($input: RegisterClientInput!) { registerClient(input: $input) {
    client { id } clientSecret repeated problems { __typename code path } } }`;

  test('every setting that can be written can be read, and null goes back to the default', async () => {
    const settings =
      'applicationType idTokenSignedResponseAlg requirePushedAuthorizationRequests clientUri logoUri requireConsent';
    const made = await ask(register, {
      input: {
        name: 'Settings',
        redirectUris: ['https://app.example/cb'],
        applicationType: 'web',
        idTokenSignedResponseAlg: 'EDDSA',
        requirePushedAuthorizationRequests: true,
        clientUri: 'https://app.example/',
        logoUri: 'https://app.example/logo.png',
        requireConsent: false,
      },
    });
    const { id } = made.data.registerClient.client;
    const read = async () =>
      (await ask(`query ($id: ID!) { client(id: $id) { ${settings} } }`, { id })).data.client;
    expect(await read()).toEqual({
      applicationType: 'web',
      idTokenSignedResponseAlg: 'EDDSA',
      requirePushedAuthorizationRequests: true,
      clientUri: 'https://app.example/',
      logoUri: 'https://app.example/logo.png',
      requireConsent: false,
    });
    const update = `mutation ($input: UpdateClientInput!) { updateClient(input: $input) { problems { message } client { id } } }`;
    const changed = await ask(update, {
      input: {
        id,
        clientUri: null,
        logoUri: null,
        idTokenSignedResponseAlg: null,
        requirePushedAuthorizationRequests: null,
      },
    });
    expect(changed.data.updateClient.problems).toEqual([]);
    expect(await read()).toMatchObject({
      clientUri: null,
      logoUri: null,
      idTokenSignedResponseAlg: 'RS256',
      requirePushedAuthorizationRequests: false,
      requireConsent: false,
    });
  });

  test('are filtered, and reachable as entities of their own tenant only', async () => {
    const made = await ask(register, {
      input: { name: '100% Filter_ed', grantTypes: ['client_credentials'], scopes: ['users:read'] },
    });
    const { id } = made.data.registerClient.client;
    const list = `query ($filter: ClientFilter) { clients(filter: $filter) { totalCount edges { node { id } } } }`;
    for (const filter of [
      { name: '0% filter_' },
      {
        name: 'FILTER_ED',
        disabled: false,
        type: 'CONFIDENTIAL',
        grantType: 'client_credentials',
        scope: 'users:read',
      },
    ]) {
      expect((await ask(list, { filter })).data.clients).toEqual({
        totalCount: 1,
        edges: [{ node: { id } }],
      });
    }
    for (const filter of [
      { name: '%ilter%ed%' },
      { name: 'Filter', disabled: true },
      { name: 'Filter', type: 'PUBLIC' },
    ]) {
      expect((await ask(list, { filter })).data.clients.totalCount).toBe(0);
    }
    const entity = `query ($id: ID!) { _entities(representations: [{ __typename: "Client", id: $id }]) { ... on Client { id name } } }`;
    expect((await ask(entity, { id })).data._entities).toEqual([{ id, name: '100% Filter_ed' }]);
    expect((await ask(entity, { id }, rivalAdmin)).data._entities).toEqual([null]);
    const { accessToken } = await asking.signedIn('cl-alice');
    expect(new Set(codesOf(await ask(entity, { id }, accessToken)))).toEqual(new Set(['FORBIDDEN']));
  });

  test('are taken back after they were disabled, by who has their scopes; the rival’s not', async () => {
    const made = await ask(register, {
      input: { name: 'Off', grantTypes: ['client_credentials'], scopes: ['audit:read'] },
    });
    const { id } = made.data.registerClient.client;
    const off =
      'mutation ($id: ID!) { disableClient(input: { id: $id }) { client { disabled } problems { code } } }';
    const on =
      'mutation ($id: ID!) { enableClient(input: { id: $id }) { client { disabled } problems { code } } }';
    expect((await ask(off, { id })).data.disableClient.client.disabled).toBe(true);
    const weak = await asking.machine('clients:write');
    expect(codesOf(await ask(on, { id }, weak))).toEqual(['FORBIDDEN']);
    expect((await ask(on, { id }, rivalAdmin)).data.enableClient.problems).toEqual([{ code: 'NOT_FOUND' }]);
    expect((await ask(on, { id })).data.enableClient).toEqual({ client: { disabled: false }, problems: [] });
  });

  test('are registered once for an idempotency key, also in parallel; the secret is shown once', async () => {
    const input = { name: 'Once', grantTypes: ['client_credentials'], idempotencyKey: 'once-1' };
    const answers = await Promise.all(Array.from({ length: 8 }, () => ask(register, { input })));
    const payloads = answers.map((answer) => answer.data.registerClient);
    expect(new Set(payloads.map((payload) => payload.client.id)).size).toBe(1);
    expect(payloads.filter((payload) => payload.clientSecret !== null)).toHaveLength(1);
    expect(payloads.filter((payload) => payload.repeated)).toHaveLength(7);
    const other = await ask(register, { input: { ...input, name: 'Twice' } });
    expect(other.data.registerClient).toEqual({
      client: null,
      clientSecret: null,
      repeated: null,
      problems: [
        {
          __typename: 'IdempotencyKeyReused',
          code: 'IDEMPOTENCY_KEY_REUSED',
          path: ['input', 'idempotencyKey'],
        },
      ],
    });
    const elsewhere = await ask(register, { input }, rivalAdmin);
    expect(elsewhere.data.registerClient).toMatchObject({ repeated: false, problems: [] });
    const another = await asking.machine('clients:write');
    expect((await ask(register, { input }, another)).data.registerClient.repeated).toBe(false);
    const { rows } = await asking.service.deps.database.sql.query('SELECT * FROM auth.idempotency_keys');
    expect(JSON.stringify(rows)).not.toContain('once-1');
    const wrong = await ask(register, { input: { ...input, idempotencyKey: '' } });
    expect(wrong.data.registerClient.problems).toEqual([
      { __typename: 'InvalidInput', code: 'INVALID_INPUT', path: ['input', 'idempotencyKey'] },
    ]);
  });
});

describe('what the caller got wrong', () => {
  test('is in the payload for who asks for it there, also by a fragment; otherwise an error', async () => {
    const problems =
      'fragment P on RevokeSessionPayload { ...Q } fragment Q on RevokeSessionPayload { ... { problems { code message path } } }';
    const asked = await ask(`mutation { revokeSession(input: { id: "x" }) { sessionId ...P } } ${problems}`);
    expect(asked.errors).toBeUndefined();
    expect(asked.data.revokeSession).toEqual({
      sessionId: null,
      problems: [{ code: 'NOT_FOUND', message: 'The session was not found.', path: ['input', 'id'] }],
    });
    const silent = await ask('mutation { revokeSession(input: { id: "x" }) { sessionId } }');
    expect([codesOf(silent), silent.data]).toEqual([['NOT_FOUND'], { revokeSession: null }]);
    const input = { name: 'Silent', grantTypes: ['client_credentials'], idempotencyKey: 'silent' };
    const register =
      'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } } }';
    expect(codesOf(await ask(register, { input }))).toBeUndefined();
    expect(codesOf(await ask(register, { input: { ...input, name: 'Other' } }))).toEqual(['BAD_USER_INPUT']);
  });
});

describe('idempotency keys', () => {
  test('hold for tokens, service accounts, API keys and invitations', async () => {
    const { accessToken } = await asking.signedIn('i-alice');
    const twice = async (query: string, variables: object, token = admin) => {
      const first = await ask(query, variables, token);
      const second = await ask(query, variables, token);
      return [Object.values(first.data)[0], Object.values(second.data)[0]] as [Payload, Payload];
    };
    const [token, tokenAgain] = await twice(
      'mutation { createPersonalAccessToken(input: { name: "s", idempotencyKey: "k" }) { token repeated personalAccessToken { id } } }',
      {},
      accessToken,
    );
    expect(token).toMatchObject({ token: expect.any(String), repeated: false });
    expect(tokenAgain).toEqual({ ...token, token: null, repeated: true });
    const [account, accountAgain] = await twice(
      'mutation { createServiceAccount(input: { name: "r", scopes: [], idempotencyKey: "k" }) { repeated serviceAccount { id } } }',
      {},
    );
    expect(accountAgain).toEqual({ ...account, repeated: true });
    const { id } = account.serviceAccount as { id: string };
    const [key, keyAgain] = await twice(
      'mutation ($id: ID!) { createApiKey(input: { serviceAccountId: $id, name: "k", idempotencyKey: "k" }) { token repeated apiKey { id } } }',
      { id },
    );
    expect(keyAgain).toEqual({ ...key, token: null, repeated: true });
    const invitee = asking.service.directory.addPerson(tenant, 'i-new');
    const [invited, again] = await twice(
      'mutation ($id: ID!) { inviteUser(input: { userId: $id, idempotencyKey: "k" }) { url repeated problems { message } } }',
      { id: invitee.id },
    );
    expect(invited).toEqual({
      url: expect.stringContaining('/invitation?token='),
      repeated: false,
      problems: [],
    });
    expect(again).toEqual({ url: null, repeated: true, problems: [] });
  });
});

describe('a tenant', () => {
  test('has its look and how long things live, for its own administrators', async () => {
    const query = `query ($id: ID!) { _entities(representations: [{ __typename: "Tenant", id: $id }]) { ... on Tenant {
      id branding { name } signInSettings { sessionIdleSeconds accessTokenSeconds passwordMinLength } } } }`;
    expect((await ask(query, { id: tenant })).data._entities).toEqual([
      {
        id: tenant,
        branding: { name: null },
        signInSettings: { sessionIdleSeconds: 86_400, accessTokenSeconds: 600, passwordMinLength: 12 },
      },
    ]);
    expect((await ask(query, { id: tenant }, rivalAdmin)).data._entities).toEqual([null]);
    const { accessToken } = await asking.signedIn('tn-alice');
    expect(new Set(codesOf(await ask(query, { id: tenant }, accessToken)))).toEqual(new Set(['FORBIDDEN']));
  });

  test('has figures, and counts of sign-ins by day', async () => {
    const query =
      '{ signInStatistics { live { sessions grants clients personalAccessTokens } days(days: 2) { date accepted refused delayed } } }';
    await asking.signedIn('st-rival', rival);
    await asking.service.deps.signInTally.flush();
    const ours = (await ask(query)).data.signInStatistics;
    expect(ours.live.clients).toBeGreaterThan(1);
    expect(ours.days).toHaveLength(2);
    expect(ours.days[1]).toMatchObject({
      date: new Date().toISOString().slice(0, 10),
      refused: 0,
      delayed: 0,
    });
    const theirs = (await ask(query, {}, rivalAdmin)).data.signInStatistics;
    const { rows } = await asking.service.deps.database.sql.query<{ n: number }>(
      'SELECT count(*)::int AS n FROM auth.sessions WHERE tenant = $1',
      [rival],
    );
    expect([theirs.live.sessions, theirs.days[1].accepted]).toEqual([rows[0]?.n, rows[0]?.n]);
    expect(codesOf(await ask(query, {}, helpDesk))).toEqual(['FORBIDDEN']);
  });
});
