import { describe, expect, test } from '@jest/globals';
import { replacedRegistration } from '../../../src/clients/domain/dynamic-registration.ts';
import { appFor, changeRole, roleApi } from '../../support/api-roles.ts';
import {
  department,
  mapping,
  preview,
  setAttributes,
  setClaims,
} from '../../support/claims/mapped-claims.ts';
import type { GraphAnswer } from '../../support/sign-in/asking.ts';
import { all, asking, everything, service, setUpRoleGroups } from '../../support/sign-in/role-groups.ts';
import { rival, tenant } from '../../support/sign-in/service.ts';

setUpRoleGroups();

const machine = (...scopes: string[]) => asking.machine(scopes.join(' '));
const without = (...scopes: string[]) => machine(...everything.filter((scope) => !scopes.includes(scope)));

const shown: Record<string, string> = {
  registerApi: 'api { id claims { name expression required } } problems { code message }',
  updateApi: 'api { id claims { name expression required } } problems { code message }',
  registerClient: 'client { id claims { name expression required } } problems { code message }',
  updateClient: 'client { id claims { name expression required } } problems { code message }',
  rotateClientSecret: 'problems { code message }',
  createInitialAccessToken: 'problems { code message }',
  updateClientDocumentPolicy: 'problems { code message }',
};

function change(name: string, input: object, as = all): Promise<GraphAnswer> {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input`;
  const document = `mutation ($input: ${type}!) { ${name}(input: $input) { ${shown[name]} } }`;
  return asking.ask(document, { input }, as);
}

let made = 0;
const newApi = () => {
  made += 1;
  return { identifier: `https://claims${made}.example`, name: 'Orders' };
};
const newClient = () => ({ name: 'App', kind: 'WEB', redirectUris: ['https://app.example/cb'] });

describe.each([
  ['an API', 'registerApi', 'updateApi', 'api', newApi],
  ['a client', 'registerClient', 'updateClient', 'client', newClient],
])('mappings of %s', (_what, register, update, type, input) => {
  const created = async (claims: readonly object[], as = all) =>
    (await change(register, { ...input(), claims }, as)).data[register];

  test('Mappings are stored, read, replaced and removed.', async () => {
    const claims = [{ name: 'dept', expression: 'user.department', required: true }];
    const { [type]: one } = await created(claims);
    expect(one.claims).toEqual(claims);
    const next = [{ name: 'tier', expression: '"gold"' }];
    const updated = await change(update, { id: one.id, claims: next });
    expect(updated.data[update][type].claims).toEqual([{ ...next[0], required: false }]);
    expect((await change(update, { id: one.id, name: 'Other' })).data[update][type].claims).toHaveLength(1);
    expect((await change(update, { id: one.id, claims: null })).data[update][type].claims).toEqual([]);
  });

  test.each([
    ['a reserved name', { name: 'sub', expression: '1' }, 'claims must not set sub'],
    ['a syntax error', { name: 'x', expression: '1 +' }, 'claims has an invalid expression of x'],
    ['an unknown attribute', { name: 'x', expression: 'user.password' }, 'user.password is unknown'],
    ['a regular expression', { name: 'x', expression: '"a".matches("a")' }, 'matches() is not supported'],
    ['a cost beyond the limit', { name: 'x', expression: 'groups.map(g, groups)' }, 'is too expensive'],
  ])('A mapping with %s is a problem that names it.', async (_case, claim, message) => {
    const { problems } = await created([claim]);
    expect(problems).toEqual([
      expect.objectContaining({ code: 'INVALID_INPUT', message: expect.stringContaining(message) }),
    ]);
  });

  test('Only a caller who may read the attributes stores a mapping of them.', async () => {
    const attempt = async (scopes: string[], expression: string) =>
      (await change(register, { ...input(), claims: [{ name: 'x', expression }] }, await machine(...scopes)))
        .errors?.[0]?.extensions;
    expect(await attempt(['clients:write'], '"constant"')).toBeUndefined();
    expect(await attempt(['clients:write'], 'user.title')).toMatchObject({
      code: 'FORBIDDEN',
      scopes: ['users:read'],
    });
    expect(await attempt(['clients:write', 'users:read'], 'user.title')).toBeUndefined();
    expect(await attempt(['clients:write', 'users:read'], 'groups')).toMatchObject({
      code: 'FORBIDDEN',
      scopes: ['groups:read'],
    });
    expect(await attempt(['clients:write', 'groups:read'], 'groups')).toBeUndefined();
    expect(await attempt(['users:read', 'groups:read'], '"constant"')).toMatchObject({ code: 'FORBIDDEN' });
  });

  test('The rival tenant neither reads nor changes mappings.', async () => {
    const { [type]: one } = await created([{ name: 'tier', expression: '"gold"' }]);
    const stranger = await asking.machine(everything.join(' '), rival);
    const query = `query ($id: ID!) { ${type}(id: $id) { claims { name } } }`;
    expect((await asking.ask(query, { id: one.id }, stranger)).data[type]).toBeNull();
    const changed = await change(update, { id: one.id, claims: [] }, stranger);
    expect(changed.data[update].problems).toEqual([expect.objectContaining({ code: 'NOT_FOUND' })]);
    expect((await asking.ask(query, { id: one.id }, all)).data[type].claims).toEqual([{ name: 'tier' }]);
  });
});

test('Control of a client with mapped attributes requires the scopes to read them.', async () => {
  const claims = [{ name: 'title', expression: 'user.title' }];
  const { client } = (await change('registerClient', { ...newClient(), claims })).data.registerClient;
  const poor = await machine('clients:write');
  for (const [name, input] of [
    ['updateClient', { redirectUris: ['https://attacker.example/cb'] }],
    ['updateClient', { claims: [] }],
    ['rotateClientSecret', {}],
  ] as const)
    expect((await change(name, { id: client.id, ...input }, poor)).errors?.[0]?.extensions).toMatchObject({
      code: 'FORBIDDEN',
      scopes: ['users:read'],
    });
});

describe('clients of an API with mapped attributes', () => {
  const claims = [{ name: 'title', expression: 'user.title' }];
  const expected = { code: 'FORBIDDEN', scopes: ['users:read'] };

  async function apiWithClaims() {
    const api = newApi();
    const scope = `claims${made}:read`;
    const { data } = await change('registerApi', { ...api, scopes: [{ name: scope }], claims });
    return { id: data.registerApi.api.id, scope, identifier: api.identifier };
  }

  test.each<[what: string, members: (api: { scope: string; identifier: string }) => object]>([
    ['a scope', ({ scope }) => ({ scopes: ['openid', scope] })],
    ['the audience', ({ identifier }) => ({ resources: [identifier] })],
    [
      'a scope for itself',
      ({ scope }) => ({ grantTypes: ['authorization_code', 'client_credentials'], ownScopes: [scope] }),
    ],
  ])('A client gets %s of it only from a caller who may read the attributes.', async (_what, members) => {
    const api = await apiWithClaims();
    const { client } = (await change('registerClient', newClient())).data.registerClient;
    const [poor, reader] = [await machine('clients:write'), await machine('clients:write', 'users:read')];
    const registered = { ...newClient(), ...members(api) };
    const updated = { id: client.id, ...members(api) };
    expect((await change('registerClient', registered, poor)).errors?.[0]?.extensions).toMatchObject(
      expected,
    );
    expect((await change('updateClient', updated, poor)).errors?.[0]?.extensions).toMatchObject(expected);
    expect((await change('registerClient', registered, reader)).data.registerClient.problems).toEqual([]);
    expect((await change('updateClient', updated, reader)).data.updateClient.problems).toEqual([]);
    for (const [name, input] of [
      ['updateClient', { redirectUris: ['https://attacker.example/cb'] }],
      ['rotateClientSecret', {}],
    ] as const)
      expect((await change(name, { id: client.id, ...input }, poor)).errors?.[0]?.extensions).toMatchObject(
        expected,
      );
  });

  test('A token for registrations with a scope of it requires the right to read the attributes.', async () => {
    const { scope } = await apiWithClaims();
    const input = { name: 'apps', scopes: ['openid', scope] };
    const attempt = async (...scopes: string[]) =>
      (await change('createInitialAccessToken', input, await machine(...scopes))).errors?.[0]?.extensions;
    expect(await attempt('clients:write')).toMatchObject({ scopes: expected.scopes });
    expect(await attempt('clients:write', 'users:read')).toBeUndefined();
  });

  test('Clients that no administrator approves get it only from a caller who may read the attributes.', async () => {
    const { id } = await apiWithClaims();
    const attempt = async (input: object, ...scopes: string[]) => {
      const { data, errors } = await change('updateClientDocumentPolicy', input, await machine(...scopes));
      return errors?.[0]?.extensions ?? data.updateClientDocumentPolicy;
    };
    const [poor, reader] = [
      ['tenants:write', 'clients:write'],
      ['tenants:write', 'clients:write', 'users:read'],
    ] as const;
    const done = { problems: [] };
    for (const opened of [{ hosts: ['agents.example'] }, { registration: 'OPEN' }]) {
      expect(await attempt({ ...opened, apiIds: [id] }, ...poor)).toMatchObject(expected);
      expect(await attempt({ apiIds: [id] }, ...poor)).toEqual(done);
      expect(await attempt(opened, ...poor)).toMatchObject(expected);
      expect(await attempt(opened, ...reader)).toEqual(done);
      const closed = { hosts: null, registration: 'TOKEN', apiIds: ['no id', id] };
      expect(await attempt(closed, ...poor)).toEqual({ problems: [expect.anything()] });
      expect(await attempt({ hosts: null, registration: null, apiIds: null }, ...poor)).toEqual(done);
    }
  });

  test('An API of the rival tenant with equal names confers nothing, and scopes beyond the limits are a problem.', async () => {
    const { scope, identifier } = await apiWithClaims();
    const stranger = await asking.machine('clients:write', rival);
    const registered = { ...newClient(), resources: [identifier] };
    expect((await change('registerClient', registered, stranger)).data.registerClient.problems).toEqual([]);
    const many = Array.from({ length: 300 }, (_, n) => `${scope}${n}`);
    const answer = await change('registerClient', { ...newClient(), scopes: ['\u0000', ...many] });
    expect(answer.errors).toBeUndefined();
    expect(answer.data.registerClient.problems).toEqual([expect.objectContaining({ code: 'INVALID_INPUT' })]);
  });
});

test('A client cannot set its own mappings by dynamic registration, and keeps those of an administrator.', () => {
  const administered = [mapping('tier', '"gold"')];
  const current = { client_name: 'Notes', scope: 'openid', claim_mappings: administered };
  const asked = { ...current, claim_mappings: [mapping('x', 'user.email')] };
  expect(replacedRegistration(current, asked, { scopes: ['openid'] }).claim_mappings).toEqual(administered);
  expect(
    replacedRegistration({ client_name: 'Notes', scope: 'openid' }, asked, { scopes: ['openid'] }),
  ).not.toHaveProperty('claim_mappings');
});

describe('the preview', () => {
  async function previewed() {
    const api = await roleApi();
    await setClaims(api, [
      mapping('dept', 'user.department'),
      mapping('reads', '"reader" in roles'),
      mapping('number', 'int(user.department)'),
      mapping('nick', 'user.nickName', true),
    ]);
    made += 1;
    const person = await service.person(`previewed ${made}`);
    setAttributes(person, department('Research'));
    await changeRole('assignApiRole', { userId: person.id, apiId: api.id, role: 'reader' });
    const app = await appFor(api);
    await service.deps.clientRegistry.update(tenant, app.clientId, (current) => ({
      ...current,
      claim_mappings: [mapping('app', 'client.name'), mapping('teams', 'groups')],
    }));
    return { userId: person.id, clientId: app.clientId, apiId: api.id };
  }

  test('It returns the claims of each token, and each mapping without a value with its reason.', async () => {
    const of = await previewed();
    const { data, errors } = await preview(of, all);
    expect(errors).toBeUndefined();
    expect(data.claimPreview.accessToken).toEqual({
      issued: false,
      claims: [
        { name: 'dept', value: '"Research"' },
        { name: 'reads', value: 'true' },
      ],
      failures: [
        {
          name: 'number',
          required: false,
          reason: 'FAILED',
          message: 'int() type error: cannot convert to int',
        },
        { name: 'nick', required: true, reason: 'NO_VALUE', message: 'No such key: nickName' },
      ],
    });
    const ofClient = {
      issued: true,
      claims: [
        { name: 'app', value: '"Notes <App>"' },
        { name: 'teams', value: '[]' },
      ],
      failures: [],
    };
    expect(data.claimPreview).toMatchObject({ idToken: ofClient, userinfo: ofClient });
    expect((await preview({ ...of, apiId: null }, all)).data.claimPreview).toMatchObject({
      accessToken: null,
      idToken: ofClient,
    });
  });

  test('The message of a failure has at most 500 characters.', async () => {
    const api = await roleApi();
    await setClaims(api, [mapping('long', 'bool(user.department)')]);
    made += 1;
    const person = await service.person(`lengthy ${made}`);
    setAttributes(person, department('x'.repeat(1_000)));
    const { clientId } = await appFor(api);
    const { data } = await preview({ userId: person.id, clientId, apiId: api.id }, all);
    expect(data.claimPreview.accessToken.failures[0].message).toHaveLength(500);
  });

  test('It is null if the user, the client or the API is not in the tenant, also for the rival tenant.', async () => {
    const of = await previewed();
    const unknown = '018f0000-0000-7000-8000-000000000000';
    for (const lacking of [{ userId: unknown }, { userId: 'x' }, { clientId: unknown }, { apiId: unknown }])
      expect((await preview({ ...of, ...lacking }, all)).data.claimPreview).toBeNull();
    const stranger = await asking.machine(everything.join(' '), rival);
    expect((await preview(of, stranger)).data.claimPreview).toBeNull();
  });

  test.each(['clients:read', 'users:read', 'groups:read', 'roles:read'])(
    'It requires the right to read all that the claims show: %s.',
    async (scope) => {
      const of = await previewed();
      const write = scope.replace('read', 'write');
      const answer = await preview(of, await without(scope, write));
      expect(answer.errors?.[0]?.extensions.code).toBe('FORBIDDEN');
      expect(answer.data?.claimPreview ?? null).toBeNull();
    },
  );
});
