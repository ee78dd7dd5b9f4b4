import { describe, expect, test } from '@jest/globals';
import { uuidv7 } from '@ostiary/service';
import { actingAgent } from '../../support/agents/acting-agent.ts';
import { Authenticator } from '../../support/sign-in/authenticator.ts';
import {
  addKey,
  admin,
  asking,
  column,
  issuer,
  mutations,
  newAccount,
  newApi,
  newApiKey,
  newApiRole,
  newBinding,
  newClient,
  newDelivery,
  newGroup,
  newIssuer,
  newKey,
  newPerson,
  newStream,
  newTeam,
  newWebhook,
  ofUser,
  rivalAdmin,
  run,
  setUpChanging,
  signedIn,
  unique,
  webhookId,
} from '../../support/sign-in/changing.ts';
import { addPasskey, setUpApp } from '../../support/sign-in/second-step.ts';
import { tenant } from '../../support/sign-in/service.ts';

setUpChanging();

interface Case {
  /** Creates the object to change and returns the input. `by` is the access token; default: the administrator's. */
  before: () => Promise<{ input: object; by?: string }> | { input: object; by?: string };
  /** Number of entries in the security log. */
  events?: number;
}

const simply = (input: () => Promise<object> | object): Case => ({
  before: async () => ({ input: await input() }),
});
const withId = (make: () => Promise<string>, more: object = {}): Case =>
  simply(async () => ({ id: await make(), ...more }));

/** The first mutation is called before, with the same input. */
const after = (mutation: string, make: () => Promise<object>): Case =>
  simply(async () => {
    const input = await make();
    await run(mutation, input);
    return input;
  });

const cases: Record<string, Case> = {
  registerClient: simply(() => ({ name: 'App', redirectUris: ['https://app.example/cb'] })),
  updateClient: withId(newClient, { name: 'New', tokenEndpointAuthMethod: 'CLIENT_SECRET_JWT', version: 1 }),
  rotateClientSecret: withId(newClient),
  disableClient: withId(newClient),
  enableClient: after('disableClient', async () => ({ id: await newClient() })),
  deleteClient: withId(newClient),
  registerApi: simply(() => ({ identifier: `https://${unique()}.example/v1`, name: 'Orders' })),
  updateApi: withId(newApi, { scopes: [], tokenFormat: 'OPAQUE', version: 1 }),
  deleteApi: withId(newApi),
  createInitialAccessToken: simply(() => ({ name: 'for a partner' })),
  revokeInitialAccessToken: withId(
    async () => (await run('createInitialAccessToken', { name: 'gone' })).initialAccessToken.id,
  ),
  createServiceAccount: simply(() => ({ name: 'robot', scopes: ['users:read'] })),
  updateServiceAccount: withId(newAccount, { disabled: true }),
  deleteServiceAccount: withId(newAccount),
  createApiKey: simply(async () => ({ serviceAccountId: await newAccount(), name: 'key' })),
  revokeApiKey: withId(newApiKey),
  addServiceAccountKey: simply(async () => ({ serviceAccountId: await newAccount(), jwk: newKey() })),
  removeServiceAccountKey: withId(addKey),
  transferCredential: simply(async () => ({
    kind: 'CLIENT',
    id: await newClient(),
    ownerId: await newTeam(),
  })),
  createPersonalAccessToken: {
    before: async () => ({ input: { name: 'mine' }, by: (await signedIn()).accessToken }),
  },
  revokePersonalAccessToken: withId(async () => {
    const { accessToken } = await signedIn();
    return (await run('createPersonalAccessToken', { name: 'mine' }, accessToken)).personalAccessToken.id;
  }),
  createTrustedIssuer: simply(issuer),
  deleteTrustedIssuer: withId(newIssuer),
  bindIssuerSubject: simply(async () => ({
    trustedIssuerId: await newIssuer(),
    subject: unique(),
    userId: await newPerson(),
  })),
  unbindIssuerSubject: withId(newBinding),
  rotateSigningKeys: simply(() => ({ algorithms: ['EDDSA'], compromised: true })),
  createWebhook: simply(() => ({ name: 'hook', endpoint: 'http://127.0.0.1:4/', types: ['USER_UPDATED'] })),
  updateWebhook: withId(newWebhook, { name: 'Renamed', version: 1 }),
  rotateWebhookSecret: withId(newWebhook),
  deleteWebhook: withId(newWebhook),
  testWebhook: withId(async () => webhookId),
  updateSignalStream: withId(newStream, { status: 'PAUSED' }),
  deleteSignalStream: withId(newStream),
  replayDelivery: withId(async () => (await newDelivery()).id),
  replayDeadDeliveries: simply(async () => ({ receiverId: (await newDelivery()).receiverId })),
  discardDelivery: withId(async () => (await newDelivery()).id),
  revokeSession: withId(() => ofUser('sessions')),
  revokeAllSessions: simply(async () => ({ userId: (await signedIn()).id })),
  revokeGrant: withId(() => ofUser('grants')),
  endDelegation: withId(async () => (await actingAgent(asking.service, unique())).delegationId),
  removeAuthenticatorApp: simply(async () => {
    const person = await asking.service.person(unique());
    await setUpApp(asking.service, asking.service.browser(), person.userName);
    return { userId: person.id };
  }),
  removePasskey: simply(async () => {
    const person = await asking.service.person(unique());
    await addPasskey(asking.service.browser(), person.userName, new Authenticator());
    const [passkey] = await asking.service.deps.passkeys.list(tenant, person.id);
    return { userId: person.id, id: passkey?.id };
  }),
  updateClientDocumentPolicy: simply(() => ({ hosts: [`${unique()}.example`] })),
  updateTenantBranding: simply(() => ({ name: unique() })),
  assignRole: simply(async () => ({ userId: await newPerson(), role: 'AUDITOR' })),
  removeRole: after('assignRole', async () => ({ userId: await newPerson(), role: 'AUDITOR' })),
  inviteUser: simply(() => {
    const { id } = asking.service.directory.addUser(tenant, unique());
    return { userId: id };
  }),
  resetUserAccess: simply(async () => ({ userId: await newPerson(), compromised: true })),
  assignGroupRole: simply(() => ({ groupId: newGroup(), role: 'AUDITOR' })),
  removeGroupRole: after('assignGroupRole', async () => ({ groupId: newGroup(), role: 'AUDITOR' })),
  assignApiRole: simply(() => newApiRole('userId')),
  removeApiRole: after('assignApiRole', () => newApiRole('userId')),
  assignGroupApiRole: simply(() => newApiRole('groupId')),
  removeGroupApiRole: after('assignGroupApiRole', () => newApiRole('groupId')),
};

/** Digest of everything that a change stores, without columns that depend only on time. */
const kept = `SELECT md5(string_agg(what, ' ' ORDER BY what)) AS value FROM (
  SELECT id::text AS what FROM auth.security_log
  UNION ALL SELECT c::text FROM auth.clients c
  UNION ALL SELECT s::text FROM auth.client_secrets s
  UNION ALL SELECT a::text FROM auth.apis a
  UNION ALL SELECT s::text FROM auth.api_scopes s
  UNION ALL SELECT r::text FROM auth.api_roles r
  UNION ALL SELECT a::text FROM auth.service_accounts a
  UNION ALL SELECT id::text FROM auth.service_account_keys
  UNION ALL SELECT id::text FROM auth.api_tokens
  UNION ALL SELECT t::text FROM auth.initial_access_tokens t
  UNION ALL SELECT id::text FROM auth.trusted_issuers
  UNION ALL SELECT id::text FROM auth.issuer_subjects
  UNION ALL SELECT kid || state FROM auth.signing_keys
  UNION ALL SELECT i::text FROM auth.invitations i
  UNION ALL SELECT id::text || version || encode(coalesce(secrets, ''), 'hex') FROM auth.receivers
  UNION ALL SELECT id::text FROM auth.deliveries
  UNION ALL SELECT b::text FROM auth.tenant_branding b UNION ALL SELECT p::text FROM auth.client_document_policies p
  UNION ALL SELECT r::text FROM auth.revocations r) every`;

const events = async () => Number(await column('SELECT count(*)::text AS value FROM auth.security_log'));

/** Fields that are shown once or differ between the first answer and repeated ones. */
const once = ['token', 'secret', 'clientSecret', 'url', 'expiresAt', 'repeated'];
const lasting = (answer: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(answer).filter(([name]) => !once.includes(name)));

test('Every mutation takes an idempotency key and is covered by these tests.', () => {
  expect([...mutations].filter(([, { takesKey }]) => !takesKey)).toEqual([]);
  expect([...mutations.keys()].sort()).toEqual(Object.keys(cases).sort());
});

describe('with an idempotency key', () => {
  test.each(Object.keys(cases))(
    'The mutation %s is executed once with an idempotency key, and a repeat returns the same answer.',
    async (name) => {
      const { before, events: notified = 1 } = cases[name] as Case;
      const { input, by = admin } = await before();
      const keyed = { ...input, idempotencyKey: `${name} ${uuidv7()}` };
      const [logged, untouched] = [await events(), await column(kept)];
      const answers = await Promise.all([run(name, keyed, by), run(name, keyed, by)]);
      const state = await column(kept);
      expect(state).not.toBe(untouched);
      expect((await events()) - logged).toBe(notified);
      answers.push(await run(name, keyed, by));
      for (const answer of answers) {
        expect(answer.problems).toEqual([]);
        expect(lasting(answer)).toEqual(lasting(answers[0]));
      }
      const secrets = answers.map(
        ({ token, secret, clientSecret, url }) => token ?? secret ?? clientSecret ?? url,
      );
      if (secrets.some((secret) => secret)) expect(secrets.filter((secret) => secret)).toHaveLength(1);
      expect(await column(kept)).toBe(state);
    },
  );
});

describe('idempotency keys', () => {
  const rotate = (idempotencyKey: string, input: object = {}, by = admin) =>
    run('rotateWebhookSecret', { id: webhookId, idempotencyKey, ...input }, by);

  test('An idempotency key that is malformed or reused with another input changes nothing.', async () => {
    const key = uuidv7();
    expect((await rotate(key)).problems).toEqual([]);
    const state = await column(kept);
    expect((await rotate(key, { overlapSeconds: 5 })).problems).toEqual([{ code: 'IDEMPOTENCY_KEY_REUSED' }]);
    const gone = await run('deleteWebhook', { id: uuidv7(), idempotencyKey: key });
    expect(gone.problems).toEqual([{ code: 'NOT_FOUND' }]);
    for (const none of ['', 'a\u0000b', 'x'.repeat(201), '\ud800']) {
      expect((await rotate(none)).problems).toEqual([{ code: 'INVALID_INPUT' }]);
    }
    expect(await column(kept)).toBe(state);
  });

  test('The idempotency key of a rejected mutation is free for the next attempt.', async () => {
    const id = await newWebhook();
    const again = { id, name: 'New', version: 2, idempotencyKey: uuidv7() };
    expect((await run('updateWebhook', again)).problems).toEqual([{ code: 'VERSION_CONFLICT' }]);
    await run('updateWebhook', { id, name: 'Meanwhile' });
    expect((await run('updateWebhook', again)).problems).toEqual([]);
    expect((await run('updateWebhook', again)).problems).toEqual([]);
  });

  test('An idempotency key has no meaning for another tenant, another user or another mutation.', async () => {
    const [{ input }, key] = [await (cases.deleteWebhook as Case).before(), 'a key with blanks, ä'];
    const keyed = { ...input, idempotencyKey: key };
    expect((await run('deleteWebhook', keyed)).problems).toEqual([]);
    expect((await run('deleteWebhook', keyed, rivalAdmin)).problems).toEqual([{ code: 'NOT_FOUND' }]);
    expect((await run('testWebhook', keyed)).problems).toEqual([{ code: 'NOT_FOUND' }]);
    const [one, other] = [await signedIn(), await signedIn()];
    const mine = { name: 'mine', idempotencyKey: key };
    const made = [
      await run('createPersonalAccessToken', mine, one.accessToken),
      await run('createPersonalAccessToken', mine, other.accessToken),
    ];
    expect(made.map(({ repeated }) => repeated)).toEqual([false, false]);
  });
});

test('An object with an id is found as an entity in its tenant only, and a user finds only their log entries.', async () => {
  const [account, stream, delivery] = [await newAccount(), await newStream(), await newDelivery()];
  const [one, other] = [await signedIn(), await signedIn()];
  const event = await column('SELECT id::text AS value FROM auth.security_log WHERE subject_id = $1', [
    one.id,
  ]);
  const representations = [
    { __typename: 'ServiceAccount', id: account },
    { __typename: 'SignalStream', id: stream },
    { __typename: 'Delivery', id: delivery.id },
    { __typename: 'SecurityEvent', id: event },
  ];
  const query = `query ($representations: [_Any!]!) { _entities(representations: $representations) {
    ... on ServiceAccount { id scopes } ... on SignalStream { id status } ... on Delivery { id state }
    ... on SecurityEvent { id action } } }`;
  const entities = async (token: string, some: readonly object[] = representations) =>
    (await asking.ask(query, { representations: some }, token)).data._entities;
  expect(await entities(admin)).toEqual([
    { id: account, scopes: ['users:read'] },
    { id: stream, status: 'ENABLED' },
    { id: delivery.id, state: 'DEAD' },
    { id: event, action: expect.any(String) },
  ]);
  expect(await entities(rivalAdmin)).toEqual([null, null, null, null]);
  const ofLog = representations.slice(3);
  expect(await entities(one.accessToken, ofLog)).toEqual([{ id: event, action: expect.any(String) }]);
  expect(await entities(other.accessToken, ofLog)).toEqual([null]);
});

describe('versions', () => {
  const versionOf = async (text: string, values: readonly unknown[]) => Number(await column(text, values));
  const ofRow = (table: string, key: string) => (id: string) =>
    versionOf(`SELECT version::text AS value FROM auth.${table} WHERE ${key}::text = $1`, [id]);

  interface Versioned {
    make: () => Promise<string>;
    versionOf: (id: string) => Promise<number>;
    /** Mutations in order, each with additional input. */
    changes: readonly (readonly [mutation: string, more: object])[];
    remove?: string;
  }
  const things: Record<string, Versioned> = {
    'a client': {
      make: newClient,
      versionOf: ofRow('clients', 'client_id'),
      changes: [
        ['updateClient', { redirectUris: ['https://app.example/other'] }],
        ['rotateClientSecret', {}],
        ['disableClient', {}],
        ['enableClient', {}],
      ],
      remove: 'deleteClient',
    },
    'a service account': {
      make: newAccount,
      versionOf: ofRow('service_accounts', 'id'),
      changes: [['updateServiceAccount', { name: 'Renamed' }]],
      remove: 'deleteServiceAccount',
    },
    'a stream': {
      make: newStream,
      versionOf: ofRow('receivers', 'id'),
      changes: [['updateSignalStream', { status: 'PAUSED' }]],
      remove: 'deleteSignalStream',
    },
    'a webhook': {
      make: newWebhook,
      versionOf: ofRow('receivers', 'id'),
      changes: [
        ['updateWebhook', { status: 'PAUSED' }],
        ['rotateWebhookSecret', {}],
      ],
      remove: 'deleteWebhook',
    },
    'a trusted issuer': {
      make: newIssuer,
      versionOf: ofRow('trusted_issuers', 'id'),
      changes: [],
      remove: 'deleteTrustedIssuer',
    },
    'a look': {
      // A tenant has one branding, so the version continues from earlier tests.
      make: async () => tenant,
      versionOf: ofRow('tenant_branding', 'tenant'),
      changes: [['updateTenantBranding', { color: '#336699' }]],
    },
  };

  test.each(Object.keys(things))(
    'The version of %s increases with each change, and only one of the changes based on it succeeds.',
    async (what) => {
      const { make, versionOf: current, changes, remove } = things[what] as Versioned;
      const id = await make();
      const based = (version: number) => ({ ...(id === tenant ? {} : { id }), version });
      for (const [mutation, more] of changes) {
        const version = await current(id);
        const attempts = await Promise.all(
          [1, 2, 3].map(() => run(mutation, { ...more, ...based(version) })),
        );
        const codes = attempts.map(({ problems }) => problems[0]?.code ?? 'done');
        expect([mutation, codes.sort()]).toEqual([
          mutation,
          ['VERSION_CONFLICT', 'VERSION_CONFLICT', 'done'],
        ]);
        expect(await current(id)).toBe(version + 1);
      }
      if (!remove) return;
      const version = await current(id);
      expect((await run(remove, based(version - 1))).problems).toEqual([{ code: 'VERSION_CONFLICT' }]);
      expect((await run(remove, based(version))).problems).toEqual([]);
    },
  );

  test('The version of branding that is not yet set is 0, and the first of two updates based on it succeeds.', async () => {
    const read = async () =>
      (await asking.ask('{ tenantBranding { version } }', {}, rivalAdmin)).data.tenantBranding.version;
    expect(await read()).toBe(0);
    const answers = await Promise.all(
      ['#112233', '#445566'].map((color) => run('updateTenantBranding', { color, version: 0 }, rivalAdmin)),
    );
    expect(answers.map(({ problems }) => problems[0]?.code ?? 'done').sort()).toEqual([
      'VERSION_CONFLICT',
      'done',
    ]);
  });

  test('A version is read with its object and reveals nothing across tenants.', async () => {
    const [client, account, stream] = [await newClient(), await newAccount(), await newStream()];
    const [webhook, trusted] = [await newWebhook(), await newIssuer()];
    const query = `query ($client: ID!, $account: ID!, $stream: ID!, $webhook: ID!) { client(id: $client) { version }
      serviceAccount(id: $account) { version } signalStream(id: $stream) { version } webhook(id: $webhook) { version }
      trustedIssuers { id version } tenantBranding { version } }`;
    const { data } = await asking.ask(query, { client, account, stream, webhook }, admin);
    expect(data).toMatchObject({
      client: { version: 1 },
      serviceAccount: { version: 1 },
      signalStream: { version: 1 },
      webhook: { version: 1 },
      trustedIssuers: expect.arrayContaining([{ id: trusted, version: 1 }]),
    });
    for (const [mutation, id, more] of [
      ['updateClient', client, {}],
      ['updateServiceAccount', account, {}],
      ['updateSignalStream', stream, { status: 'PAUSED' }],
      ['rotateClientSecret', client, {}],
      ['rotateWebhookSecret', webhook, {}],
      ['testWebhook', webhook, {}],
      ['deleteWebhook', webhook, {}],
      ['deleteTrustedIssuer', trusted, {}],
      ['removeServiceAccountKey', await addKey(), {}],
    ] as const) {
      const answer = await run(mutation, { id, version: 9, ...more }, rivalAdmin);
      expect(answer.problems).toEqual([{ code: 'NOT_FOUND' }]);
    }
  });
});
