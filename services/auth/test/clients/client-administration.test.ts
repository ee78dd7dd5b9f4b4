import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Asking, codesOf, startAsking } from '../support/sign-in/asking.ts';
import { rival, tenant } from '../support/sign-in/service.ts';

type Payload = Record<string, unknown>;

let asking: Asking;
let admin: string;
let rivalAdmin: string;

const scopes =
  'clients:read clients:write sessions:read sessions:write users:read users:write groups:read roles:read provisioning:read audit:read';

beforeAll(async () => {
  asking = await startAsking();
  admin = await asking.machine(scopes);
  rivalAdmin = await asking.machine(scopes, rival);
});
afterAll(() => asking.service.stop());

const ask = (query: string, variables: object = {}, token = admin) => asking.ask(query, variables, token);

describe('clients', () => {
  const register = `mutation ($input: RegisterClientInput!) { registerClient(input: $input) {
    client { id } clientSecret repeated problems { __typename code path } } }`;

  test('Every writable client setting can be read, and null restores the default.', async () => {
    const settings =
      'applicationType idTokenSignedResponseAlg requirePushedAuthorizationRequests clientUri logoUri requireConsent';
    const made = await ask(register, {
      input: {
        name: 'Settings',
        redirectUris: ['https://app.example/cb'],
        applicationType: 'WEB',
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
      applicationType: 'WEB',
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

  test.each([
    [{ redirectUris: ['not-a-uri'] }, ['input', 'redirectUris']],
    [{ redirectUris: ['https://a.test/#f'] }, ['input', 'redirectUris']],
    [{ name: '' }, ['input', 'name']],
    [{ logoUri: 'ftp://a.test' }, ['input', 'logoUri']],
    [{ jwksUri: 'https://user@a.test' }, ['input', 'jwksUri']],
    [{ scopes: ['users:reed'] }, ['input', 'scopes']],
    [{ requestUris: ['x'] }, ['input', 'requestUris']],
    [{ grantTypes: ['implicit'] }, ['input', 'grantTypes']],
    [{ postLogoutRedirectUris: ['x'] }, ['input', 'postLogoutRedirectUris']],
    [{ backchannelLogoutUri: 'x' }, ['input', 'backchannelLogoutUri']],
  ])('The problem with %j has a path that names the argument.', async (wrong, path) => {
    const input = {
      name: 'Paths',
      redirectUris: ['https://paths.test/callback'],
      ...wrong,
    };
    const query =
      'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { problems { code path } } }';
    expect((await ask(query, { input })).data.registerClient.problems).toEqual([
      { code: 'INVALID_INPUT', path },
    ]);
  });

  test('Clients are filtered, and are reachable as entities of their own tenant only.', async () => {
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

  test('A disabled client is enabled by a caller that has its scopes, but not by another tenant.', async () => {
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

  test('Clients are registered once for an idempotency key, also in parallel, and the secret is shown once.', async () => {
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

describe('problems of client settings', () => {
  const register = `mutation ($input: RegisterClientInput!) { registerClient(input: $input) {
    problems { code message path } } }`;

  test.each([
    ['redirectUris', { redirectUris: ['not a URI'] }],
    ['postLogoutRedirectUris', { postLogoutRedirectUris: ['https://app.example/#fragment'] }],
    ['logoUri', { logoUri: 'https://user:password@app.example/logo.png' }],
    ['backchannelLogoutUri', { backchannelLogoutUri: 'ftp://app.example/' }],
    ['grantTypes', { grantTypes: ['password'] }],
    ['scopes', { scopes: ['no-such-scope'] }],
    ['defaultMaxAge', { defaultMaxAge: -1 }],
    ['name', { name: '' }],
  ])('The problem of an invalid %s points at the argument and names it.', async (argument, wrong) => {
    const input = { name: 'App', redirectUris: ['https://app.example/cb'], ...wrong };
    const { problems } = (await ask(register, { input })).data.registerClient;
    expect(problems).toEqual([
      { code: 'INVALID_INPUT', message: expect.any(String), path: ['input', argument] },
    ]);
    expect(problems[0].message).not.toMatch(/\b[a-z_]+_(uris?|types|name|age)\b/);
  });

  test('The problem of an invalid argument in camel case points at it.', async () => {
    const { data } = await ask(register, { input: { name: 'Rotated', grantTypes: ['client_credentials'] } });
    expect(data.registerClient.problems).toEqual([]);
    const { clients } = (await ask('{ clients(first: 50) { edges { node { id name } } } }')).data;
    const { id } = clients.edges.find(({ node }: { node: Payload }) => node.name === 'Rotated').node;
    const rotate = `mutation ($input: RotateClientSecretInput!) { rotateClientSecret(input: $input) { problems { path } } }`;
    const { problems } = (await ask(rotate, { input: { id, overlapSeconds: -1 } })).data.rotateClientSecret;
    expect(problems).toEqual([{ path: ['input', 'overlapSeconds'] }]);
  });
});

describe('grants', () => {
  const list = `query ($filter: GrantFilter, $first: Int) { grants(filter: $filter, first: $first) {
    totalCount edges { node { clientId client { name } user { id } scopes } } } }`;

  test('The grants of an app name their users; another tenant or a caller without the scope cannot read them.', async () => {
    const people = [await asking.signedIn('allows-1'), await asking.signedIn('allows-2')];
    const outsider = await asking.signedIn('allows-elsewhere', rival);
    const [person] = people;
    const all = (await ask(list)).data.grants;
    const { clientId } = all.edges[0].node;
    const ofApp = (await ask(list, { filter: { clientId }, first: 1 })).data.grants;
    expect(ofApp).toMatchObject({
      totalCount: all.totalCount,
      edges: [{ node: { clientId, client: { name: expect.any(String) }, user: { id: people[1]?.id } } }],
    });
    const ofUser = (await ask(list, { filter: { clientId, userId: person?.id } })).data.grants;
    expect(ofUser).toMatchObject({ totalCount: 1, edges: [{ node: { user: { id: person?.id } } }] });
    for (const filter of [{ userId: outsider.id }, { clientId: 'nobody' }, { userId: 'nonsense' }])
      expect((await ask(list, { filter })).data.grants).toEqual({ totalCount: 0, edges: [] });
    expect((await ask(list, { filter: { clientId } }, rivalAdmin)).data.grants.totalCount).toBe(0);
    expect(codesOf(await ask(list, {}, person?.accessToken))).toEqual(['FORBIDDEN']);
    const revoke = `mutation ($id: ID!) { revokeGrant(input: { id: $id }) { problems { code } } }`;
    const { rows } = await asking.service.deps.database.sql.query<{ id: string }>(
      'SELECT id FROM auth.grants WHERE subject_id = $1',
      [person?.id],
    );
    const ended = await ask(revoke, rows[0]);
    expect(ended.data.revokeGrant.problems).toEqual([]);
    expect((await ask(list, { filter: { clientId } })).data.grants.totalCount).toBe(all.totalCount - 1);
  });
});

describe('problems of a request', () => {
  test('A problem is in the payload when the caller selects it there, also by a fragment; otherwise it is an error.', async () => {
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
  test('Idempotency keys apply to tokens, service accounts, API keys and invitations.', async () => {
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
    const invitee = asking.service.directory.addUser(tenant, 'i-new');
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
