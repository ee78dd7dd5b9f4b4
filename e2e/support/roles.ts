import { eventually } from '@ostiary/service/testing';
import { type Demo, type DemoTenant, type DemoUser, unique } from './demo.ts';
import { graph } from './graph.ts';
import { groupSchema, ScimClient } from './scim.ts';
import { adminToken, type SignedIn, signIn } from './sign-in.ts';

export interface Employee {
  id: string;
  user: DemoUser;
}

const helpDesk = 'users:read groups:read sessions:read sessions:write access:write';

/**
 * Sets a user's password as the administration client. Roles apply after a sign-in with such a password, but not after
 * one with a password of a connector.
 */
export async function renewPassword(
  tenant: DemoTenant,
  { id, password }: { id: string; password: string },
): Promise<void> {
  const scim = new ScimClient(tenant, await adminToken(tenant));
  const answer = await scim.patch(`/Users/${id}`, [{ op: 'replace', path: 'password', value: password }]);
  if (![200, 204].includes(answer.status))
    throw new Error(`renewing a password: ${answer.status} ${JSON.stringify(answer.body)}`);
}

/**
 * A tenant whose administrator assigns roles to groups, and whose users sign in to a client with the scopes of the
 * roles.
 */
export class RoleStory {
  readonly admin: string;
  readonly #demo: Demo;
  readonly #scim: ScimClient;
  /** The tenant with its console as the client `web`. */
  readonly #console: DemoTenant;

  private constructor(demo: Demo, tenant: DemoTenant, parts: { admin: string; console: DemoTenant }) {
    this.#demo = demo;
    this.#scim = new ScimClient(tenant, tenant.clients.scim.token);
    this.admin = parts.admin;
    this.#console = parts.console;
  }

  static async begin(demo: Demo, tenant: DemoTenant): Promise<RoleStory> {
    const admin = await adminToken(tenant);
    const registered = await graph(
      demo,
      admin,
      'mutation ($input: RegisterClientInput!) { registerClient(input: $input) { client { id } } }',
      {
        input: {
          name: 'Console',
          tokenEndpointAuthMethod: 'NONE',
          grantTypes: ['authorization_code', 'refresh_token'],
          redirectUris: ['http://127.0.0.1/callback'],
          scopes: ['openid', 'profile', 'offline_access', ...helpDesk.split(' ')],
        },
      },
    );
    const web = { ...tenant.clients.web, client_id: registered.data.registerClient.client.id };
    return new RoleStory(demo, tenant, {
      admin,
      console: { ...tenant, clients: { ...tenant.clients, web } },
    });
  }

  group = (members: readonly string[]) => ({
    schemas: [groupSchema],
    displayName: unique('group'),
    members: members.map((value) => ({ value })),
  });

  async employ(): Promise<Employee> {
    const user = { userName: unique('holder'), password: unique('correct horse battery') };
    const { id } = await this.#scim.createUser({ ...user });
    await renewPassword(this.#console, { ...user, id });
    return { id, user };
  }

  /** Creates a group in another group over SCIM. */
  async nestedGroups(): Promise<{ inner: string; outer: string }> {
    const inner = (await this.#scim.call('POST', '/Groups', this.group([]))).body.id as string;
    const outer = (await this.#scim.call('POST', '/Groups', this.group([inner]))).body.id as string;
    return { inner, outer };
  }

  /** Assigns the role and returns the error codes. */
  give(groupId: string, o: { managedBySources?: boolean } = {}): Promise<string[]> {
    return this.#change('assignGroupRole', 'AssignGroupRoleInput', { groupId, role: 'HELP_DESK', ...o });
  }

  take(groupId: string): Promise<string[]> {
    return this.#change('removeGroupRole', 'RemoveGroupRoleInput', { groupId, role: 'HELP_DESK' });
  }

  add(groupId: string, id: string, token = this.admin): Promise<string[]> {
    return this.#change('addGroupMembers', 'GroupMembersInput', { groupId, memberIds: [id] }, token);
  }

  /** Signs in when the role applies; the event of a membership takes some milliseconds. */
  async signInWithRole({ id, user }: Employee): Promise<SignedIn> {
    await eventually(
      () => graph(this.#demo, this.admin, 'query ($id: ID!) { user(id: $id) { roles } }', { id }),
      ({ data }) => data.user?.roles?.includes('HELP_DESK') === true,
    );
    return signIn(this.#demo, this.#console, user, { scope: `openid profile offline_access ${helpDesk}` });
  }

  async #change(mutation: string, type: string, input: object, token = this.admin): Promise<string[]> {
    const document = `mutation ($input: ${type}!) { ${mutation}(input: $input) { group { id } } }`;
    const { errors } = await graph(this.#demo, token, document, { input });
    return errors.map(({ extensions }) => extensions?.code ?? '');
  }
}
