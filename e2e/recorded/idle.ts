import type { Idle } from './row.ts';
import type { World } from './world.ts';

/** Creates the objects of the cases: a group and a user, a client and an issuer, a connector. */
export async function prepareIdle({ ask, change, the }: World): Promise<void> {
  const { group } = await change<{ group: { id: string } }>(
    'createGroup',
    { displayName: 'Still' },
    'group { id }',
  );
  const { user } = await change<{ user: { id: string } }>('createUser', { userName: 'still' }, 'user { id }');
  // A group can own objects only while an active member may manage them.
  const steady = await change<{ user: { id: string } }>('createUser', { userName: 'steady' }, 'user { id }');
  await change('assignRole', { userId: steady.user.id, role: 'TENANT_ADMIN' }, 'user { id }');
  await change('addGroupMembers', { groupId: group.id, memberIds: [steady.user.id] }, 'group { id }');
  const schema = `${the.get('urn')}Still`;
  await change(
    'createSchema',
    { id: schema, name: 'Still', attributes: [{ name: 'still' }] },
    'schema { id }',
  );
  const { serviceAccount } = await change<{ serviceAccount: { id: string } }>(
    'createServiceAccount',
    { name: 'Still', scopes: ['users:read'] },
    'serviceAccount { id }',
  );
  const { client } = await change<{ client: { id: string } }>(
    'registerClient',
    { name: 'Still', grantTypes: ['client_credentials'], scopes: [] },
    'client { id }',
  );
  await change('disableClient', { id: client.id }, 'client { id }');
  const { webhook } = await change<{ webhook: { id: string } }>(
    'createWebhook',
    { name: 'Still', endpoint: 'https://receiver.invalid/', types: ['USER_UPDATED'] },
    'webhook { id }',
  );
  // The idempotency keys are per caller.
  await ask('administrator', 'createApiKey', keyed(serviceAccount.id), 'apiKey { id }');
  const made = await ask('administrator', 'createConnector', named, 'connector { id }');
  const connector = made.payload?.connector as { id: string };
  for (const [name, value] of Object.entries({
    stillGroup: group.id,
    stillUser: user.id,
    stillSchema: schema,
    stillAccount: serviceAccount.id,
    stillClient: client.id,
    stillWebhook: webhook.id,
    stillConnector: connector.id,
  }))
    the.set(name, value);
}

const named = { name: 'Still', idempotencyKey: 'once' };
const keyed = (serviceAccountId: string) => ({ serviceAccountId, name: 'Still', idempotencyKey: 'once' });

/** Mutations without an effect, of each service: a repeat, a rejection, another version, a caller of another tenant. */
export const idle: readonly Idle[] = [
  {
    mutation: 'updateGroup',
    case: 'again',
    input: (the) => ({ id: the.get('stillGroup'), displayName: 'Still' }),
    select: 'group { id }',
  },
  {
    mutation: 'updateSchema',
    case: 'again',
    input: (the) => ({ id: the.get('stillSchema'), name: 'Still' }),
    select: 'schema { id }',
  },
  {
    mutation: 'removeGroupMembers',
    case: 'who is no member',
    input: (the) => ({ groupId: the.get('stillGroup'), memberIds: [the.get('stillUser')] }),
    select: 'group { id }',
  },
  {
    mutation: 'reactivateUser',
    case: 'who is active',
    input: (the) => ({ id: the.get('stillUser') }),
    select: 'user { id }',
  },
  {
    mutation: 'createUser',
    case: 'with a userName that is taken',
    input: () => ({ userName: 'STILL' }),
    select: 'user { id }',
    refusal: 'NOT_UNIQUE',
  },
  {
    mutation: 'updateUser',
    case: 'at another version',
    input: (the) => ({ id: the.get('stillUser'), nickName: 'S', version: 41 }),
    select: 'user { id }',
    refusal: 'VERSION_CONFLICT',
  },
  {
    mutation: 'deleteUser',
    case: 'of another tenant',
    by: 'rival',
    input: (the) => ({ id: the.get('stillUser') }),
    select: 'id',
    refusal: 'NOT_FOUND',
  },
  {
    mutation: 'createTenant',
    case: 'by who is no operator',
    input: () => ({ id: 'not-mine', name: 'Not mine' }),
    select: 'tenant { id }',
    refusal: 'FORBIDDEN',
  },
  {
    mutation: 'updateServiceAccount',
    case: 'again',
    input: (the) => ({ id: the.get('stillAccount'), name: 'Still', scopes: ['users:read'] }),
    select: 'serviceAccount { id }',
  },
  {
    mutation: 'disableClient',
    case: 'again',
    input: (the) => ({ id: the.get('stillClient') }),
    select: 'client { id }',
  },
  {
    mutation: 'updateClient',
    case: 'again',
    input: (the) => ({ id: the.get('stillClient'), name: 'Still' }),
    select: 'client { id }',
  },
  {
    mutation: 'createApiKey',
    case: 'with an idempotency key that was used',
    input: (the) => keyed(the.get('stillAccount')),
    select: 'repeated',
  },
  {
    mutation: 'updateWebhook',
    case: 'at another version',
    input: (the) => ({ id: the.get('stillWebhook'), name: 'S', version: 41 }),
    select: 'webhook { id }',
    refusal: 'VERSION_CONFLICT',
  },
  {
    mutation: 'createServiceAccount',
    case: 'without a scope of the API',
    input: () => ({ name: 'S', scopes: ['no:such'] }),
    select: 'serviceAccount { id }',
    refusal: 'FORBIDDEN',
  },
  {
    mutation: 'updateSignalStream',
    case: 'again',
    input: (the) => ({ id: the.get('stillStream'), status: 'ENABLED' }),
    select: 'signalStream { id }',
  },
  {
    mutation: 'deleteServiceAccount',
    case: 'of another tenant',
    by: 'rival',
    input: (the) => ({ id: the.get('stillAccount') }),
    select: 'id',
    refusal: 'NOT_FOUND',
  },
  {
    mutation: 'enableConnector',
    case: 'again',
    input: (the) => ({ id: the.get('stillConnector') }),
    select: 'connector { id }',
  },
  {
    mutation: 'createConnector',
    case: 'with an idempotency key that was used',
    input: () => named,
    select: 'repeated',
  },
  {
    mutation: 'revokeConnectorToken',
    case: 'that there is not',
    input: (the) => ({ id: the.get('stillConnector'), tokenId: the.get('stillUser') }),
    select: 'connector { id }',
    refusal: 'NOT_FOUND',
  },
  {
    mutation: 'updateConnector',
    case: 'at another version',
    input: (the) => ({ id: the.get('stillConnector'), name: 'S', version: 41 }),
    select: 'connector { id }',
    refusal: 'VERSION_CONFLICT',
  },
  {
    mutation: 'deleteConnector',
    case: 'of another tenant',
    by: 'rival',
    input: (the) => ({ id: the.get('stillConnector') }),
    select: 'id',
    refusal: 'NOT_FOUND',
  },
];
