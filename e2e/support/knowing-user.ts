import type { Demo, DemoTenant, DemoUser } from './demo.ts';
import { unique } from './demo.ts';
import { graph } from './graph.ts';
import { renewPassword } from './roles.ts';
import { ScimClient } from './scim.ts';
import { adminToken, signIn } from './sign-in.ts';

/** A user who received the secret of a client of another owner by rotating it. */
export interface KnowingUser {
  id: string;
  user: DemoUser;
  client: { id: string; name: string };
  /** Owner of the client. */
  owner: { id: string; userName: string };
}

export async function knowingUser(demo: Demo, tenant: DemoTenant): Promise<KnowingUser> {
  const admin = await adminToken(tenant);
  const owner = await administrator(demo, tenant, admin);
  const leaver = await administrator(demo, tenant, admin);
  const name = unique('Payroll');
  const client = await register(demo, admin, {
    name,
    ownerId: owner.id,
    grantTypes: ['client_credentials'],
    scopes: ['users:read'],
  });
  const console = await register(demo, admin, {
    name: unique('Console'),
    tokenEndpointAuthMethod: 'NONE',
    grantTypes: ['authorization_code'],
    redirectUris: ['http://127.0.0.1/callback'],
    scopes: ['openid', 'clients:write', 'users:read'],
  });
  const clients = { ...tenant.clients, web: { ...tenant.clients.web, client_id: console } };
  const { tokens } = await signIn(demo, { ...tenant, clients }, leaver.user, {
    scope: 'openid clients:write users:read',
  });
  await change(demo, tokens.access_token, 'rotateClientSecret', 'RotateClientSecretInput', { id: client });
  const { id, user } = leaver;
  return { id, user, client: { id: client, name }, owner: { id: owner.id, userName: owner.user.userName } };
}

/** Creates a user with the role TENANT_ADMIN. */
async function administrator(demo: Demo, tenant: DemoTenant, admin: string) {
  const user = { userName: unique('administrator'), password: 'eleven quiet lanterns by the gate' };
  const { id } = await new ScimClient(tenant, tenant.clients.scim.token).createUser({ ...user });
  await renewPassword(tenant, { ...user, id });
  await change(demo, admin, 'assignRole', 'RoleInput', { userId: id, role: 'TENANT_ADMIN' });
  return { id, user };
}

async function register(demo: Demo, admin: string, input: object): Promise<string> {
  const { client } = await change(
    demo,
    admin,
    'registerClient',
    'RegisterClientInput',
    input,
    'client { id }',
  );
  return client.id;
}

async function change(
  demo: Demo,
  token: string,
  mutation: string,
  type: string,
  input: object,
  selection = '',
) {
  const query = `mutation ($input: ${type}!) { ${mutation}(input: $input) { ${selection} problems { message } } }`;
  const { data, errors } = await graph(demo, token, query, { input });
  const payload = data?.[mutation];
  if (errors.length > 0 || payload?.problems.length !== 0)
    throw new Error(`${mutation}: ${JSON.stringify({ errors, payload })}`);
  return payload;
}
