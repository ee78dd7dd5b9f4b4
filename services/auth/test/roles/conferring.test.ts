import { buildSubgraphSchema } from '@apollo/subgraph';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { apiScopes, selfScopes } from '@ostiary/access';
import { readConfers, withScopesDirective } from '@ostiary/graph';
import { eventually } from '@ostiary/service/testing';
import { parse } from 'graphql';
import { exportJWK, generateKeyPair } from 'jose';
import type { Client } from '../../src/clients/domain/client.ts';
import { typeDefs } from '../../src/composition/schema.ts';
import {
  redeem,
  rival,
  signInAndAllow,
  startTestService,
  type TestService,
  tenant,
  token,
} from '../support/sign-in/service.ts';

const everything = Object.keys(apiScopes);
const rights = new Proxy(
  {},
  { has: () => true, getOwnPropertyDescriptor: () => ({ configurable: true, value: 1 }) },
);
const declared = readConfers(
  buildSubgraphSchema([{ typeDefs: parse(withScopesDirective(typeDefs)) }]),
  rights,
);
/** Every mutation that gives somebody something. */
const conferring = [...declared].filter(([, { rights: given }]) => given.length > 0).map(([name]) => name);

let service: TestService;
let console: Client;
/** What a machine with every scope made, for others to try and get at. */
let ids: Record<'person' | 'administrator' | 'client' | 'account' | 'webhook' | 'group', string>;
let jwk: string;

async function machine(scopes: readonly string[], of = tenant): Promise<string> {
  const client = await service.client(
    {
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      scope: scopes.join(' '),
    },
    of,
  );
  const asked = { grant_type: 'client_credentials', client_secret: client.secret ?? '' };
  return (await token(service, client, asked)).body.access_token ?? '';
}

interface Outcome {
  code: string | undefined;
  scopes: string[] | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: each test knows the shape it asked for
  data: any;
}
async function ask(query: string, variables: object, accessToken: string): Promise<Outcome> {
  const response = await fetch(`${service.origin}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${accessToken}` },
    body: JSON.stringify({ query, variables }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: see above
  const body = (await response.json()) as any;
  const error = body.errors?.[0]?.extensions;
  return { code: error?.code, scopes: error?.scopes, data: body.data };
}

const inputTypes: Record<string, string> = {
  assignRole: 'RoleInput',
  enableClient: 'ClientInput',
  disableClient: 'ClientInput',
};
const confer = (name: string, input: object, accessToken: string, shown = '__typename'): Promise<Outcome> => {
  const type = inputTypes[name] ?? `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  return ask(`mutation ($input: ${type}!) { ${name}(input: $input) { ${shown} } }`, { input }, accessToken);
};

/** An input of each, with which it would give more than nothing. */
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
  ids = {
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

  test('A personal access token cannot create another personal access token.', async () => {
    expect((await confer('createPersonalAccessToken', { name: 'next' }, personal)).code).toBe('FORBIDDEN');
  });

  test('A personal access token can perform an operation that removes access.', async () => {
    const ended = await confer('disableClient', { id: ids.client }, personal);
    expect(ended.code).toBeUndefined();
  });
});

describe('with the scope of an operation alone', () => {
  const own: Record<string, string[]> = {
    assignRole: ['roles:write'],
    assignGroupRole: ['roles:write'],
    createWebhook: ['webhooks:write'],
    updateWebhook: ['webhooks:write'],
    inviteUser: ['users:write', 'access:write'],
    resetUserAccess: ['users:write', 'access:write'],
    removeAuthenticatorApp: ['users:write', 'access:write'],
    removePasskey: ['users:write', 'access:write'],
  };
  // A secret of a webhook says that messages are ours, and reads nothing.
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

describe('what a client comes to besides its scopes', () => {
  const registration = {
    name: 'x',
    kind: 'WEB',
    redirectUris: ['https://attacker.example/cb'],
    tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC',
  };
  const made = async (input: object, by: string): Promise<string> => {
    const { code, data } = await confer('registerClient', { ...registration, ...input }, by, 'client { id }');
    expect(code).toBeUndefined();
    return data.registerClient.client.id;
  };

  test.each(Object.keys(selfScopes))(
    'A client with this scope and without consent is managed only by a caller with all scopes: %s.',
    async (scope) => {
      const [all, poor] = [await machine(everything), await machine(['clients:write'])];
      const scopes = ['openid', scope];
      // Whoever is asked decides for themselves.
      const asking = await made({ scopes }, poor);
      const silent = await made({ scopes: ['openid'], requireConsent: false }, poor);
      const complete = await made({ scopes, requireConsent: false }, all);
      const attempts: [string, object][] = [
        ['registerClient', { ...registration, scopes, requireConsent: false }],
        ['updateClient', { id: asking, requireConsent: false }],
        ['updateClient', { id: silent, scopes }],
        ['updateClient', { id: complete, redirectUris: ['https://other.example/cb'] }],
        ['rotateClientSecret', { id: complete }],
      ];
      for (const [name, input] of attempts) {
        expect([input, (await confer(name, input, poor)).code]).toEqual([input, 'FORBIDDEN']);
        expect([input, (await confer(name, input, all)).code]).toEqual([input, undefined]);
      }
    },
  );

  test('A client with scim:write is protected by the scopes of the group roles that identity sources manage.', async () => {
    const [all, poor] = [await machine(everything), await machine(['clients:write', 'scim:write'])];
    const input = { name: 'x', grantTypes: ['client_credentials'], scopes: ['scim:write'], redirectUris: [] };
    const id = await made(input, all);
    const rotated = async (by: string) => (await confer('rotateClientSecret', { id }, by)).code;
    expect(await rotated(poor)).toBeUndefined();
    const groupId = service.directory.groups.create(tenant, []);
    const role = { groupId, role: 'TENANT_ADMIN' };
    await confer('assignGroupRole', { ...role, managedBySources: true }, all);
    for (const [name, more] of Object.entries({
      rotateClientSecret: {},
      updateClient: { redirectUris: [] },
      enableClient: {},
    }))
      expect([name, (await confer(name, { id, ...more }, poor)).code]).toEqual([name, 'FORBIDDEN']);
    expect(await rotated(all)).toBeUndefined();
    // A new one is nobody's yet.
    expect((await confer('registerClient', { ...registration, ...input }, poor)).code).toBeUndefined();
    await confer('assignGroupRole', { ...role, managedBySources: false }, all);
    expect(await rotated(poor)).toBeUndefined();
  });
});

test('A concurrently widened client does not expose its secret to a caller with fewer scopes.', async () => {
  const all = await machine(everything);
  const weak = await machine(['clients:write', 'users:read']);
  for (let round = 0; round < 3; round += 1) {
    const { data } = await confer(
      'registerClient',
      {
        name: 'x',
        grantTypes: ['client_credentials'],
        tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC',
        scopes: ['users:read'],
      },
      weak,
      'client { id }',
    );
    const { id } = data.registerClient.client;
    const shown = 'client { scopes } clientSecret';
    const [, ...rotated] = await Promise.all([
      confer('updateClient', { id, scopes: ['roles:write'] }, all),
      ...[1, 2, 3].map(() => confer('rotateClientSecret', { id, overlapSeconds: 0 }, weak, shown)),
    ]);
    for (const { code, data: answer } of rotated) {
      const granted = answer?.rotateClientSecret?.client.scopes ?? [];
      expect(code === 'FORBIDDEN' || granted.includes('users:read')).toBe(true);
    }
    expect((await confer('rotateClientSecret', { id }, weak)).code).toBe('FORBIDDEN');
  }
});

describe('the directory', () => {
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
