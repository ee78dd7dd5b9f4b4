import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { oidcScopes, openedByOwnToken, openedByUserTokens, selfScopes } from '@ostiary/access';
import { callMutation, everything, machineToken } from '../../support/conferring.ts';
import { startTestService, type TestService, tenant } from '../../support/sign-in/service.ts';

let service: TestService;
const machine = (scopes: readonly string[]) => machineToken(service, scopes);
const confer = (name: string, input: object, accessToken: string, shown?: string) =>
  callMutation(service, name, input, accessToken, shown);

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

describe('rights of a client besides its scopes', () => {
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

  test.each([...Object.keys(oidcScopes), ...Object.keys(selfScopes)])(
    'A client without consent is managed only by a caller with all scopes that its tokens give for a user: %s.',
    async (scope) => {
      const opened = openedByUserTokens([scope]);
      const [all, holder] = [await machine(everything), await machine(['clients:write', ...opened])];
      const silent = { scopes: [scope], requireConsent: false };
      const attempts = async (by: string) => {
        const asking = await made({ scopes: [scope] }, by);
        const existing = await made(silent, all);
        const tried: [string, object][] = [
          ['registerClient', { ...registration, ...silent }],
          ['updateClient', { id: asking, requireConsent: false }],
          ['updateClient', { id: existing, redirectUris: ['https://other.example/cb'] }],
          ['updateClient', { id: existing, name: 'y' }],
          ['rotateClientSecret', { id: existing }],
          ['enableClient', { id: existing }],
        ];
        const codes: [string, string | undefined][] = [];
        for (const [name, input] of tried) codes.push([name, (await confer(name, input, by)).code]);
        return [...new Set(codes.map(([, code]) => code))];
      };
      expect(await attempts(holder)).toEqual([undefined]);
      for (const lacking of new Set([...openedByOwnToken, ...opened])) {
        const rest = everything.filter((one) => one !== lacking);
        expect([lacking, await attempts(await machine(rest))]).toEqual([lacking, ['FORBIDDEN']]);
      }
    },
  );

  test('A client without consent that names no scopes confers the default scopes of a sign-in.', async () => {
    const poor = await machine(['clients:write']);
    const silent = { ...registration, requireConsent: false };
    expect((await confer('registerClient', silent, poor)).code).toBe('FORBIDDEN');
    const made = await confer('registerClient', registration, poor, 'client { id }');
    const { id } = made.data.registerClient.client;
    expect((await confer('updateClient', { id, requireConsent: false, scopes: null }, poor)).code).toBe(
      'FORBIDDEN',
    );
  });

  test('A client that sends no user to the authorization endpoint confers its scopes of the API only.', async () => {
    const poor = await machine(['clients:write']);
    const asks = { requireConsent: false, redirectUris: [] };
    for (const input of [
      { ...asks, kind: 'MACHINE' },
      { ...asks, kind: 'DEVICE', tokenEndpointAuthMethod: 'NONE', scopes: ['openid'] },
    ]) {
      const { code, data } = await confer(
        'registerClient',
        { ...registration, ...input },
        poor,
        'client { id }',
      );
      expect([input.kind, code]).toEqual([input.kind, undefined]);
      const { id } = data.registerClient.client;
      const widened = { id, grantTypes: ['authorization_code'], redirectUris: ['https://app.example/cb'] };
      expect((await confer('updateClient', widened, poor)).code).toBe('FORBIDDEN');
    }
  });

  test.each(Object.keys(selfScopes))(
    'A client with this scope and without consent is managed only by a caller with all scopes: %s.',
    async (scope) => {
      const [all, poor] = [await machine(everything), await machine(['clients:write'])];
      const scopes = ['openid', scope];
      // With consent, each user decides.
      const asking = await made({ scopes }, poor);
      const silent = await made({ scopes: ['openid'], requireConsent: false }, all);
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
    // A new client belongs to no connector yet.
    expect((await confer('registerClient', { ...registration, ...input }, poor)).code).toBeUndefined();
    await confer('assignGroupRole', { ...role, managedBySources: false }, all);
    expect(await rotated(poor)).toBeUndefined();
  });
});

test('A client whose consent is removed concurrently is not changed by a caller with fewer scopes.', async () => {
  const [all, weak] = [await machine(everything), await machine(['clients:write'])];
  const input = { name: 'x', kind: 'WEB', redirectUris: ['https://app.example/cb'] };
  for (let round = 0; round < 3; round += 1) {
    const made = await confer('registerClient', input, weak, 'client { id }');
    const { id } = made.data.registerClient.client;
    const shown = 'client { version }';
    const [silenced, ...changed] = await Promise.all([
      confer('updateClient', { id, requireConsent: false }, all, shown),
      ...[1, 2, 3].map(() => confer('rotateClientSecret', { id }, weak, shown)),
    ]);
    const version = silenced.data.updateClient.client.version;
    for (const { code, data } of changed)
      expect(code === 'FORBIDDEN' || data.rotateClientSecret.client.version < version).toBe(true);
  }
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
