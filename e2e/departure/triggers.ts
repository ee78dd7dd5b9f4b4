import { eventually } from '@ostiary/service/testing';
import { decodeJwt } from 'jose';
import { Browser } from '../support/browser.ts';
import { unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { userSchema } from '../support/scim.ts';
import { adminToken, everyOwnScope } from '../support/sign-in.ts';
import { ofAgents } from './agent-triggers.ts';
import { all, forEach, forEachOffboarded } from './everybody.ts';
import { narrowing } from './narrowing-triggers.ts';
import { manageThroughGroup } from './owned.ts';
import type { Person } from './person.ts';
import { clientIdOf } from './place.ts';
import { accountPage, leavingUsers, offboarded, type Scene, withdraw } from './scene.ts';
import type { Trigger } from './trigger.ts';

/** A repeated deletion fails, because the object is gone. */
const isGone = /NOT_FOUND|answered 404/;

function expectStatus(answer: { status: number; body?: unknown }, ...expected: number[]): void {
  if (!expected.includes(answer.status)) {
    throw new Error(`the trigger answered ${answer.status} ${JSON.stringify(answer.body)}`);
  }
}

const reactivate = forEachOffboarded(async ({ place }, { id }) => {
  expectStatus(await place.scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'active', value: true }]), 200);
});

const patch = (name: string, ...operations: object[]): Trigger => ({
  name,
  column: 'offboarded',
  fire: forEachOffboarded(async ({ place }, { id }) =>
    expectStatus(await place.scim.patch(`/Users/${id}`, operations), 200, 204),
  ),
});

const bulk = (name: string, operationFor: (id: string) => object): Trigger => ({
  name,
  column: 'offboarded',
  async fire(scene) {
    const answer = await scene.place.scim.call('POST', '/Bulk', {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: offboarded(scene).map(({ id }) => operationFor(id)),
    });
    expectStatus(answer, 200);
    const statuses = (answer.body.Operations as { status: string }[]).map(({ status }) => Number(status));
    await all(statuses.map(async (status) => expectStatus({ status }, 200, 204)));
  },
});

const mutation = (
  name: string,
  column: string,
  inputType: string,
  selection: string,
  inputFor: (person: Person) => object,
): Trigger => ({
  name: `${name} in the graph`,
  column,
  fire: (column === 'offboarded' ? forEachOffboarded : forEach)(({ place }, person) =>
    place.change(name, inputType, inputFor(person), selection),
  ),
});

const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** Returns a complete User as Okta sends it. */
const oktaUser = (person: Person, attributes: object) => ({
  schemas: [userSchema],
  id: person.id,
  userName: person.user.userName,
  name: { givenName: 'A', familyName: 'Leaver' },
  emails: [],
  groups: [],
  meta: { resourceType: 'User' },
  ...attributes,
});

const leaving: Trigger[] = [
  {
    ...patch('SCIM PATCH as in the RFC', { op: 'replace', path: 'active', value: false }),
    bystanders: true,
    comeBack: reactivate,
  },
  patch('SCIM PATCH as in the RFC, by URN', { op: 'replace', path: `${userSchema}:active`, value: false }),
  patch('SCIM PATCH by Entra', { op: 'Replace', path: 'active', value: 'False' }),
  patch('SCIM PATCH by Okta', { op: 'replace', value: { active: false } }),
  patch('SCIM PATCH by OneLogin', { op: 'replace', value: { active: 'false' } }),
  {
    name: 'SCIM PUT by Okta',
    column: 'offboarded',
    fire: forEachOffboarded(async ({ place }, person) =>
      expectStatus(
        await place.scim.call('PUT', `/Users/${person.id}`, oktaUser(person, { active: false })),
        200,
      ),
    ),
    comeBack: reactivate,
  },
  {
    name: 'SCIM DELETE',
    column: 'offboarded',
    done: isGone,
    fire: forEachOffboarded(async ({ place }, { id }) =>
      expectStatus(await place.scim.call('DELETE', `/Users/${id}`), 204),
    ),
  },
  {
    name: 'SCIM DELETE, restorable',
    column: 'offboarded',
    done: isGone,
    // Needs its own tenant: in the shared one it would change the deletions of the other triggers.
    ownTenant: true,
    prepare: ({ place }) =>
      place
        .change(
          'updateTenant',
          'UpdateTenantInput',
          { deletionPolicy: 'SOFT' },
          'tenant { deletionPolicy } problems { code }',
        )
        .then(),
    fire: forEachOffboarded(async ({ place }, { id }) =>
      expectStatus(await place.scim.call('DELETE', `/Users/${id}`), 204),
    ),
    comeBack: forEachOffboarded(async ({ place }, { id }) => {
      const { user } = await place.change<{ user: { id: string } | null }>(
        'restoreUser',
        'DeletedResourceInput',
        { id },
        'user { id } problems { code }',
      );
      if (user?.id !== id) throw new Error(`not restored: ${id}`);
    }),
  },
  bulk('SCIM Bulk with PATCH', (id) => ({
    method: 'PATCH',
    path: `/Users/${id}`,
    data: { schemas: [patchOp], Operations: [{ op: 'replace', value: { active: false } }] },
  })),
  { ...bulk('SCIM Bulk with DELETE', (id) => ({ method: 'DELETE', path: `/Users/${id}` })), done: isGone },
  {
    ...mutation('deactivateUser', 'offboarded', 'UserVersionInput', 'problems { code }', ({ id }) => ({
      id,
    })),
    comeBack: forEachOffboarded(({ place }, { id }) =>
      place.change('reactivateUser', 'UserVersionInput', { id }, 'problems { code }'),
    ),
  },
  mutation('deleteUser', 'offboarded', 'UserVersionInput', 'problems { code }', ({ id }) => ({ id })),
];

/** Changes the role of all users except the invited one, whose invitation a role would end. */
async function changeRoles(scene: Scene, name: 'assignRole' | 'removeRole'): Promise<void> {
  const { place, invited, manager } = scene;
  for (const { id } of leavingUsers(scene)) {
    if (id === invited.id) continue;
    await place.change(name, 'RoleInput', { userId: id, role: 'AUDITOR' }, 'user { id }');
  }
  if (name === 'assignRole') return;
  await place.change(name, 'RoleInput', { userId: manager.id, role: 'TENANT_ADMIN' }, 'user { id }');
}

const groups = new WeakMap<Scene, string>();
const managers = new WeakMap<Scene, string>();

/** Creates a group that gives a role to all users except the invited one. */
async function joinGroup(scene: Scene): Promise<void> {
  const { place, person, keyHolder, careful, manager } = scene;
  managers.set(scene, await manageThroughGroup(place, manager));
  const name = { displayName: unique('Auditors') };
  const { group } = await place.change<{ group: { id: string } }>(
    'createGroup',
    'CreateGroupInput',
    name,
    'group { id }',
  );
  groups.set(scene, group.id);
  await place.change(
    'assignGroupRole',
    'AssignGroupRoleInput',
    { groupId: group.id, role: 'AUDITOR' },
    'problems { code }',
  );
  const memberIds = [person.id, keyHolder.id, careful.id];
  await place.change(
    'addGroupMembers',
    'GroupMembersInput',
    { groupId: group.id, memberIds },
    'problems { code }',
  );
  const admin = await adminToken(place.tenant);
  for (const id of memberIds) {
    await eventually(
      () => graph(place.demo, admin, 'query ($id: ID!) { user(id: $id) { roles } }', { id }),
      ({ data }) => data?.user?.roles?.includes('AUDITOR'),
    );
  }
}

/** Changes the password on the account page; the current one is needed only if there is one. */
async function changeOwnPassword(scene: Scene): Promise<void> {
  const { place, person, browser, careful, keyHolder } = scene;
  for (const [who, at] of [
    [person, browser],
    [careful, careful.browser],
    [keyHolder, keyHolder.browser],
  ] as const) {
    const page = await accountPage(place, at, '/password', who.user);
    const next = 'a password of their own choosing';
    const done = await at.submit(page, { present: who.user.password, password: next, repeated: next });
    if (!done.url.searchParams.has('done')) throw new Error(`not changed: ${done.status} ${done.root.text}`);
    who.user.password = next;
  }
}

/** Sends each user a link, and sets a new password with it. */
const acceptReset = forEach(async ({ place }, { id }) => {
  const { url = '' } = await place.change('resetUserAccess', 'ResetUserAccessInput', { userId: id }, 'url');
  const browser = new Browser(place.demo.origin);
  const next = 'a password that nobody else knows';
  const done = await browser.submit(await browser.open(url), { password: next, repeated: next });
  if (!done.url.pathname.endsWith('/account')) throw new Error(`not reset: ${done.status} ${done.url}`);
});

const others: Trigger[] = [
  {
    ...mutation('revokeAllSessions', 'signed out', 'RevokeAllSessionsInput', 'user { id }', ({ id }) => ({
      userId: id,
    })),
    bystanders: true,
  },
  {
    name: 'removeRole in the graph',
    column: 'role removed',
    prepare: (scene) => changeRoles(scene, 'assignRole'),
    fire: (scene) => changeRoles(scene, 'removeRole'),
  },
  {
    name: 'group left that gave a role, over SCIM',
    column: 'role removed',
    prepare: joinGroup,
    async fire(scene) {
      const { person, keyHolder, careful, manager, place } = scene;
      const operations = [person, keyHolder, careful].map(({ id }) => ({
        op: 'remove',
        path: `members[value eq "${id}"]`,
      }));
      expectStatus(await place.scim.patch(`/Groups/${groups.get(scene)}`, operations), 200, 204);
      const leaving = [{ op: 'remove', path: `members[value eq "${manager.id}"]` }];
      expectStatus(await place.scim.patch(`/Groups/${managers.get(scene)}`, leaving), 200, 204);
    },
  },
  {
    name: 'removeGroupRole in the graph',
    column: 'role removed',
    prepare: joinGroup,
    fire: (scene) =>
      all(
        (
          [
            [groups, 'AUDITOR'],
            [managers, 'TENANT_ADMIN'],
          ] as const
        ).map(([of, role]) =>
          scene.place.change(
            'removeGroupRole',
            'RemoveGroupRoleInput',
            { groupId: of.get(scene), role },
            'problems { code }',
          ),
        ),
      ),
  },
  {
    name: 'password replaced over SCIM, by PATCH',
    column: 'password replaced',
    bystanders: true,
    fire: forEach(async ({ place }, person) => {
      person.user.password = 'what the identity source says';
      const value = person.user.password;
      const path = `/Users/${person.id}`;
      expectStatus(await place.scim.patch(path, [{ op: 'replace', path: 'password', value }]), 200, 204);
    }),
  },
  {
    name: 'password replaced over SCIM, by PUT',
    column: 'password replaced',
    fire: forEach(async ({ place }, person) => {
      person.user.password = 'what the identity source says';
      const { password } = person.user;
      expectStatus(
        await place.scim.call('PUT', `/Users/${person.id}`, oktaUser(person, { active: true, password })),
        200,
      );
    }),
  },
  { name: 'password changed by the user', column: 'password changed', fire: changeOwnPassword },
  mutation('resetUserAccess', 'compromised', 'ResetUserAccessInput', 'url', ({ id }) => ({
    userId: id,
    compromised: true,
  })),
  { name: 'access reset by its link', column: 'compromised', fire: acceptReset },
  {
    name: 'consent withdrawn by the user',
    column: 'consent withdrawn',
    fire: (scene) => withdraw(scene, scene.apps.app),
  },
  {
    name: 'revokeGrant in the graph',
    column: 'grant revoked',
    async fire({ place, tokens }) {
      const id = decodeJwt(tokens.access_token).grant_id;
      await place.change('revokeGrant', 'RevokeGrantInput', { id }, 'grantId');
    },
  },
  {
    name: 'app disabled',
    column: 'app disabled',
    fire: ({ place, apps }) =>
      place.change('disableClient', 'ClientInput', { id: clientIdOf(apps.app) }, 'client { id }').then(),
    comeBack: ({ place, apps }) =>
      place.change('enableClient', 'ClientInput', { id: clientIdOf(apps.app) }, 'client { id }').then(),
  },
  {
    name: 'app deleted',
    column: 'app disabled',
    done: isGone,
    fire: ({ place, apps }) =>
      place.change('deleteClient', 'ClientInput', { id: clientIdOf(apps.app) }, '__typename').then(),
  },
  {
    name: 'scope taken from an app',
    column: 'app narrowed',
    fire: ({ place, apps }) => {
      const scopes = everyOwnScope.split(' ').filter((scope) => scope !== 'groups');
      return place
        .change('updateClient', 'UpdateClientInput', { id: clientIdOf(apps.app), scopes }, 'client { id }')
        .then();
    },
  },
  {
    name: 'connector disabled',
    column: 'connector disabled',
    fire: ({ place, connector: { id } }) =>
      place.change('disableConnector', 'ConnectorInput', { id }, '__typename').then(),
    comeBack: ({ place, connector: { id } }) =>
      place.change('enableConnector', 'ConnectorInput', { id }, '__typename').then(),
  },
  {
    name: 'connector deleted',
    column: 'connector revoked',
    done: isGone,
    fire: ({ place, connector: { id } }) =>
      place.change('deleteConnector', 'ConnectorInput', { id }, '__typename').then(),
  },
  {
    name: 'connector token revoked',
    column: 'connector revoked',
    async fire({ place, connector: { id } }) {
      const admin = await adminToken(place.tenant);
      const query = 'query ($id: ID!) { connector(id: $id) { tokens { id } } }';
      const { data } = await graph(place.demo, admin, query, { id });
      for (const token of data.connector.tokens) {
        const input = { id, tokenId: token.id };
        await place.change('revokeConnectorToken', 'RevokeConnectorTokenInput', input, '__typename');
      }
    },
  },
  {
    name: 'tenant suspended',
    column: 'tenant suspended',
    ownTenant: true,
    fire: ({ place }, operator) => operator.suspend(place.id),
    comeBack: ({ place }, operator) => operator.resume(place.id),
  },
];

export const triggers: readonly Trigger[] = [...leaving, ...others, ...ofAgents, ...narrowing];
