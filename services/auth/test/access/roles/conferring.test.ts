import { buildSubgraphSchema } from '@apollo/subgraph';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { selfScopes } from '@ostiary/access';
import { readConfers, withScopesDirective } from '@ostiary/graph';
import { eventually } from '@ostiary/service/testing';
import { parse } from 'graphql';
import { exportJWK, generateKeyPair } from 'jose';
import type { Client } from '../../../src/clients/domain/client.ts';
import { typeDefs } from '../../../src/schema.ts';
import { accessTokenType, exchangeGrant } from '../../support/assertions.ts';
import { askGraph, callMutation, everything, machineToken } from '../../support/conferring.ts';
import {
  redeem,
  rival,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
  token,
} from '../../support/sign-in/service.ts';

const rights = new Proxy(
  {},
  { has: () => true, getOwnPropertyDescriptor: () => ({ configurable: true, value: 1 }) },
);
const declared = readConfers(
  buildSubgraphSchema([{ typeDefs: parse(withScopesDirective(typeDefs)) }]),
  rights,
);
/** Names of the mutations that confer rights. */
const conferring = [...declared].filter(([, { rights: given }]) => given.length > 0).map(([name]) => name);
/** Names of the mutations that confer nothing and still require a recent sign-in. */
const recentOnly = [...declared]
  .filter(([, { rights: given, recentSignIn }]) => given.length === 0 && recentSignIn)
  .map(([name]) => name);

let service: TestService;
let console: Client;
/** Ids of objects that a client with every scope created, as targets of other callers. */
let ids: Record<'person' | 'administrator' | 'client' | 'account' | 'webhook' | 'group' | 'api', string>;
let jwk: string;

const machine = (scopes: readonly string[], of = tenant) => machineToken(service, scopes, of);
const ask = (query: string, variables: object, accessToken: string) =>
  askGraph(service, query, variables, accessToken);
const confer = (name: string, input: object, accessToken: string, shown?: string) =>
  callMutation(service, name, input, accessToken, shown);

/** Input of each mutation with which it confers rights. */
const inputs: Record<string, () => object> = {
  createWebhook: () => ({ name: 'x', endpoint: 'https://receiver.example/', types: ['USER_UPDATED'] }),
  updateWebhook: () => ({ id: ids.webhook, types: ['USER_CREATED', 'GROUP_CREATED'] }),
  rotateWebhookSecret: () => ({ id: ids.webhook }),
  createTrustedIssuer: () => ({
    name: 'x',
    issuer: `https://${crypto.randomUUID()}.example`,
    jwks: JSON.stringify({ keys: [JSON.parse(jwk)] }),
    clientIds: [ids.client],
    scopes: ['users:read'],
  }),
  bindIssuerSubject: () => ({
    trustedIssuerId: crypto.randomUUID(),
    subject: 'x',
    userId: ids.administrator,
  }),
  createPersonalAccessToken: () => ({ name: 'x', scopes: ['openid'] }),
  createServiceAccount: () => ({ name: 'x', scopes: ['roles:write'] }),
  updateServiceAccount: () => ({ id: ids.account, disabled: false }),
  createApiKey: () => ({ serviceAccountId: ids.account, name: 'x' }),
  addServiceAccountKey: () => ({ serviceAccountId: ids.account, jwk }),
  registerClient: () => ({
    name: 'x',
    grantTypes: ['client_credentials'],
    scopes: ['roles:write'],
    tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC',
  }),
  rotateClientSecret: () => ({ id: ids.client }),
  updateClientDocumentPolicy: () => ({ hosts: ['attacker.example'] }),
  updateClient: () => ({ id: ids.client, redirectUris: ['https://attacker.example/'] }),
  enableClient: () => ({ id: ids.client }),
  transferCredential: () => ({ kind: 'CLIENT', id: ids.client, ownerId: ids.group }),
  createInitialAccessToken: () => ({ name: 'x', scopes: ['roles:write'] }),
  removeAuthenticatorApp: () => ({ userId: ids.administrator }),
  removePasskey: () => ({ userId: ids.administrator, id: crypto.randomUUID() }),
  assignRole: () => ({ userId: ids.person, role: 'HELP_DESK' }),
  inviteUser: () => ({ userId: ids.administrator }),
  resetUserAccess: () => ({ userId: ids.administrator }),
  assignGroupRole: () => ({ groupId: ids.group, role: 'HELP_DESK', managedBySources: false }),
  assignApiRole: () => ({ userId: ids.person, apiId: ids.api, role: 'reader' }),
  assignGroupApiRole: () => ({ groupId: ids.group, apiId: ids.api, role: 'reader', managedBySources: false }),
  registerApi: () => ({
    identifier: `https://${crypto.randomUUID()}.example`,
    name: 'x',
    claims: [{ name: 'title', expression: 'user.title' }],
  }),
  updateApi: () => ({ id: ids.api, claims: [{ name: 'teams', expression: 'groups' }] }),
};

beforeAll(async () => {
  service = await startTestService();
  console = await service.client({
    require_consent: false,
    scope: ['openid', 'offline_access', ...Object.keys(selfScopes), ...everything].join(' '),
  });
  const { publicKey } = await generateKeyPair('ES256', { extractable: true });
  jwk = JSON.stringify({ ...(await exportJWK(publicKey)), kid: 'attacker', alg: 'ES256' });
  const all = await machine(everything);
  const made = async (name: string, input: object, shown: string) => {
    const { code, data } = await confer(name, input, all, shown);
    if (code) throw new Error(`${name}: ${code}`);
    return data[name];
  };
  const person = await service.person('somebody');
  const administrator = await service.person('administrator');
  await made('assignRole', { userId: administrator.id, role: 'TENANT_ADMIN' }, '__typename');
  const client = await made(
    'registerClient',
    {
      name: 'Everything',
      grantTypes: ['client_credentials'],
      tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC',
      scopes: everything,
    },
    'client { id }',
  );
  const account = await made(
    'createServiceAccount',
    { name: 'All', scopes: everything },
    'serviceAccount { id }',
  );
  const webhook = await made(
    'createWebhook',
    { name: 'All', endpoint: 'https://receiver.example/', types: ['USER_UPDATED'] },
    'webhook { id }',
  );
  const api = await made(
    'registerApi',
    { identifier: 'https://orders.example/v1', name: 'Orders', roles: [{ name: 'reader' }] },
    'api { id }',
  );
  ids = {
    api: api.api.id,
    person: person.id,
    administrator: administrator.id,
    client: client.client.id,
    account: account.serviceAccount.id,
    webhook: webhook.webhook.id,
    group: service.directory.groups.create(tenant, [person.id]),
  };
});
afterAll(() => service.stop());

test('Every mutation that confers access is covered here.', () => {
  expect(Object.keys(inputs).sort()).toEqual([...conferring].sort());
});

describe('with an administrator’s personal access token', () => {
  let personal: string;
  beforeAll(async () => {
    const scope = ['openid', ...Object.keys(selfScopes), ...everything].join(' ');
    const answer = await signInAndAllow(service.browser(), console, 'administrator', { scope });
    const { body } = await redeem(service, console, answer);
    const made = await confer(
      'createPersonalAccessToken',
      { name: 'script' },
      body.access_token ?? '',
      'token',
    );
    personal = made.data.createPersonalAccessToken.token;
  });

  test.each(conferring.filter((name) => name !== 'createPersonalAccessToken'))(
    'A personal access token confers nothing because it is no recent sign-in: %s.',
    async (name) => {
      expect((await confer(name, inputs[name]?.() ?? {}, personal)).code).toBe(
        'INSUFFICIENT_USER_AUTHENTICATION',
      );
    },
  );

  test.each([
    ['constants', [{ name: 'tier', expression: '"gold"' }]],
    ['no claims', []],
    ['the default', null],
  ])(
    'A personal access token sets no claims of an API, by which APIs authorize: %s.',
    async (_what, claims) => {
      expect((await confer('updateApi', { id: ids.api, claims }, personal)).code).toBe(
        'INSUFFICIENT_USER_AUTHENTICATION',
      );
      const registered = { identifier: `https://${crypto.randomUUID()}.example`, name: 'x', claims };
      const { code } = await confer('registerApi', registered, personal);
      expect(code).toBe(claims?.length ? 'INSUFFICIENT_USER_AUTHENTICATION' : undefined);
      expect((await confer('updateApi', { id: ids.api, name: 'Renamed' }, personal)).code).toBeUndefined();
    },
  );

  test('A personal access token cannot create another personal access token.', async () => {
    expect((await confer('createPersonalAccessToken', { name: 'next' }, personal)).code).toBe('FORBIDDEN');
  });

  test('A personal access token can perform an operation that removes access.', async () => {
    const ended = await confer('disableClient', { id: ids.client }, personal);
    expect(ended.code).toBeUndefined();
  });
});

describe('with a token exchanged for that of a recently signed-in administrator', () => {
  let own: string;
  const exchanged: Record<string, string> = {};
  beforeAll(async () => {
    const scope = ['openid', ...everything].join(' ');
    const answer = await signInAndAllow(service.browser(), console, 'administrator', { scope });
    own = (await redeem(service, console, answer)).body.access_token ?? '';
    for (const impersonation of [false, true]) {
      const exchanging = await service.client({
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: [exchangeGrant],
        redirect_uris: [],
        scope,
        token_exchange_subject_clients: [console.clientId],
        token_exchange_impersonation: impersonation,
      });
      const { body } = await token(service, exchanging, {
        grant_type: exchangeGrant,
        client_secret: exchanging.secret ?? '',
        subject_token: own,
        subject_token_type: accessTokenType,
      });
      exchanged[impersonation ? 'impersonation' : 'delegation'] = body.access_token ?? '';
    }
  });

  test.each([...conferring, ...recentOnly].filter((name) => name !== 'createPersonalAccessToken'))(
    'An exchanged token never satisfies step-up: %s.',
    async (name) => {
      for (const [way, accessToken] of Object.entries(exchanged))
        expect([way, (await confer(name, inputs[name]?.() ?? {}, accessToken)).code]).toEqual([
          way,
          'INSUFFICIENT_USER_AUTHENTICATION',
        ]);
    },
  );

  test('The token of the sign-in itself confers a role, and an exchanged token still reads and revokes.', async () => {
    expect((await confer('assignRole', { userId: ids.person, role: 'AUDITOR' }, own)).code).toBeUndefined();
    for (const accessToken of Object.values(exchanged)) {
      expect((await ask('{ clients(first: 1) { totalCount } }', {}, accessToken)).code).toBeUndefined();
      expect((await confer('disableClient', { id: ids.client }, accessToken)).code).toBeUndefined();
    }
  });
});

describe('with the scope of an operation alone', () => {
  const own: Record<string, string[]> = {
    assignRole: ['roles:write'],
    assignGroupRole: ['roles:write'],
    assignApiRole: ['roles:write'],
    assignGroupApiRole: ['roles:write'],
    createWebhook: ['webhooks:write'],
    updateWebhook: ['webhooks:write'],
    inviteUser: ['users:write', 'access:write'],
    resetUserAccess: ['users:write', 'access:write'],
    removeAuthenticatorApp: ['users:write', 'access:write'],
    removePasskey: ['users:write', 'access:write'],
  };
  // The secret of a webhook signs messages and reads nothing.
  const givesNoScope = ['createPersonalAccessToken', 'rotateWebhookSecret'];

  test.each(conferring.filter((name) => !givesNoScope.includes(name)))(
    'An app cannot confer scopes that it does not have: %s.',
    async (name) => {
      const poor = await machine(own[name] ?? ['clients:write']);
      const { code, scopes } = await confer(name, inputs[name]?.() ?? {}, poor);
      expect({ code, scopes }).toEqual({ code: 'FORBIDDEN', scopes: [expect.any(String)] });
    },
  );

  test('For an app of another tenant, every target is reported as NOT_FOUND.', async () => {
    const stranger = await machine(everything, rival);
    for (const name of ['rotateClientSecret', 'updateClient', 'enableClient', 'createApiKey', 'inviteUser'])
      expect([name, (await confer(name, inputs[name]?.() ?? {}, stranger)).code]).toEqual([
        name,
        'NOT_FOUND',
      ]);
  });
});

describe('notifications to the directory', () => {
  const notified = (id: string) => service.directory.groups.holders.get(id)?.scopes ?? [];

  test('The directory is notified when a role is assigned and when it is removed.', async () => {
    const { id } = await service.person('holder');
    const all = await machine(everything);
    await confer('assignRole', { userId: id, role: 'HELP_DESK' }, all);
    expect(notified(id)).toEqual(expect.arrayContaining(['roles:write', 'sessions:write']));
    await ask(
      'mutation ($input: RoleInput!) { removeRole(input: $input) { __typename } }',
      { input: { userId: id, role: 'HELP_DESK' } },
      all,
    );
    expect(notified(id)).toEqual([]);
  });

  test('The directory is notified later when it is unavailable, and the last state counts.', async () => {
    const { id } = await service.person('holder-later');
    const all = await machine(everything);
    await confer('assignRole', { userId: id, role: 'HELP_DESK' }, all);
    await ask(
      'mutation ($id: ID!) { removeRole(input: { userId: $id, role: HELP_DESK }) { __typename } }',
      { id },
      all,
    );
    service.directory.available = false;
    try {
      await Promise.all(
        ['HELP_DESK', 'AUDITOR'].map((role) => confer('assignRole', { userId: id, role }, all)),
      );
      expect(notified(id)).toEqual([]);
    } finally {
      service.directory.available = true;
    }
    await service.deps.roleHolders.catchUp(new AbortController().signal);
    await eventually(
      async () => notified(id).includes('audit:read') && notified(id).includes('sessions:write'),
    );
  });
});
