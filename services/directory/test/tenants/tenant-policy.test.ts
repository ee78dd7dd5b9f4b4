import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { tenantPolicyNames } from '@ostiary/events';
import { ask, codes, harness, problems, setUpGraph } from '../support/graph-client.ts';
import { type Json, tenantClient } from '../support/harness.ts';

setUpGraph();

const operator = (): string => harness.issuer.operatorToken();
const fields = `ownedCredentialsOnOffboarding handOverCredentialsTo introspectionByAnyClient
  requireSecondFactorForAdministrators bannedPasswordWords scimSecurityEvents uniqueGroupNames requiredClientProfile
  webOrigins signInRetentionDays knownSecretOverlapDays version updatedAt`;
const read = `query ($id: ID) { tenantPolicy(id: $id) { ${fields} } }`;
const update = `mutation ($input: UpdateTenantPolicyInput!) {
  updateTenantPolicy(input: $input) { policy { ${fields} } problems { code path } } }`;

const standard = {
  ownedCredentialsOnOffboarding: 'REVOKE',
  handOverCredentialsTo: null,
  introspectionByAnyClient: false,
  requireSecondFactorForAdministrators: false,
  bannedPasswordWords: [],
  scimSecurityEvents: false,
  uniqueGroupNames: false,
  requiredClientProfile: 'STANDARD',
  webOrigins: [],
  signInRetentionDays: 90,
  knownSecretOverlapDays: 0,
  version: 0,
  updatedAt: null,
};

/** Creates a tenant with a token that may change it. */
async function newTenant(): Promise<{ id: string; token: string }> {
  const id = `policy-${randomBytes(4).toString('hex')}`;
  const made = await ask(
    'mutation ($input: CreateTenantInput!) { createTenant(input: $input) { problems { code } } }',
    { input: { id, name: 'Policy' } },
    operator(),
  );
  expect(problems(made)).toEqual([]);
  const scopes = ['tenants:read', 'tenants:write', 'users:read', 'users:write', 'groups:write', 'audit:read'];
  return { id, token: harness.issuer.token(id, { clientId: 'boss', scopes }) };
}

const change = async (input: object, token: string) => (await ask(update, { input }, token)) as Json;

describe('Policy settings of a tenant', () => {
  test('A tenant policy begins with the defaults of the installation, changes in parts and returns to them.', async () => {
    const { token } = await newTenant();
    expect((await ask(read, {}, token)).data.tenantPolicy).toEqual(standard);
    const first = await change(
      {
        introspectionByAnyClient: true,
        requiredClientProfile: 'FAPI2',
        bannedPasswordWords: [' Ostiary ', 'ostiary', 'Ærø'],
        webOrigins: ['https://app.example.com', 'http://127.0.0.1:8500', 'https://app.example.com'],
      },
      token,
    );
    const set = {
      ...standard,
      introspectionByAnyClient: true,
      requiredClientProfile: 'FAPI2',
      bannedPasswordWords: ['ostiary', 'ærø'],
      webOrigins: ['https://app.example.com', 'http://127.0.0.1:8500'],
      version: 1,
      updatedAt: expect.any(String),
    };
    expect(first.data.updateTenantPolicy).toEqual({ policy: set, problems: [] });
    const second = await change({ version: 1, requiredClientProfile: null, scimSecurityEvents: true }, token);
    expect(second.data.updateTenantPolicy.policy).toEqual({
      ...set,
      requiredClientProfile: 'STANDARD',
      scimSecurityEvents: true,
      version: 2,
    });
    expect(problems(await change({ version: 1, uniqueGroupNames: true }, token))).toEqual([
      'VERSION_CONFLICT',
    ]);
    // A change without an effect makes no new version.
    expect((await change({ scimSecurityEvents: true }, token)).data.updateTenantPolicy.policy.version).toBe(
      2,
    );
  });

  test.each<[string, object]>([
    ['webOrigins', { webOrigins: ['https://app.example.com/path'] }],
    ['webOrigins', { webOrigins: ['*'] }],
    ['webOrigins', { webOrigins: ['null'] }],
    ['webOrigins', { webOrigins: ['https://*.example.com'] }],
    ['webOrigins', { webOrigins: ['https://app.example.com/'] }],
    ['webOrigins', { webOrigins: ['http://app.example.com'] }],
    ['webOrigins', { webOrigins: ['https://user@app.example.com'] }],
    ['webOrigins', { webOrigins: Array.from({ length: 101 }, (_, n) => `https://a${n}.example`) }],
    ['signInRetentionDays', { signInRetentionDays: 0 }],
    ['signInRetentionDays', { signInRetentionDays: 3651 }],
    ['knownSecretOverlapDays', { knownSecretOverlapDays: -1 }],
    ['knownSecretOverlapDays', { knownSecretOverlapDays: 31 }],
    ['bannedPasswordWords', { bannedPasswordWords: ['ab'] }],
    ['bannedPasswordWords', { bannedPasswordWords: ['a\u0000bc'] }],
    ['handOverCredentialsTo', { handOverCredentialsTo: 'nobody' }],
    ['handOverCredentialsTo', { handOverCredentialsTo: '-'.repeat(36) }],
    ['handOverCredentialsTo', { handOverCredentialsTo: '01900000-0000-7000-8000-000000000000' }],
    ['handOverCredentialsTo', { ownedCredentialsOnOffboarding: 'HAND_OVER' }],
  ])('A value that %s cannot have is rejected (%#).', async (path, input) => {
    const { token } = await newTenant();
    const { updateTenantPolicy } = (await change(input, token)).data;
    expect(updateTenantPolicy).toEqual({
      policy: null,
      problems: [{ code: 'INVALID_INPUT', path: ['input', path] }],
    });
    expect((await ask(read, {}, token)).data.tenantPolicy).toEqual(standard);
  });

  test('Credentials can be transferred only to an active user of the same tenant.', async () => {
    const mine = await newTenant();
    const other = await newTenant();
    const hire = async ({ token }: { token: string }, active: boolean): Promise<string> => {
      const made = await ask(
        'mutation ($input: CreateUserInput!) { createUser(input: $input) { user { id } } }',
        { input: { userName: `heir-${randomBytes(4).toString('hex')}`, active } },
        token,
      );
      return made.data.createUser.user.id;
    };
    const handOver = (id: string) =>
      change({ ownedCredentialsOnOffboarding: 'HAND_OVER', handOverCredentialsTo: id }, mine.token);
    expect(problems(await handOver(await hire(other, true)))).toEqual(['INVALID_INPUT']);
    expect(problems(await handOver(await hire(mine, false)))).toEqual(['INVALID_INPUT']);
    const heir = await hire(mine, true);
    expect((await handOver(heir)).data.updateTenantPolicy.policy).toMatchObject({
      ownedCredentialsOnOffboarding: 'HAND_OVER',
      handOverCredentialsTo: heir,
    });
  });

  test('Of twenty parallel changes of one version, one succeeds.', async () => {
    const { token } = await newTenant();
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => change({ version: 0, bannedPasswordWords: [`word-${n}`] }, token)),
    );
    const codesOf = answers.flatMap((answer) => problems(answer));
    expect(codesOf).toEqual(Array(19).fill('VERSION_CONFLICT'));
    expect((await ask(read, {}, token)).data.tenantPolicy.version).toBe(1);
  });

  test('Each policy change is in the audit log with the previous value, and is published with the tenant.', async () => {
    const { id, token } = await newTenant();
    await change({ uniqueGroupNames: true, requiredClientProfile: 'FAPI2' }, token);
    const [entry] = await harness.sql<Json>(
      'SELECT action, changes FROM directory.audit_log WHERE tenant = $1 ORDER BY id DESC LIMIT 1',
      [id],
    );
    expect(entry).toEqual({
      action: 'tenant.policy_updated',
      changes: {
        uniqueGroupNames: { before: false, after: true },
        requiredClientProfile: { before: 'standard', after: 'fapi2' },
      },
    });
    const events = await harness.sql<Json>(
      'SELECT type, payload FROM directory.outbox_events WHERE tenant = $1 ORDER BY version',
      [id],
    );
    expect(events.at(-1)).toMatchObject({
      type: 'tenant.updated',
      payload: {
        id,
        status: 'active',
        policy: { version: 1, settings: { uniqueGroupNames: true, requiredClientProfile: 'fapi2' } },
      },
    });
  });
});

describe('Access to the policy', () => {
  test('The policy of another tenant is answered like one that does not exist.', async () => {
    const mine = await newTenant();
    const other = await newTenant();
    expect((await ask(read, { id: mine.id }, other.token)).data.tenantPolicy).toBeNull();
    expect(problems(await change({ id: mine.id, scimSecurityEvents: true }, other.token))).toEqual([
      'NOT_FOUND',
    ]);
    expect((await ask(read, { id: mine.id }, operator())).data.tenantPolicy).toEqual(standard);
  });

  test('Changing the policy needs tenants:write, and reading it needs tenants:read.', async () => {
    const { id } = await newTenant();
    const reader = harness.issuer.token(id, { clientId: 'reader', scopes: ['tenants:read'] });
    const stranger = harness.issuer.token(id, { clientId: 'stranger', scopes: ['users:write'] });
    expect(codes(await ask(update, { input: { scimSecurityEvents: true } }, reader))).toEqual(['FORBIDDEN']);
    expect(codes(await ask(read, {}, stranger))).toEqual(['FORBIDDEN']);
  });
});

test('Every policy setting can be read and changed in the graph.', async () => {
  const { data } = await ask(
    `{ policy: __type(name: "TenantPolicy") { fields { name } }
       input: __type(name: "UpdateTenantPolicyInput") { inputFields { name } } }`,
    {},
    operator(),
  );
  const namesOf = (list: { name: string }[]) => list.map(({ name }) => name);
  expect(namesOf(data.policy.fields)).toEqual([...tenantPolicyNames, 'version', 'updatedAt']);
  expect(namesOf(data.input.inputFields)).toEqual(['id', 'version', ...tenantPolicyNames, 'idempotencyKey']);
});

describe('Required second factor of administrators', () => {
  const strong = ['urn:ostiary:acr:2fa', 'phr'];
  const insufficient = { code: 'INSUFFICIENT_USER_AUTHENTICATION', acrValues: strong, maxAge: 900 };
  const announce =
    'mutation { updateTenantPolicy(input: { scimSecurityEvents: true }) { policy { version } } }';
  const rename = 'mutation ($input: UpdateUserInput!) { updateUser(input: $input) { user { id } } }';

  /** Creates a user with a role, whose identifying name only callers with the scopes of the role may change. */
  async function roleHolder(id: string): Promise<string> {
    const userName = `holder-${randomBytes(4).toString('hex')}`;
    const made = await tenantClient(harness, id).create('Users', { userName });
    const notified = await harness.call(
      'PUT',
      `/internal/v1/tenants/${id}/Users/${made.body.id}/privilege`,
      { scopes: ['roles:write'], version: 1 },
      harness.issuer.serviceToken('auth'),
    );
    expect(notified.status).toBe(204);
    return made.body.id;
  }

  test('A second factor of administrators is required where a recent sign-in is, in this tenant and no other.', async () => {
    const [tenant, other] = [await newTenant(), await newTenant()];
    await change({ requireSecondFactorForAdministrators: true }, tenant.token);
    const scopes = ['users:read', 'users:write', 'tenants:read', 'tenants:write', 'roles:write'];
    const outcome = async (of: string, acr: string, held: readonly string[] = scopes) => {
      const authTime = Math.floor(Date.now() / 1000) - 5;
      const token = harness.issuer.token(of, { subject: 'somebody', scopes: held, authTime, acr });
      const input = { id: await roleHolder(of), userName: `renamed-${randomBytes(4).toString('hex')}` };
      const answers = [await ask(rename, { input }, token), await ask(announce, {}, token)];
      return answers.map((answer) => answer.errors?.[0]?.extensions ?? 'done');
    };
    expect(await outcome(tenant.id, 'urn:ostiary:acr:1fa')).toEqual([insufficient, insufficient]);
    expect(await outcome(tenant.id, 'urn:ostiary:acr:1fa', ['openid'])).toEqual([insufficient, insufficient]);
    for (const acr of strong) {
      expect(await outcome(tenant.id, acr)).toEqual(['done', 'done']);
    }
    expect(await outcome(other.id, 'urn:ostiary:acr:1fa')).toEqual(['done', 'done']);
  });
});
