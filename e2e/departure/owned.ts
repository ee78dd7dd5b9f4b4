import { eventually } from '@ostiary/service/testing';
import * as client from 'openid-client';
import { unique } from '../support/demo.ts';
import { graph } from '../support/graph.ts';
import { adminToken, discoverOnce } from '../support/sign-in.ts';
import { employ, type Person } from './person.ts';
import type { Place } from './place.ts';

/** A user whose role permits managing clients, service accounts and connectors, and their own ones. */
export interface Manager extends Person {
  apiKey: string;
  service: client.Configuration;
  connectorToken: string;
}

export async function newManager(place: Place): Promise<Manager> {
  const { change, tenant } = place;
  const person = await employ(place, unique('manager'));
  const owned = { name: unique('Owned'), ownerId: person.id };
  await change('assignRole', 'RoleInput', { userId: person.id, role: 'TENANT_ADMIN' }, 'user { id }');
  const { serviceAccount } = await change<{ serviceAccount: { id: string } }>(
    'createServiceAccount',
    'CreateServiceAccountInput',
    { ...owned, scopes: ['users:read'] },
    'serviceAccount { id }',
  );
  const { token: apiKey = '' } = await change(
    'createApiKey',
    'CreateApiKeyInput',
    { ...owned, serviceAccountId: serviceAccount.id },
    'token',
  );
  const made = await change<{ client: { id: string }; clientSecret: string }>(
    'registerClient',
    'RegisterClientInput',
    { ...owned, grantTypes: ['client_credentials'], scopes: ['users:read'] },
    'client { id } clientSecret',
  );
  const { token: connectorToken = '' } = await change(
    'createConnector',
    'CreateConnectorInput',
    owned,
    'token',
  );
  const service = await discoverOnce(tenant, made.client.id, made.clientSecret);
  return { ...person, apiKey, service, connectorToken };
}

/** Replaces the manager's direct role by one from a group. */
export async function manageThroughGroup(place: Place, { id }: Person): Promise<string> {
  const { group } = await place.change<{ group: { id: string } }>(
    'createGroup',
    'CreateGroupInput',
    { displayName: unique('Managers') },
    'group { id }',
  );
  const groupId = group.id;
  const role = 'TENANT_ADMIN';
  await place.change('assignGroupRole', 'AssignGroupRoleInput', { groupId, role }, 'problems { code }');
  await place.change(
    'addGroupMembers',
    'GroupMembersInput',
    { groupId, memberIds: [id] },
    'problems { code }',
  );
  const admin = await adminToken(place.tenant);
  await eventually(
    () =>
      graph(place.demo, admin, 'query ($id: ID!) { user(id: $id) { roleSources { groups { id } } } }', {
        id,
      }),
    ({ data }) =>
      data?.user?.roleSources?.some(({ groups }: { groups: unknown[] }) => groups.length > 0) === true,
  );
  await place.change('removeRole', 'RoleInput', { userId: id, role }, 'user { id }');
  return groupId;
}

/** Requests an access token by client credentials. */
export const tokenForItself = async (service: client.Configuration): Promise<string> =>
  (await client.clientCredentialsGrant(service, { scope: 'users:read' })).access_token;
