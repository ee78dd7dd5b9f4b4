import { expect, test } from '@jest/globals';
import { eventually } from '@ostiary/service/testing';
import { appFor, changeRole, refreshed, roleApi, rolesIn, tokensFor } from '../../support/api-roles.ts';
import {
  all,
  asking,
  isSettled,
  service,
  setUpRoleGroups,
  signIn,
} from '../../support/sign-in/role-groups.ts';
import { tenant } from '../../support/sign-in/service.ts';

setUpRoleGroups();

/** Creates a user with a role of the tenant and roles of an API, direct and through a group. */
async function holder(userName: string) {
  const api = await roleApi();
  const person = await service.person(userName);
  const group = service.directory.groups.create(tenant, [person.id]);
  const input = { userId: person.id, role: 'HELP_DESK' };
  await asking.ask(
    'mutation ($input: RoleInput!) { assignRole(input: $input) { user { id } } }',
    { input },
    all,
  );
  await changeRole('assignApiRole', { userId: person.id, apiId: api.id, role: 'reader' });
  await changeRole('assignGroupApiRole', { groupId: group, apiId: api.id, role: 'approver' });
  const app = await appFor(api);
  const tokens = await tokensFor(app, person, api);
  expect(await rolesIn(tokens.access_token)).toEqual(['approver', 'reader']);
  return { api, app, group, person, tokens };
}

async function expectEnded({ app, tokens }: Awaited<ReturnType<typeof holder>>): Promise<void> {
  await eventually(
    () => rolesIn(tokens.access_token),
    (roles) => roles === null,
  );
  expect((await refreshed(app, tokens)).body.error).toBe('invalid_grant');
}

test('Offboarding ends every token with roles; after reactivation only a new sign-in yields the roles that the user has then, as those of the tenant.', async () => {
  const left = await holder('leaves');
  const { api, app, group, person, tokens } = left;
  expect((await signIn(person)).scopes).toContain('access:write');

  await service.directory.change(tenant, person.id, 'user.deactivated');
  await expectEnded(left);
  await service.directory.groups.remove(group, person.id);
  await eventually(() => isSettled());
  await service.directory.change(tenant, person.id, 'user.reactivated');

  await eventually(
    () =>
      tokensFor(app, person, api).then(
        ({ access_token }) => rolesIn(access_token),
        () => undefined,
      ),
    (roles) => roles?.join() === 'reader',
  );
  expect((await signIn(person)).scopes).toContain('access:write');
  expect(await rolesIn(tokens.access_token)).toBeNull();
  await expectEnded(left);
});

test('A role of an API that is removed from an inactive user does not return with the user.', async () => {
  const left = await holder('loses while away');
  const { api, app, person } = left;
  await service.directory.change(tenant, person.id, 'user.deactivated');
  await expectEnded(left);
  expect(
    await changeRole('removeApiRole', { userId: person.id, apiId: api.id, role: 'reader' }),
  ).toBeUndefined();
  await service.directory.change(tenant, person.id, 'user.reactivated');
  await eventually(
    () =>
      tokensFor(app, person, api).then(
        ({ access_token }) => rolesIn(access_token),
        () => undefined,
      ),
    (roles) => roles?.join() === 'approver',
  );
});

test('A user whose deletion is final has no role of an API; a new user of the same name has none.', async () => {
  const left = await holder('deleted for good');
  const { api, app, person } = left;
  await service.directory.change(tenant, person.id, 'user.deleted');
  await expectEnded(left);
  await eventually(async () => {
    const { rowCount } = await service.deps.database.sql.query(
      `SELECT 1 FROM auth.role_assignments WHERE subject_id = $1
       UNION ALL SELECT 1 FROM auth.group_role_holders WHERE subject_id = $1`,
      [person.id],
    );
    return rowCount === 0;
  });
  const again = await service.person('deleted for good');
  expect(again.id).not.toBe(person.id);
  expect(await rolesIn((await tokensFor(app, again, api)).access_token)).toEqual([]);
});
