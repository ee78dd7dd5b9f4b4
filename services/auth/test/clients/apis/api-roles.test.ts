import { describe, expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { postgresApis } from '../../../src/clients/apis/data/apis.ts';
import {
  appFor,
  changeRole,
  type RoleApi,
  readApiRoles,
  refreshed,
  roleApi,
  rolesIn,
  tokensFor,
} from '../../support/api-roles.ts';
import { claimsOf } from '../../support/running-auth.ts';
import { codesOf } from '../../support/sign-in/asking.ts';
import { all, asking, isSettled, service, setUpRoleGroups } from '../../support/sign-in/role-groups.ts';
import { rival, tenant } from '../../support/sign-in/service.ts';

setUpRoleGroups();

const at = (api: RoleApi, role = 'reader') => ({ apiId: api.id, role });

const group = (...members: string[]) => service.directory.groups.create(tenant, members);

describe('the claim roles', () => {
  test.each([
    ['JWT', false],
    ['opaque', true],
  ])(
    'A %s token for an API has the roles of the user at this API, direct and through nested groups.',
    async (_format, opaque) => {
      const [api, other] = [await roleApi({ opaque }), await roleApi()];
      const person = await service.person(`holder ${opaque}`);
      const outer = group(group(person.id));
      expect(await changeRole('assignApiRole', { userId: person.id, ...at(api) })).toBeUndefined();
      expect(
        await changeRole('assignGroupApiRole', { groupId: outer, ...at(api, 'approver') }),
      ).toBeUndefined();
      await changeRole('assignApiRole', { userId: person.id, ...at(other) });

      const app = await appFor(api, other);
      const tokens = await tokensFor(app, person, api);
      expect(await rolesIn(tokens.access_token)).toEqual(['approver', 'reader']);
      expect(claimsOf(tokens.id_token)).not.toHaveProperty('roles');
      const again = await refreshed(app, tokens);
      expect(await rolesIn(again.body.access_token)).toEqual(['approver', 'reader']);
      expect(await rolesIn((await tokensFor(app, person, other)).access_token)).toEqual(['reader']);
      const introspected = await service.deps.introspection.introspect(
        tenant,
        again.body.access_token ?? '',
        app,
      );
      expect(introspected).toMatchObject({ active: true, roles: ['approver', 'reader'] });
    },
  );

  test('A token for the API of the tenant, or of a user without role, has no roles.', async () => {
    const api = await roleApi();
    const [holder, other] = [await service.person('both'), await service.person('neither')];
    await changeRole('assignApiRole', { userId: holder.id, ...at(api) });
    const { accessToken } = await asking.signedIn('no audience');
    expect(claimsOf(accessToken)).not.toHaveProperty('roles');
    const app = await appFor(api);
    expect(claimsOf((await tokensFor(app, other, api)).access_token)).not.toHaveProperty('roles');
    expect(claimsOf((await tokensFor(app, holder, api)).access_token)).toMatchObject({ roles: ['reader'] });
  });

  test.each(['first the membership', 'first the role'])(
    'The roles are the same in both orders of events: %s.',
    async (order) => {
      const api = await roleApi();
      const person = await service.person(order);
      const target = group();
      const assign = () => changeRole('assignGroupApiRole', { groupId: target, ...at(api) });
      if (order === 'first the role') await assign();
      await service.directory.groups.add(target, person.id);
      if (order === 'first the membership') await assign();
      const app = await appFor(api);
      // The membership arrives by an event.
      await eventually(async () => {
        const { access_token: token } = await tokensFor(app, person, api);
        return (await rolesIn(token))?.join() === 'reader';
      });
    },
  );
});

describe('the loss of a role', () => {
  test.each([
    ['the assignment is removed', 'assignment'],
    ['the user leaves the group', 'membership'],
    ['the group is deleted', 'group'],
    ['the role is removed from the group', 'group role'],
  ])('The tokens for the API end when %s; session and tokens for other APIs stay.', async (_how, way) => {
    const [api, other] = [await roleApi(), await roleApi()];
    const person = await service.person(`loses by ${way}`);
    const target = group(person.id);
    if (way === 'assignment') await changeRole('assignApiRole', { userId: person.id, ...at(api) });
    else await changeRole('assignGroupApiRole', { groupId: target, ...at(api) });
    await changeRole('assignApiRole', { userId: person.id, ...at(other) });
    const app = await appFor(api, other);
    const [tokens, kept] = [await tokensFor(app, person, api), await tokensFor(app, person, other)];
    expect(await rolesIn(tokens.access_token)).toEqual(['reader']);

    if (way === 'assignment') await changeRole('removeApiRole', { userId: person.id, ...at(api) });
    if (way === 'membership') await service.directory.groups.remove(target, person.id);
    if (way === 'group') await service.directory.groups.delete(target);
    if (way === 'group role') await changeRole('removeGroupApiRole', { groupId: target, ...at(api) });

    await eventually(
      () => rolesIn(tokens.access_token),
      (roles) => roles === null,
    );
    expect((await refreshed(app, tokens)).body.error).toBe('invalid_grant');
    expect(await rolesIn(kept.access_token)).toEqual(['reader']);
    expect((await refreshed(app, kept)).status).toBe(200);
    expect(await rolesIn((await tokensFor(app, person, api)).access_token)).toEqual([]);
    const { rows } = await service.deps.database.sql.query<{ live: number }>(
      'SELECT count(*)::int AS live FROM auth.sessions WHERE tenant = $1 AND subject_id = $2 AND revoked_at IS NULL',
      [tenant, person.id],
    );
    expect(rows).not.toEqual([{ live: 0 }]);
  });

  test('A role stays while a group or an assignment gives it.', async () => {
    const api = await roleApi();
    const person = await service.person('two sources');
    const target = group(person.id);
    await changeRole('assignApiRole', { userId: person.id, ...at(api) });
    await changeRole('assignGroupApiRole', { groupId: target, ...at(api) });
    const app = await appFor(api);
    const tokens = await tokensFor(app, person, api);
    await changeRole('removeApiRole', { userId: person.id, ...at(api) });
    expect(await rolesIn(tokens.access_token)).toEqual(['reader']);
    await changeRole('removeGroupApiRole', { groupId: target, ...at(api) });
    expect(await rolesIn(tokens.access_token)).toBeNull();
  });

  test('A role that is removed from the API ends access tokens; refreshed ones lack it, also after its return.', async () => {
    const api = await roleApi();
    const person = await service.person('role goes');
    const target = group(person.id);
    await changeRole('assignGroupApiRole', { groupId: target, ...at(api) });
    await changeRole('assignApiRole', { userId: person.id, ...at(api, 'approver') });
    const app = await appFor(api);
    const tokens = await tokensFor(app, person, api);
    const roles = ['reader', 'approver'].map((name) => ({ name, descriptions: {} }));
    await service.deps.apis.update(tenant, api.id, { roles: roles.slice(1) });
    expect(await rolesIn(tokens.access_token)).toBeNull();
    await service.deps.apis.update(tenant, api.id, { roles });
    const again = await refreshed(app, tokens);
    expect(await rolesIn(again.body.access_token)).toEqual(['approver']);
    await eventually(async () => service.directory.groups.privileges.get(target)?.scopes.length === 0);
    expect((await readApiRoles('Group', target)).data._entities[0].apiRoleGrants.edges).toEqual([]);
  });

  test('A role that no user has is removed from the API without revoking tokens.', async () => {
    const api = await roleApi();
    const app = await appFor(api);
    const tokens = await tokensFor(app, await service.person('no role'), api);
    await service.deps.apis.update(tenant, api.id, { roles: [] });
    expect(await rolesIn(tokens.access_token)).toEqual([]);
  });

  test('An API that is registered again under the same names starts without role holders.', async () => {
    const api = await roleApi();
    const person = await service.person('api goes');
    const target = group(person.id);
    await changeRole('assignApiRole', { userId: person.id, ...at(api) });
    await changeRole('assignGroupApiRole', { groupId: target, ...at(api, 'approver') });
    const tokens = await tokensFor(await appFor(api), person, api);
    await service.deps.apis.remove(tenant, api.id);
    expect(await rolesIn(tokens.access_token)).toBeNull();
    const again = await roleApi({ as: api });
    expect(await rolesIn((await tokensFor(await appFor(again), person, again)).access_token)).toEqual([]);
    const { rows } = await service.deps.database.sql.query(
      `SELECT 1 FROM auth.role_assignments WHERE subject_id = $1
       UNION ALL SELECT 1 FROM auth.group_role_holders WHERE subject_id = $1`,
      [person.id],
    );
    expect(rows).toEqual([]);
  });
});

describe('parallel requests', () => {
  test('Of parallel assignments of a role exactly one is recorded.', async () => {
    const api = await roleApi();
    const person = await service.person('assigned at once');
    await Promise.all(
      Array.from({ length: 6 }, () => changeRole('assignApiRole', { userId: person.id, ...at(api) })),
    );
    const { rows } = await service.deps.database.sql.query(
      `SELECT changes FROM auth.security_log WHERE resource_id = $1 AND action = 'user.role_assigned'`,
      [person.id],
    );
    expect(rows).toEqual([{ changes: { apiRole: { after: 'reader' }, api: { after: api.id } } }]);
  });

  test('No live token has a role that was removed while the token was issued.', async () => {
    const api = await roleApi();
    const app = await appFor(api);
    const person = await service.person('issued at once');
    for (let round = 0; round < 6; round += 1) {
      await changeRole('assignApiRole', { userId: person.id, ...at(api) });
      const earlier = await tokensFor(app, person, api);
      const [code, refresh] = await Promise.all([
        tokensFor(app, person, api),
        refreshed(app, earlier),
        changeRole('removeApiRole', { userId: person.id, ...at(api) }),
      ]);
      for (const { access_token } of [code, refresh.body, earlier])
        expect((await rolesIn(access_token)) ?? []).toEqual([]);
    }
  });

  test('An assignment beside the removal of the role from its API leaves no holder.', async () => {
    const api = await roleApi();
    const people = await Promise.all([1, 2, 3].map((n) => service.person(`beside ${n}`)));
    const target = group(people[0]?.id ?? '');
    await Promise.all([
      ...people.map(({ id }) => changeRole('assignApiRole', { userId: id, ...at(api) })),
      changeRole('assignGroupApiRole', { groupId: target, ...at(api) }),
      service.deps.apis.update(tenant, api.id, { roles: [] }),
    ]);
    await eventually(() => isSettled());
    const { rows } = await service.deps.database.sql.query(
      `SELECT role FROM auth.role_assignments WHERE role LIKE $1 UNION ALL SELECT role FROM auth.group_roles WHERE role LIKE $1
       UNION ALL SELECT role FROM auth.group_role_holders WHERE role LIKE $1`,
      [`api:${api.id}:%`],
    );
    expect(rows).toEqual([]);
  });
});

describe('the graph', () => {
  test('Roles of APIs are listed with their sources, separately from the roles of the tenant.', async () => {
    const api = await roleApi();
    const person = await service.person('listed');
    const target = group(person.id);
    await changeRole('assignApiRole', { userId: person.id, ...at(api) });
    await changeRole('assignGroupApiRole', { groupId: target, managedBySources: true, ...at(api) });
    const of = async (type: 'User' | 'Group', id: string) => (await readApiRoles(type, id)).data._entities[0];
    expect(await of('User', person.id)).toEqual({
      roles: [],
      roleSources: [],
      apiRoleSources: {
        totalCount: 1,
        edges: [{ node: { role: 'reader', direct: true, api: { id: api.id }, groups: [{ id: target }] } }],
      },
    });
    expect(await of('Group', target)).toEqual({
      roles: [],
      roleGrants: [],
      apiRoleGrants: { edges: [{ node: { role: 'reader', managedBySources: true, api: { id: api.id } } }] },
    });
    const list = (name: string, as = all) =>
      asking.ask(
        `query ($filter: ApiRoleFilter!) { ${name}(first: 5, filter: $filter) { totalCount edges { node { id } } } }`,
        { filter: at(api) },
        as,
      );
    expect((await list('apiRoleHolders')).data.apiRoleHolders).toEqual({
      totalCount: 1,
      edges: [{ node: { id: person.id } }],
    });
    expect((await list('groupsWithApiRole')).data.groupsWithApiRole.edges).toEqual([
      { node: { id: target } },
    ]);
    const theirs = await asking.machine('roles:read', rival);
    for (const name of ['apiRoleHolders', 'groupsWithApiRole'])
      expect((await list(name, theirs)).data[name]).toEqual({ totalCount: 0, edges: [] });
    expect((await readApiRoles('User', person.id, theirs)).data._entities[0].apiRoleSources.edges).toEqual(
      [],
    );
  });

  test('Only callers with roles:write and clients:write assign and remove roles of APIs, in their tenant only.', async () => {
    const api = await roleApi();
    const person = await service.person('target');
    const input = { userId: person.id, ...at(api) };
    const target = { groupId: group(person.id), ...at(api) };
    for (const scope of ['users:write access:write roles:write', 'clients:write users:write']) {
      const caller = await asking.machine(scope);
      for (const mutation of ['assignApiRole', 'removeApiRole'])
        expect(await changeRole(mutation, input, caller)).toEqual(['FORBIDDEN']);
      for (const mutation of ['assignGroupApiRole', 'removeGroupApiRole'])
        expect(await changeRole(mutation, target, caller)).toEqual(['FORBIDDEN']);
    }
    const theirs = await asking.machine('roles:write clients:write', rival);
    for (const mutation of ['assignApiRole', 'removeApiRole'])
      expect(await changeRole(mutation, input, theirs)).toEqual(['NOT_FOUND']);
    for (const mutation of ['assignGroupApiRole', 'removeGroupApiRole'])
      expect(await changeRole(mutation, target, theirs)).toEqual(['NOT_FOUND']);
    const own = await service.person('rival user', { tenant: rival });
    expect(await changeRole('assignApiRole', { ...input, userId: own.id }, theirs)).toEqual(['NOT_FOUND']);
    const enough = await asking.machine('roles:write clients:write');
    expect(await changeRole('assignApiRole', { ...input, role: 'owner' }, enough)).toEqual(['NOT_FOUND']);
    expect(await changeRole('assignGroupApiRole', { ...target, role: 'owner' }, enough)).toEqual([
      'NOT_FOUND',
    ]);
    expect(await changeRole('assignApiRole', input, enough)).toBeUndefined();
  });

  test('A repeated request with an idempotency key changes nothing.', async () => {
    const api = await roleApi();
    const person = await service.person('repeats');
    const target = group();
    const input = { userId: person.id, ...at(api), idempotencyKey: 'once' };
    await changeRole('assignApiRole', input);
    await changeRole('removeApiRole', input);
    expect(await changeRole('assignApiRole', input)).toBeUndefined();
    const ofGroup = { groupId: target, ...at(api), idempotencyKey: 'once' };
    await changeRole('assignGroupApiRole', ofGroup);
    await changeRole('removeGroupApiRole', ofGroup);
    expect(await changeRole('removeGroupApiRole', ofGroup)).toBeUndefined();
    expect(await changeRole('assignGroupApiRole', ofGroup)).toBeUndefined();
    const { data } = await readApiRoles('User', person.id);
    expect(data._entities[0].apiRoleSources.totalCount).toBe(0);
  });

  test('A role of an API restricts members of the group, not changes of the account of its holder.', async () => {
    const api = await roleApi();
    const person = await service.person('ordinary');
    const target = group(person.id);
    await changeRole('assignApiRole', { userId: person.id, ...at(api) });
    await changeRole('assignGroupApiRole', { groupId: target, ...at(api) });
    expect(service.directory.groups.privileges.get(target)).toMatchObject({
      scopes: ['roles:write', 'clients:write'],
      identifyingScopes: [],
      managedBySources: false,
    });
    expect(service.directory.groups.holders.get(person.id)).toBeUndefined();
    const { body } = await service.internal(
      'GET',
      `/tenants/${tenant}/administrators`,
      undefined,
      'provisioning',
    );
    expect(body.subjects).not.toContain(person.id);
    expect(body.groups).not.toContain(target);
    const helpDesk = await asking.machine('access:write');
    const reset = await asking.ask(
      `mutation ($id: ID!) { resetUserAccess(input: { userId: $id }) { url } }`,
      { id: person.id },
      helpDesk,
    );
    expect(codesOf(reset)).toBeUndefined();
  });
});

test('While a role is assigned, its API waits with changes, and other APIs are registered.', async () => {
  const api = await roleApi();
  let removing: Promise<boolean> | undefined;
  await service.deps.database.transaction(async (tx) => {
    await postgresApis.hold(tx, tenant, api.id);
    await roleApi();
    removing = service.deps.apis.remove(tenant, api.id);
    await eventually(async () => {
      const { rows } = await service.deps.database.sql.query(
        `SELECT 1 FROM pg_stat_activity
          WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%"apis"%'`,
        [],
      );
      return rows.length > 0;
    });
  });
  expect(await removing).toBe(true);
});
