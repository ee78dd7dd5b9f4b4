import { beforeAll, describe, expect, test } from '@jest/globals';
import { acme, ask, codes, everything, harness, rival, setUpGraph, user } from '../support/graph-client.ts';
import type { Answer, Json } from '../support/harness.ts';

setUpGraph();

const roleScopes = ['roles:write', 'users:read', 'sessions:write'];
const source = { source: 'entra' };
let counter = 0;
let version = 0;
const next = (): number => {
  version += 1;
  return version;
};
/** Scopes of an administrator. */
const all = [...everything, ...roleScopes];

const notified = (
  id: string,
  scopes: string[] = roleScopes,
  o: { tenant?: string; as?: string; version?: number } = {},
) => {
  version = o.version ?? version + 1;
  return harness.call(
    'PUT',
    `/internal/v1/tenants/${o.tenant ?? acme.tenant}/Users/${id}/privilege`,
    { scopes, version },
    harness.issuer.serviceToken(o.as ?? 'auth'),
  );
};
async function person(): Promise<Json> {
  counter += 1;
  const made = await acme.create(
    'Users',
    {
      userName: `holder-${counter}`,
      emails: [
        { value: `holder-${counter}@example.com`, type: 'work', primary: true },
        { value: `other-${counter}@example.com`, type: 'home' },
      ],
      phoneNumbers: [{ value: '+43 1 1', type: 'work' }],
      externalId: `hr-${counter}`,
    },
    source,
  );
  return made.body;
}
async function holder(): Promise<Json> {
  const made = await person();
  expect((await notified(made.id)).status).toBe(204);
  return made;
}
const replacing = (path: string, value: unknown) => [{ op: 'replace', path, value }];

/** All changes of attributes that identify a user. */
const changes: [string, (of: Json) => Json[]][] = [
  ['userName', () => replacing('userName', 'attacker')],
  ['emails, all of them', () => replacing('emails', [{ value: 'attacker@example.com', primary: true }])],
  ['one of the emails', () => replacing('emails[type eq "work"].value', 'attacker@example.com')],
  [
    'the emails, by one more',
    () => [{ op: 'add', path: 'emails', value: [{ value: 'attacker@example.com' }] }],
  ],
  ['the emails, by one less', () => [{ op: 'remove', path: 'emails[type eq "home"]' }]],
  ['which of the emails is the first choice', () => replacing('emails[type eq "home"].primary', true)],
  ['phoneNumbers', () => replacing('phoneNumbers', [{ value: '+43 1 2' }])],
  ['phoneNumbers, away', () => [{ op: 'remove', path: 'phoneNumbers' }]],
  ['x509Certificates', () => replacing('x509Certificates', [{ value: 'MIIBAQ==' }])],
  ['externalId', () => replacing('externalId', 'hr-0')],
  ['externalId, away', () => [{ op: 'remove', path: 'externalId' }]],
  ['several, without a path', () => [{ op: 'replace', value: { userName: 'attacker', displayName: 'x' } }]],
];

describe('Identifying attributes of role holders', () => {
  let admin: Json;
  beforeAll(async () => {
    admin = await holder();
  });

  test.each(changes)(
    'An identity source cannot change an identifying attribute of a role holder: %s.',
    async (_what, operations) => {
      const before = (await acme.read('Users', admin.id)).body;
      const refusal = await acme.patch('Users', admin.id, operations(admin), source);
      expect(refusal).toMatchObject({ status: 403, body: { detail: expect.stringContaining('role') } });
      expect((await acme.read('Users', admin.id)).body).toEqual(before);
    },
  );

  test.each(changes)(
    'A caller who holds less than the role cannot change an identifying attribute of its holder: %s.',
    async (what, operations) => {
      // Each source has external ids of its own: this one has none here yet.
      if (what.startsWith('externalId')) return;
      for (const scopes of [['users:write'], ['users:write', 'roles:write', 'users:read']]) {
        const refusal = await acme.patch('Users', admin.id, operations(admin), { roleScopes: scopes });
        expect(refusal.status).toBe(403);
      }
    },
  );

  test('A PUT by an identity source changes no identifying attribute of a role holder, but may change others.', async () => {
    const { emails, phoneNumbers } = admin;
    const state = { userName: admin.userName, emails, phoneNumbers, externalId: admin.externalId };
    for (const changed of [
      { userName: 'attacker' },
      { emails: [] },
      { phoneNumbers: undefined },
      { externalId: 'x' },
    ]) {
      expect((await acme.replace('Users', admin.id, { ...state, ...changed }, source)).status).toBe(403);
    }
    const reordered = { ...state, emails: emails.toReversed(), displayName: 'The admin' };
    expect((await acme.replace('Users', admin.id, reordered, source)).status).toBe(200);
  });

  test('A caller who may assign the role changes identifying attributes; any caller who may write users changes the rest.', async () => {
    const { id } = await holder();
    const changed = await acme.patch('Users', id, replacing('userName', `renamed-${counter}`), {
      roleScopes,
    });
    expect(changed.status).toBe(200);
    expect((await acme.patch('Users', id, replacing('displayName', 'x'), source)).status).toBe(200);
    // The first external id of a source changes no identifier.
    expect(
      (await acme.patch('Users', id, replacing('externalId', 'okta-1'), { source: 'okta' })).status,
    ).toBe(200);
    expect(
      (await acme.patch('Users', id, replacing('externalId', 'okta-2'), { source: 'okta' })).status,
    ).toBe(403);
  });

  test('The protection covers holders of roles by groups, at any depth, and ends when the role is gone.', async () => {
    const { id } = await person();
    const inner = (await acme.create('Groups', { displayName: `in-${counter}`, members: [{ value: id }] }))
      .body.id;
    const outer = (
      await acme.create('Groups', { displayName: `out-${counter}`, members: [{ value: inner }] })
    ).body.id;
    const privilege = (scopes: string[], identifyingScopes?: string[]): Promise<Answer> =>
      harness.call(
        'PUT',
        `/internal/v1/tenants/${acme.tenant}/Groups/${outer}/privilege`,
        { scopes, identifyingScopes, managedBySources: true, version: next() },
        harness.issuer.serviceToken('auth'),
      );
    const rename = async (name: string) =>
      (await acme.patch('Users', id, replacing('userName', `${name}-${counter}`), source)).status;
    expect(await rename('before')).toBe(200);
    await privilege(roleScopes);
    expect(await rename('during')).toBe(403);
    // Roles of APIs require scopes for adding members only.
    await privilege(roleScopes, []);
    expect(await rename('of an API')).toBe(200);
    await privilege(roleScopes, roleScopes);
    expect(await rename('again')).toBe(403);
    await privilege([]);
    expect(await rename('after')).toBe(200);
    await notified(id);
    expect(await rename('own')).toBe(403);
    await notified(id, []);
    expect(await rename('free')).toBe(200);
  });

  test('The protection never blocks a departure, and a departure does not bypass the protection.', async () => {
    const { id, userName, emails } = await holder();
    const leaving = [
      { op: 'replace', path: 'active', value: false },
      { op: 'replace', path: 'userName', value: 'attacker' },
      { op: 'replace', path: 'emails', value: [{ value: 'attacker@example.com' }] },
      { op: 'replace', path: 'displayName', value: 'Gone' },
    ];
    const left = await acme.patch('Users', id, leaving, source);
    expect(left).toMatchObject({ status: 200, body: { active: false, userName, displayName: 'Gone' } });
    expect((await acme.read('Users', id)).body.emails).toEqual(emails);
    expect((await acme.patch('Users', id, replacing('userName', 'attacker'), source)).status).toBe(403);
    expect((await acme.patch('Users', id, replacing('active', true), source)).status).toBe(200);
  });

  test('Of many parallel changes to an identifying attribute, none succeeds.', async () => {
    const { id, userName } = await holder();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        acme.patch('Users', id, replacing('userName', `attacker-${index}`), source),
      ),
    );
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([403]));
    expect((await acme.read('Users', id)).body.userName).toBe(userName);
  });
});

describe('Role holders in the graph', () => {
  const someone = (scopes: readonly string[], secondsAgo?: number) =>
    harness.issuer.token(acme.tenant, {
      subject: 'somebody',
      clientId: 'an-app',
      scopes,
      ...(secondsAgo !== undefined && { authTime: Math.floor(Date.now() / 1000) - secondsAgo }),
    });
  const rename = async (id: string, token: string) =>
    codes(
      await ask(
        'mutation ($input: UpdateUserInput!) { updateUser(input: $input) { user { id } } }',
        { input: { id, userName: `renamed-${next()}` } },
        token,
      ),
    );

  test('In the graph the change needs the scopes of the role, and for a user a recent sign-in.', async () => {
    const { id } = await holder();
    const app = (scopes: readonly string[]) =>
      harness.issuer.token(acme.tenant, { clientId: 'an-app', scopes });
    expect(await rename(id, app(['users:write', 'users:read']))).toEqual(['FORBIDDEN']);
    expect(await rename(id, someone(['users:write', 'users:read'], 1))).toEqual(['FORBIDDEN']);
    expect(await rename(id, someone(all))).toEqual(['INSUFFICIENT_USER_AUTHENTICATION']);
    expect(await rename(id, someone(all, 1000))).toEqual(['INSUFFICIENT_USER_AUTHENTICATION']);
    expect(await rename(id, someone(all, 1))).toEqual([]);
    expect(await rename(id, app(all))).toEqual([]);
    const ordinary = await user();
    expect(await rename(ordinary.id, app(['users:write', 'users:read']))).toEqual([]);
  });
});

describe('Reactivation of role holders', () => {
  const app = (scopes: readonly string[]) =>
    harness.issuer.token(acme.tenant, { clientId: 'an-app', scopes });
  const someone = (scopes: readonly string[], secondsAgo?: number) =>
    harness.issuer.token(acme.tenant, {
      subject: 'somebody',
      clientId: 'an-app',
      scopes,
      ...(secondsAgo !== undefined && { authTime: Math.floor(Date.now() / 1000) - secondsAgo }),
    });
  const back = (mutation: string, type: string) => async (id: string, token: string) =>
    codes(
      await ask(
        `mutation ($input: ${type}!) { ${mutation}(input: $input) { user { id } } }`,
        { input: { id } },
        token,
      ),
    );
  /** Changes that reactivate a user, with the matching deactivation. */
  const ways: [string, (id: string) => Promise<unknown>, (id: string, token: string) => Promise<unknown>][] =
    [
      [
        'reactivateUser',
        (id) => acme.patch('Users', id, replacing('active', false)),
        back('reactivateUser', 'UserVersionInput'),
      ],
      ['restoreUser', (id) => acme.remove('Users', id), back('restoreUser', 'DeletedResourceInput')],
    ];
  beforeAll(() =>
    ask(
      'mutation { updateTenant(input: { deletionPolicy: SOFT }) { tenant { id } } }',
      {},
      app(['tenants:write', 'tenants:read']),
    ),
  );

  test.each(ways)(
    'A deactivated role holder is reactivated by a caller who could give the role: %s.',
    async (_name, leave, letIn) => {
      const { id } = await holder();
      await leave(id);
      const poor = ['users:write', 'users:read', 'groups:write'];
      expect(await letIn(id, app(poor))).toEqual(['FORBIDDEN']);
      expect(await letIn(id, someone(poor, 1))).toEqual(['FORBIDDEN']);
      expect(await letIn(id, someone(all))).toEqual(['INSUFFICIENT_USER_AUTHENTICATION']);
      expect(await letIn(id, someone(all, 1000))).toEqual(['INSUFFICIENT_USER_AUTHENTICATION']);
      expect(await letIn(id, someone(all, 1))).toEqual([]);
      const ordinary = await person();
      await leave(ordinary.id);
      expect(await letIn(ordinary.id, someone(poor))).toEqual([]);
    },
  );

  test('Over SCIM a role holder is reactivated by a client that could give the role, and by the known source.', async () => {
    const { id } = await holder();
    const active = (value: boolean, by: object) => acme.patch('Users', id, replacing('active', value), by);
    for (const by of [{}, { roleScopes: ['scim:write', 'users:write'] }]) {
      await active(false, by);
      expect((await active(true, by)).status).toBe(403);
      expect((await acme.read('Users', id)).body.active).toBe(false);
    }
    expect((await active(true, { roleScopes })).status).toBe(200);
    await active(false, source);
    expect((await active(true, source)).status).toBe(200);
  });
});

describe('Notifications of roles', () => {
  test('Only the authorization server can set roles in the directory, for one tenant; the newest version counts.', async () => {
    const { id } = await person();
    expect((await notified(id, roleScopes, { as: 'provisioning' })).status).toBe(403);
    await notified(id, roleScopes, { tenant: rival.tenant });
    expect((await acme.patch('Users', id, replacing('userName', `a-${counter}`), source)).status).toBe(200);
    await notified(id, roleScopes, { version: 1_000_000 });
    await notified(id, [], { version: 999_999 });
    expect((await acme.patch('Users', id, replacing('userName', `b-${counter}`), source)).status).toBe(403);
    version = 1_000_000;
  });

  test('Provisioning reads the privileges of groups that identity sources manage.', async () => {
    const managed = (as: string, tenant = acme.tenant) =>
      harness.call(
        'GET',
        `/internal/v1/tenants/${tenant}/Groups/managed-privileges`,
        undefined,
        harness.issuer.serviceToken(as),
      );
    expect((await managed('auth')).status).toBe(403);
    const group = (await acme.create('Groups', { displayName: 'managed' })).body.id;
    const privilege = (managedBySources: boolean) =>
      harness.call(
        'PUT',
        `/internal/v1/tenants/${acme.tenant}/Groups/${group}/privilege`,
        { scopes: ['audit:read', 'roles:write'], managedBySources, version: next() },
        harness.issuer.serviceToken('auth'),
      );
    await privilege(true);
    expect((await managed('provisioning')).body.scopes).toEqual(expect.arrayContaining(['audit:read']));
    expect((await managed('provisioning', rival.tenant)).body.scopes).toEqual([]);
    await privilege(false);
    expect((await managed('provisioning')).body.scopes).not.toContain('audit:read');
  });
});
