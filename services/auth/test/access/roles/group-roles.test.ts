import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { setHoldings } from '../../../src/access/roles/domain/role-holders.ts';
import { scopesOfRoles } from '../../../src/access/roles/domain/roles.ts';
import { closeAccessPaths, roleRemoved } from '../../../src/lifecycle/offboarding/domain/departure.ts';
import { codesOf } from '../../support/sign-in/asking.ts';
import {
  all,
  asking,
  everything,
  give,
  holdings,
  isSettled,
  readRoles,
  type SignedIn,
  service,
  setUpRoleGroups,
  signIn,
  take,
  webConsole,
} from '../../support/sign-in/role-groups.ts';
import { rival, tenant, token, userinfoStatus } from '../../support/sign-in/service.ts';

setUpRoleGroups();

const helpDesk = [...scopesOfRoles(['help_desk'])].sort();
const sorted = (person: SignedIn) => person.scopes.toSorted();

const refresh = async (person: SignedIn): Promise<string | undefined> => {
  const { body } = await token(service, webConsole, {
    grant_type: 'refresh_token',
    refresh_token: person.refreshToken,
  });
  return body.error;
};

async function expectClosed(person: SignedIn): Promise<void> {
  await eventually(async () => (await userinfoStatus(service, person.accessToken)) === 401);
  expect(await refresh(person)).toBe('invalid_grant');
}

const change = (mutation: string, input: object, type: string, as = all) =>
  asking.ask(`mutation ($input: ${type}!) { ${mutation}(input: $input) { __typename } }`, { input }, as);

describe('roles of groups', () => {
  test('A group role applies to all direct and nested members from their next sign-in.', async () => {
    const [direct, nested, outside] = [
      await service.person('direct'),
      await service.person('nested'),
      await service.person('outside'),
    ];
    const before = await signIn(nested);
    const inner = service.directory.groups.create(tenant, [nested.id]);
    const middle = service.directory.groups.create(tenant, [inner]);
    const group = service.directory.groups.create(tenant, [direct.id, middle]);
    expect(await give(group)).toBeUndefined();
    for (const person of [direct, nested]) expect(sorted(await signIn(person))).toEqual(helpDesk);
    expect((await signIn(outside)).scopes).toEqual([]);
    // An additional role revokes nothing, and adds nothing to earlier tokens.
    expect(await userinfoStatus(service, before.accessToken)).toBe(200);
    expect((await refresh(before)) ?? 'refreshed').toBe('refreshed');
  });

  test('A group role ends with the membership: access, refresh and personal access token, and session.', async () => {
    const person = await service.person('leaves-group');
    const group = service.directory.groups.create(tenant, [person.id]);
    await give(group);
    const holder = await signIn(person);
    const made = await asking.ask(
      `mutation { createPersonalAccessToken(input: { name: "script", scopes: ["sessions:read"] }) { token } }`,
      {},
      holder.accessToken,
    );
    const script = made.data.createPersonalAccessToken.token as string;
    const sessions = `{ sessions(first: 1) { totalCount } }`;
    expect(codesOf(await asking.ask(sessions, {}, script))).toEqual(undefined);
    await service.directory.groups.remove(group, person.id);
    // Without the event, only the comparison every 15 minutes would detect it.
    await expectClosed(holder);
    expect(codesOf(await asking.ask(sessions, {}, script))).toEqual(['UNAUTHENTICATED']);
    const { rows } = await service.deps.database.sql.query<{ live: number }>(
      'SELECT count(*)::int AS live FROM auth.sessions WHERE tenant = $1 AND subject_id = $2 AND revoked_at IS NULL',
      [tenant, person.id],
    );
    expect(rows).toEqual([{ live: 0 }]);
    expect((await signIn(person)).scopes).toEqual([]);
  });

  test.each([
    ['the group they are in is taken out of it', 'unnested'],
    ['the group is deleted', 'deleted'],
    ['the group they are in is deleted', 'inner deleted'],
    ['the role is taken from the group', 'role removed'],
    ['an event names too many to name', 'truncated'],
  ])('A group role ends when %s.', async (_how, way) => {
    const person = await service.person(`loses by ${way}`);
    const { groups } = service.directory;
    const inner = groups.create(tenant, [person.id]);
    const group = groups.create(tenant, [inner]);
    await give(group);
    const holder = await signIn(person);
    expect(sorted(holder)).toEqual(helpDesk);
    if (way === 'unnested') await groups.remove(group, inner);
    if (way === 'deleted') await groups.delete(group);
    if (way === 'inner deleted') await groups.delete(inner);
    if (way === 'role removed') expect(await take(group)).toBeUndefined();
    if (way === 'truncated') {
      await service.directory.send([groups.changed(inner, { remove: [person.id], truncated: true })]);
    }
    await expectClosed(holder);
    expect((await signIn(person)).scopes).toEqual([]);
  });

  test('A role stays while another path, another group or a direct assignment gives it.', async () => {
    const person = await service.person('held twice');
    const { groups } = service.directory;
    const inner = groups.create(tenant, [person.id]);
    const group = groups.create(tenant, [inner, person.id]);
    const other = groups.create(tenant, [person.id]);
    await give(group);
    await give(other);
    await change('assignRole', { userId: person.id, role: 'HELP_DESK' }, 'RoleInput');
    const holder = await signIn(person);
    const open = async () => {
      await eventually(() => isSettled());
      expect(await userinfoStatus(service, holder.accessToken)).toBe(200);
    };
    await groups.remove(group, person.id);
    await eventually(async () => !(await isSettled()) || (await holdings(person.id)).length === 2);
    await open();
    await change('removeRole', { userId: person.id, role: 'HELP_DESK' }, 'RoleInput');
    await open();
    await take(group);
    await open();
    await groups.remove(other, person.id);
    await expectClosed(holder);
  });

  test('Two concurrent removals of the last sources of a role leave no access, in either order.', async () => {
    for (let round = 0; round < 8; round += 1) {
      const person = await service.person(`two ways ${round}`);
      const group = service.directory.groups.create(tenant, [person.id]);
      await give(group);
      await change('assignRole', { userId: person.id, role: 'HELP_DESK' }, 'RoleInput');
      const holder = await signIn(person);
      await Promise.all([
        take(group),
        change('removeRole', { userId: person.id, role: 'HELP_DESK' }, 'RoleInput'),
      ]);
      await expectClosed(holder);
    }
  });

  test('A source of a role that is being removed does not count as a remaining one.', async () => {
    const person = await service.person('just going');
    const group = service.directory.groups.create(tenant, [person.id]);
    await give(group);
    const { database, subjects } = service.deps;
    await subjects.assignRole(tenant, person.id, 'help_desk');
    const holder = await signIn(person);
    let other = Promise.resolve();
    await database.transaction(async (tx) => {
      await setHoldings(tx, tenant, [person.id], [], {
        ...service.deps,
        endIssuedForApis: async () => [],
        endIssued: async (tx, of, id) =>
          (await closeAccessPaths(tx, of, id, roleRemoved, service.deps.departure)).revocations,
      });
      other = subjects.removeRole(tenant, person.id, 'help_desk');
      await Promise.race([other, sleep(200)]);
    });
    await other;
    await expectClosed(holder);
  });

  test('A group role is removed from hundreds of members together.', async () => {
    const ids = Array.from({ length: 250 }, () => service.directory.addUser(tenant, crypto.randomUUID()).id);
    const last = await service.person('the last of many');
    const group = service.directory.groups.create(tenant, [...ids, last.id]);
    await give(group, 'AUDITOR');
    await eventually(() => isSettled());
    const holder = await signIn(last);
    expect(holder.scopes.length).toBeGreaterThan(0);
    expect((await holdings(ids[249] ?? '')).length).toBe(1);
    await take(group, 'AUDITOR');
    await expectClosed(holder);
    await eventually(() => isSettled());
    expect(await holdings(ids[249] ?? '')).toEqual([]);
  });
});

describe('authorization', () => {
  test('A group role is assigned or removed only by a caller who could do so for each member.', async () => {
    const [boss, plain] = [await service.person('boss'), await service.person('plain')];
    const group = service.directory.groups.create(tenant, [boss.id, plain.id]);
    const weak = await asking.machine('roles:write groups:write users:read');
    const enough = await asking.machine(['roles:write', ...helpDesk].join(' '));
    expect(await give(group, 'HELP_DESK', { as: weak })).toEqual(['FORBIDDEN']);
    expect(await give(group, 'AUDITOR', { as: enough })).toEqual(['FORBIDDEN']);
    expect(await give(group, 'HELP_DESK', { as: enough })).toBeUndefined();
    expect(await take(group, 'HELP_DESK', weak)).toEqual(['FORBIDDEN']);
    await change('assignRole', { userId: boss.id, role: 'TENANT_ADMIN' }, 'RoleInput');
    expect(await take(group, 'HELP_DESK', enough)).toEqual(['FORBIDDEN']);
    expect(await take(group)).toBeUndefined();
  });

  test('Assigning a group role requires a recent sign-in, and a personal access token is rejected.', async () => {
    const person = await service.person('chief');
    await service.internal('POST', `/tenants/${tenant}/roles`, { subject: person.id, role: 'tenant_admin' });
    const chief = await signIn(person);
    const group = service.directory.groups.create(tenant);
    expect(await give(group, 'AUDITOR', { as: chief.accessToken })).toBeUndefined();
    const made = await asking.ask(
      `mutation { createPersonalAccessToken(input: { name: "x" }) { token } }`,
      {},
      chief.accessToken,
    );
    expect(await give(group, 'HELP_DESK', { as: made.data.createPersonalAccessToken.token })).toEqual([
      'INSUFFICIENT_USER_AUTHENTICATION',
    ]);
  });

  test('A role through a group protects the credentials of a user like a direct role.', async () => {
    const [desk, person] = [await service.person('desk'), await service.person('auditor through group')];
    await service.internal('POST', `/tenants/${tenant}/roles`, { subject: desk.id, role: 'help_desk' });
    const { accessToken } = await signIn(desk);
    const reset = () =>
      change('resetUserAccess', { userId: person.id }, 'ResetUserAccessInput', accessToken).then(codesOf);
    expect(await reset()).toBeUndefined();
    const group = service.directory.groups.create(tenant, [person.id]);
    await give(group, 'AUDITOR');
    expect(await reset()).toEqual(['FORBIDDEN']);
    // An earlier link is invalid: it would give access to the account with its new role.
    const { rowCount } = await service.deps.database.sql.query(
      'SELECT 1 FROM auth.invitations WHERE tenant = $1 AND subject_id = $2',
      [tenant, person.id],
    );
    expect(rowCount).toBe(0);
    const staged = await service.internal(
      'POST',
      `/tenants/${tenant}/credentials`,
      { subject: person.id, password: 'a password of somebody else’s' },
      'provisioning',
    );
    expect(staged.status).toBe(403);
    const administrators = await service.internal(
      'GET',
      `/tenants/${tenant}/administrators`,
      undefined,
      'provisioning',
    );
    expect(administrators.body.groups).toContain(group);
  });

  test('A caller of another tenant reaches neither the group nor its members.', async () => {
    const person = await service.person('ours');
    const group = service.directory.groups.create(tenant, [person.id]);
    const theirs = await asking.machine(everything.join(' '), rival);
    expect(await give(group, 'HELP_DESK', { as: theirs })).toEqual(['NOT_FOUND']);
    await give(group);
    expect(await take(group, 'HELP_DESK', theirs)).toEqual(['NOT_FOUND']);
    expect((await readRoles('Group', group, theirs)).data._entities).toEqual([{ roles: [], roleGrants: [] }]);
    expect((await readRoles('User', person.id, theirs)).data._entities).toEqual([
      { roles: [], roleSources: [] },
    ]);
    // A user of the other tenant who is in a group of this tenant by mistake has no role there.
    expect(await holdings(person.id, rival)).toEqual([]);
    expect(await holdings(person.id)).toEqual([`${group} help_desk`]);
  });

  test('An unknown group with any form of id is reported as NOT_FOUND.', async () => {
    for (const id of [crypto.randomUUID(), 'no-id', '', "'; --"]) {
      expect(await give(id)).toEqual(['NOT_FOUND']);
      expect(await take(id)).toEqual(['NOT_FOUND']);
    }
  });
});

test('Roles are shown with their sources.', async () => {
  const person = await service.person('shown');
  const group = service.directory.groups.create(tenant, [person.id]);
  await give(group, 'AUDITOR', { managedBySources: true });
  await give(group);
  await change('assignRole', { userId: person.id, role: 'AUDITOR' }, 'RoleInput');
  expect((await readRoles('User', person.id)).data._entities).toEqual([
    {
      roles: ['AUDITOR', 'HELP_DESK'],
      roleSources: [
        { role: 'AUDITOR', direct: true, groups: [{ id: group }] },
        { role: 'HELP_DESK', direct: false, groups: [{ id: group }] },
      ],
    },
  ]);
  expect((await readRoles('Group', group)).data._entities).toEqual([
    {
      roles: ['AUDITOR', 'HELP_DESK'],
      roleGrants: [
        { role: 'AUDITOR', managedBySources: true },
        { role: 'HELP_DESK', managedBySources: false },
      ],
    },
  ]);
  const { data } = await asking.ask(
    `query ($id: ID!) { securityLog(first: 10, filter: { resourceId: $id }) { edges { node { action } } } }`,
    { id: group },
    all,
  );
  expect(data.securityLog.edges.map(({ node }: { node: { action: string } }) => node.action)).toEqual([
    'group.role_assigned',
    'group.role_assigned',
  ]);
});

describe('notifications to the directory', () => {
  const privilege = (group: string) => service.directory.groups.privileges.get(group);

  test('The directory is notified before a role counts, with the required scopes and whether sources manage it.', async () => {
    const group = service.directory.groups.create(tenant);
    await give(group, 'HELP_DESK', { managedBySources: true });
    expect(privilege(group)).toMatchObject({ managedBySources: true });
    expect(privilege(group)?.scopes.toSorted()).toEqual([...helpDesk, 'roles:write'].sort());
    await give(group, 'AUDITOR');
    expect(privilege(group)).toMatchObject({ managedBySources: false });
    await give(group, 'AUDITOR', { managedBySources: true });
    expect(privilege(group)).toMatchObject({ managedBySources: true });
    await take(group, 'AUDITOR');
    expect(privilege(group)?.scopes.toSorted()).toEqual([...helpDesk, 'roles:write'].sort());
    await take(group);
    expect(privilege(group)).toMatchObject({ scopes: [] });
  });

  test('While the directory is unavailable, assigning a role fails, and removing one succeeds and is reported later.', async () => {
    const person = await service.person('directory away');
    const group = service.directory.groups.create(tenant, [person.id]);
    await give(group);
    const holder = await signIn(person);
    service.directory.available = false;
    try {
      expect(await give(group, 'AUDITOR')).toEqual(['SERVICE_UNAVAILABLE']);
      expect(await take(group)).toBeUndefined();
      await expectClosed(holder);
      expect(privilege(group)?.scopes).not.toEqual([]);
    } finally {
      service.directory.available = true;
    }
    await eventually(async () => privilege(group)?.scopes.length === 0);
  });

  test('Twenty concurrent changes leave the directory with the final state.', async () => {
    const group = service.directory.groups.create(tenant);
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        i % 2 === 0 ? give(group, 'HELP_DESK', { managedBySources: i % 4 === 0 }) : take(group),
      ),
    );
    const { data } = await readRoles('Group', group);
    const [role] = data._entities[0].roleGrants as { managedBySources: boolean }[];
    await eventually(async () => {
      const notified = privilege(group);
      return role ? notified?.managedBySources === role.managedBySources : notified?.scopes.length === 0;
    });
  });
});
