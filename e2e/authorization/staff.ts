import { eventually } from '@ostiary/service/testing';
import { type Demo, type DemoTenant, type DemoUser, unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { renewPassword as renewDemoPassword } from '../support/roles.ts';
import { groupSchema, type ScimClient } from '../support/scim.ts';
import { everyOwnScope, signIn } from '../support/sign-in.ts';
import type { Change } from './furniture.ts';
import { allScopes } from './new-tenant.ts';
import { type Processes, post } from './processes.ts';

export type Person = DemoUser & { id: string };
export type Staff = Readonly<
  Record<'other' | 'user' | 'helpDesk' | 'auditor' | 'tenantAdmin' | 'administrator', Person>
>;

const employeeSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

/** Creates a user with a value in every attribute. @param id of the tenant */
export async function employ(scim: ScimClient, id: string, name: string): Promise<Person> {
  const user = { userName: name, password: `seven quiet lanterns over ${id} ${name}` };
  const created = await scim.createUser({
    ...user,
    externalId: `hr-${name}`,
    displayName: name,
    name: { givenName: name, familyName: 'Person' },
    emails: [{ value: `${name}@example.com`, type: 'work', primary: true }],
    phoneNumbers: [{ value: '+43 1 234567', type: 'work' }],
    ims: [{ value: name, type: 'xmpp' }],
    photos: [{ value: `https://example.com/${name}.png`, type: 'photo' }],
    addresses: [{ locality: 'Vienna', country: 'AT', type: 'work' }],
    entitlements: [{ value: 'desk' }],
    roles: [{ value: 'tester' }],
    x509Certificates: [{ value: 'MIIBAQ==' }],
    [employeeSchema]: { employeeNumber: '7', department: 'Doors' },
  });
  return { ...user, id: created.id };
}

/**
 * Creates the users of a tenant, named after their roles. @param operator token of the operator for auth's internal API
 */
export async function employStaff(
  scim: ScimClient,
  id: string,
  { urls, operator }: { urls: Processes; operator: string },
): Promise<Staff> {
  const people = {
    other: await employ(scim, id, 'other'),
    user: await employ(scim, id, 'user'),
    helpDesk: await employ(scim, id, 'helpdesk'),
    auditor: await employ(scim, id, 'auditor'),
    tenantAdmin: await employ(scim, id, 'admin'),
    administrator: await employ(scim, id, 'administrator'),
  };
  for (const [name, role] of [
    ['helpDesk', 'help_desk'],
    ['auditor', 'auditor'],
    ['tenantAdmin', 'tenant_admin'],
    ['administrator', 'tenant_admin'],
  ] as const) {
    await eventually(
      () =>
        post(`${urls.auth}/internal/v1/tenants/${id}/roles`, operator, {
          subject: people[name].id,
          role,
        }).then(
          () => true,
          () => false,
        ),
      (done) => done,
    );
    await renewPassword(`${urls.auth}/internal/v1/tenants/${id}/credentials`, operator, people[name]);
  }
  return people;
}

/** Sets a password as the operator, because roles do not apply after a sign-in with a password of a connector. */
async function renewPassword(credentials: string, operator: string, { id: subject, password }: Person) {
  const { ticket } = await post<{ ticket: string }>(credentials, operator, { subject, password });
  await post(`${credentials}/${ticket}/activate`, operator, {});
}

/** Gives a role of an API to a user and to a group. */
export async function giveApiRoles(
  change: Change,
  apiId: string,
  { userId, groupId }: { userId: string; groupId: string },
): Promise<void> {
  const role = { apiId, role: 'reader' };
  await change('mutation ($input: AssignApiRoleInput!) { assignApiRole(input: $input) { user { id } } }', {
    input: { userId, ...role },
  });
  await change(
    'mutation ($input: AssignGroupApiRoleInput!) { assignGroupApiRole(input: $input) { group { id } } }',
    { input: { groupId, ...role } },
  );
}

/** Creates a group with every user, one that gives a role, and a deleted user and group. */
export async function makeGroups(
  scim: ScimClient,
  id: string,
  change: Change,
  people: Staff,
): Promise<Record<'group' | 'privilegedGroup', string>> {
  const newGroup = async (displayName: string, members: string[]) =>
    (
      await scim.call('POST', '/Groups', {
        schemas: [groupSchema],
        displayName,
        externalId: displayName,
        members: members.map((value) => ({ value })),
      })
    ).body.id as string;
  const inner = await newGroup('inner', [people.other.id]);
  const group = await newGroup('everybody', [...Object.values(people).map((person) => person.id), inner]);
  const privilegedGroup = await newGroup('administrators', [people.administrator.id]);
  await change(
    'mutation ($input: AssignGroupRoleInput!) { assignGroupRole(input: $input) { group { id } } }',
    {
      input: { groupId: privilegedGroup, role: 'TENANT_ADMIN' },
    },
  );
  for (const [type, gone] of [
    ['Users', (await employ(scim, id, 'gone')).id],
    ['Groups', await newGroup('gone', [])],
  ])
    await scim.call('DELETE', `/${type}/${gone}`);
  return { group, privilegedGroup };
}

export type StaffTokens = Readonly<Record<Exclude<keyof Staff, 'administrator'>, string>>;

/** Returns an access token of a user with all scopes that the user may have. */
export const tokenOf = async (demo: Demo, tenant: DemoTenant, person: DemoUser): Promise<string> =>
  (await signIn(demo, tenant, person, { scope: [everyOwnScope, ...allScopes].join(' ') })).tokens
    .access_token;

/** Registers a client of another owner, whose secret is returned to the caller. */
async function registerFor(demo: Demo, token: string, ownerId: string): Promise<void> {
  const made = await graph(
    demo,
    token,
    `mutation ($ownerId: ID!) { registerClient(input: { name: "Of another owner", ownerId: $ownerId,
       grantTypes: ["client_credentials"], scopes: ["users:read"] }) { client { id } } }`,
    { ownerId },
  );
  if (made.errors.length > 0) throw new Error(JSON.stringify(made.errors));
}

/** Creates an identity source of another owner, whose token is returned to the caller. */
async function createSourceFor(demo: Demo, token: string, ownerId: string): Promise<void> {
  const input = { name: unique('Of another owner'), ownerId };
  const query =
    'mutation ($input: CreateConnectorInput!) { createConnector(input: $input) { connector { id } } }';
  const made = await graph(demo, token, query, { input });
  if (made.errors.length > 0) throw new Error(JSON.stringify(made.errors));
}

/** Signs in every user and creates a personal access token for each. */
export async function signInStaff(demo: Demo, tenant: DemoTenant, people: Staff): Promise<StaffTokens> {
  const tokens = {
    other: await tokenOf(demo, tenant, people.other),
    user: await tokenOf(demo, tenant, people.user),
    helpDesk: await tokenOf(demo, tenant, people.helpDesk),
    auditor: await tokenOf(demo, tenant, people.auditor),
    tenantAdmin: await tokenOf(demo, tenant, people.tenantAdmin),
  };
  for (const token of Object.values(tokens)) {
    const made = await graph(
      demo,
      token,
      'mutation { createPersonalAccessToken(input: { name: "script", scopes: ["openid"] }) { token } }',
    );
    if (made.errors.length > 0) throw new Error(JSON.stringify(made.errors));
  }
  await registerFor(demo, tokens.tenantAdmin, people.administrator.id);
  await createSourceFor(demo, tokens.tenantAdmin, people.administrator.id);
  // The audit log contains changes by users, clients, identity sources and services.
  await graph(
    demo,
    tokens.tenantAdmin,
    'mutation ($id: ID!) { updateUser(input: { id: $id, nickName: "O" }) { __typename } }',
    { id: people.other.id },
  );
  return tokens;
}

/**
 * Creates an offboarded user whose clients were notified. @param token that may read departures @param ownerId of a
 * client whose secret the user received
 */
export async function createOffboarded(
  scim: ScimClient,
  demo: Demo,
  tenant: DemoTenant & { id: string },
  { token, ownerId, change }: { token: string; ownerId: string; change: Change },
): Promise<Person> {
  const departed = await employ(scim, tenant.id, 'departed');
  const role = { input: { userId: departed.id, role: 'TENANT_ADMIN' } };
  await renewDemoPassword(tenant, departed);
  await change('mutation ($input: RoleInput!) { assignRole(input: $input) { user { id } } }', role);
  await registerFor(demo, await tokenOf(demo, tenant, departed), ownerId);
  await scim.patch(`/Users/${departed.id}`, [{ op: 'replace', path: 'active', value: false }]);
  await eventually(
    async () =>
      (await graph(demo, token, `{ departures(userId: "${departed.id}") { deliveries { attempts } } }`)).data
        .departures[0]?.deliveries[0]?.attempts ?? 0,
    (attempts) => attempts > 0,
  );
  return departed;
}
