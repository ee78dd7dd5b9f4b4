import { expect } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { masked, type Row } from './row.ts';
import type { World } from './world.ts';

const log = 'securityLog';
const ofClient = { log, resourceType: 'Client', resource: 'client', select: 'client { id }' } as const;
const ofAccount = {
  log,
  resourceType: 'ServiceAccount',
  resource: 'account',
  select: 'serviceAccount { id }',
} as const;
const ofWebhook = { log, resourceType: 'Webhook', resource: 'webhook', select: 'webhook { id }' } as const;
const ofStream = { log, resourceType: 'SignalStream', resource: 'stream' } as const;

/** Ids of the webhook's messages about people, once there are so many in a state. */
async function messages({ read, the }: World, state: 'PENDING' | 'DEAD', many: number): Promise<string[]> {
  const found = await eventually(
    async () => {
      const { deliveries } = await read<{
        deliveries: { edges: { node: { id: string; type: string } }[] };
      }>(
        `{ deliveries(filter: { receiverId: "${the.get('webhook')}", state: ${state} }) { edges { node { id type } } } }`,
      );
      return deliveries.edges.filter(({ node }) => node.type === 'user.updated');
    },
    (edges) => edges.length === many,
  );
  return found.map(({ node }) => node.id);
}

/** While the webhook is paused, none of its messages is under way. */
async function holdMessages(world: World): Promise<void> {
  const { change, the } = world;
  await change('updateWebhook', { id: the.get('webhook'), status: 'PAUSED' }, 'webhook { id }');
  // Of several people: what is told of one of them waits for what was told of them before.
  for (const person of ['bob', 'carol', 'invitee'])
    await change('updateUser', { id: the.get(person), nickName: person }, 'user { id }');
  for (const [index, id] of (await messages(world, 'PENDING', 3)).entries()) the.set(`message ${index}`, id);
}

async function enableAfterDeath(world: World): Promise<void> {
  await messages(world, 'DEAD', 2);
  await world.change('updateWebhook', { id: world.the.get('webhook'), status: 'ENABLED' }, 'webhook { id }');
}

/** Changes of what isn't a person at the authorization server, in an order in which each finds what it needs. */
export const appRows: readonly Row[] = [
  {
    ...ofClient,
    mutation: 'registerClient',
    input: () => ({
      name: 'Portal',
      tokenEndpointAuthMethod: 'CLIENT_SECRET_BASIC',
      grantTypes: ['client_credentials'],
      scopes: ['users:read'],
    }),
    select: 'client { id } clientSecret',
    keep: { client: 'client.id' },
    action: 'client.registered',
    changes: () => ({ client_name: { after: 'Portal' } }),
  },
  {
    ...ofClient,
    mutation: 'updateClient',
    input: (the) => ({ id: the.get('client'), name: 'Gate', tokenEndpointAuthMethod: 'CLIENT_SECRET_JWT' }),
    select: 'client { id } clientSecret',
    action: 'client.updated',
    changes: () => ({
      client_name: { before: 'Portal', after: 'Gate' },
      token_endpoint_auth_method: { before: 'client_secret_basic', after: 'client_secret_jwt' },
      client_secret: { before: masked, after: masked },
    }),
  },
  {
    ...ofClient,
    mutation: 'rotateClientSecret',
    input: (the) => ({ id: the.get('client') }),
    select: 'client { id } clientSecret',
    action: 'client.secret_rotated',
    changes: () => ({ client_secret: { before: masked, after: masked } }),
  },
  {
    ...ofClient,
    mutation: 'disableClient',
    input: (the) => ({ id: the.get('client') }),
    action: 'client.disabled',
    changes: () => ({ disabled: { before: false, after: true } }),
  },
  {
    ...ofClient,
    mutation: 'enableClient',
    input: (the) => ({ id: the.get('client') }),
    action: 'client.enabled',
    changes: () => ({ disabled: { before: true, after: false } }),
  },
  {
    mutation: 'createTrustedIssuer',
    input: (the) => ({
      name: 'Partner',
      issuer: 'https://partner.example',
      jwks: JSON.stringify({ keys: [JSON.parse(the.get('jwk'))] }),
      clientIds: [the.get('client')],
      scopes: ['users:read'],
    }),
    select: 'trustedIssuer { id }',
    keep: { issuer: 'trustedIssuer.id' },
    log,
    action: 'trusted_issuer.created',
    resourceType: 'TrustedIssuer',
    resource: 'issuer',
    changes: (the) => ({
      issuer: { after: 'https://partner.example' },
      clientIds: { after: [the.get('client')] },
      scopes: { after: ['users:read'] },
    }),
  },
  {
    mutation: 'bindIssuerSubject',
    input: (the) => ({ trustedIssuerId: the.get('issuer'), subject: 'employee-1', userId: the.get('carol') }),
    select: 'issuerSubject { id }',
    keep: { issuerSubject: 'issuerSubject.id' },
    log,
    action: 'issuer_subject.bound',
    resourceType: 'IssuerSubject',
    resource: 'issuerSubject',
    changes: (the) => ({
      trustedIssuer: { after: the.get('issuer') },
      subject: { after: 'employee-1' },
      user: { after: the.get('carol') },
    }),
  },
  {
    mutation: 'unbindIssuerSubject',
    input: (the) => ({ id: the.get('issuerSubject') }),
    select: 'issuerSubjectId',
    log,
    action: 'issuer_subject.unbound',
    resourceType: 'IssuerSubject',
    resource: 'issuerSubject',
    changes: (the) => ({
      trustedIssuer: { before: the.get('issuer') },
      subject: { before: 'employee-1' },
      user: { before: the.get('carol') },
    }),
  },
  {
    mutation: 'deleteTrustedIssuer',
    input: (the) => ({ id: the.get('issuer') }),
    select: 'trustedIssuerId',
    log,
    action: 'trusted_issuer.deleted',
    resourceType: 'TrustedIssuer',
    resource: 'issuer',
    changes: (the) => ({
      issuer: { before: 'https://partner.example' },
      clientIds: { before: [the.get('client')] },
      scopes: { before: ['users:read'] },
    }),
  },
  {
    ...ofClient,
    mutation: 'transferCredential',
    case: 'of a client',
    input: (the) => ({ kind: 'CLIENT', id: the.get('client'), ownerId: the.get('stillGroup') }),
    select: 'credential { __typename }',
    action: 'client.updated',
    changes: (the) => ({
      owner: {
        before: { kind: 'user', id: the.get('administrator') },
        after: { kind: 'group', id: the.get('stillGroup') },
      },
    }),
  },
  {
    ...ofClient,
    mutation: 'deleteClient',
    input: (the) => ({ id: the.get('client') }),
    select: 'clientId',
    action: 'client.deleted',
    changes: () => ({ client_name: { before: 'Gate' } }),
  },
  {
    mutation: 'createInitialAccessToken',
    input: () => ({ name: 'Onboarding', uses: 2 }),
    select: 'initialAccessToken { id } token',
    keep: { initial: 'initialAccessToken.id' },
    log,
    action: 'initial_access_token.created',
    resourceType: 'InitialAccessToken',
    resource: 'initial',
    changes: () => ({ name: { after: 'Onboarding' }, uses: { after: 2 } }),
  },
  {
    mutation: 'createInitialAccessToken',
    case: 'by an app for a person',
    by: 'delegate',
    input: () => ({ name: 'Delegated' }),
    select: 'initialAccessToken { id } token',
    keep: { delegatedInitial: 'initialAccessToken.id' },
    log,
    action: 'initial_access_token.created',
    resourceType: 'InitialAccessToken',
    resource: 'delegatedInitial',
    changes: () => ({ name: { after: 'Delegated' } }),
  },
  {
    mutation: 'revokeInitialAccessToken',
    input: (the) => ({ id: the.get('initial') }),
    select: 'initialAccessTokenId',
    log,
    action: 'initial_access_token.revoked',
    resourceType: 'InitialAccessToken',
    resource: 'initial',
    changes: () => ({ name: { before: 'Onboarding' } }),
  },
  {
    ...ofAccount,
    mutation: 'createServiceAccount',
    input: () => ({ name: 'Job', scopes: ['users:read', 'groups:read'] }),
    keep: { account: 'serviceAccount.id' },
    action: 'service_account.created',
    changes: () => ({ name: { after: 'Job' }, scopes: { after: ['users:read', 'groups:read'] } }),
  },
  {
    ...ofAccount,
    mutation: 'updateServiceAccount',
    input: (the) => ({ id: the.get('account'), scopes: ['users:read'], description: 'Nightly' }),
    action: 'service_account.updated',
    changes: () => ({
      scopes: { before: ['users:read', 'groups:read'], after: ['users:read'] },
      description: { after: 'Nightly' },
    }),
  },
  {
    mutation: 'createApiKey',
    input: (the) => ({ serviceAccountId: the.get('account'), name: 'Key' }),
    select: 'apiKey { id } token',
    keep: { apiKey: 'apiKey.id' },
    log,
    action: 'api_key.created',
    resourceType: 'ApiKey',
    resource: 'apiKey',
    changes: (the) => ({ name: { after: 'Key' }, serviceAccount: { after: the.get('account') } }),
  },
  {
    log,
    resourceType: 'ApiKey',
    resource: 'apiKey',
    mutation: 'transferCredential',
    case: 'of an API key',
    input: (the) => ({ kind: 'API_KEY', id: the.get('apiKey'), ownerId: the.get('stillGroup') }),
    select: 'credential { __typename }',
    action: 'api_key.handed_over',
    changes: (the) => ({
      owner: {
        before: { kind: 'user', id: the.get('administrator') },
        after: { kind: 'group', id: the.get('stillGroup') },
      },
    }),
  },
  {
    mutation: 'revokeApiKey',
    input: (the) => ({ id: the.get('apiKey') }),
    select: 'id',
    log,
    action: 'api_key.revoked',
    resourceType: 'ApiKey',
    resource: 'apiKey',
    changes: (the) => ({ name: { before: 'Key' }, serviceAccount: { before: the.get('account') } }),
  },
  {
    ...ofAccount,
    mutation: 'addServiceAccountKey',
    input: (the) => ({ serviceAccountId: the.get('account'), jwk: the.get('jwk') }),
    select: 'publicKey { id }',
    keep: { publicKey: 'publicKey.id' },
    action: 'service_account.key_added',
    changes: (the) => ({
      key: { after: the.get('publicKey') },
      kid: { after: 'one' },
      alg: { after: 'ES256' },
    }),
  },
  {
    ...ofAccount,
    mutation: 'removeServiceAccountKey',
    input: (the) => ({ id: the.get('publicKey') }),
    select: 'id',
    action: 'service_account.key_removed',
    changes: (the) => ({ key: { before: the.get('publicKey') }, kid: { before: 'one' } }),
  },
  {
    ...ofAccount,
    mutation: 'transferCredential',
    case: 'of a service account',
    input: (the) => ({ kind: 'SERVICE_ACCOUNT', id: the.get('account'), ownerId: the.get('stillGroup') }),
    select: 'credential { __typename }',
    action: 'service_account.updated',
    changes: (the) => ({
      owner: {
        before: { kind: 'user', id: the.get('administrator') },
        after: { kind: 'group', id: the.get('stillGroup') },
      },
    }),
  },
  {
    ...ofAccount,
    mutation: 'deleteServiceAccount',
    input: (the) => ({ id: the.get('account') }),
    select: 'id',
    action: 'service_account.deleted',
    changes: () => ({ name: { before: 'Job' }, scopes: { before: ['users:read'] } }),
  },
  {
    mutation: 'rotateSigningKeys',
    input: () => ({ algorithms: ['EDDSA'] }),
    select: 'signingKeys { id state algorithm }',
    keep: { nextKey: 'signingKeys.0.id' },
    log,
    action: 'signing_key.prepared',
    resourceType: 'SigningKey',
    resource: 'nextKey',
    changes: () => ({ alg: { after: 'EdDSA' } }),
  },
  {
    mutation: 'rotateSigningKeys',
    case: 'compromised',
    input: () => ({ algorithms: ['EDDSA'], compromised: true }),
    select: 'signingKeys { id state algorithm }',
    keep: { newKey: 'signingKeys.0.id' },
    log,
    action: 'signing_key.replaced',
    resourceType: 'SigningKey',
    resource: 'newKey',
    changes: (the) => ({
      kid: { before: expect.arrayContaining([the.get('nextKey')]), after: the.get('newKey') },
    }),
  },
  {
    mutation: 'updateTenantBranding',
    input: () => ({ name: 'Recorded AG', color: '#123456' }),
    select: 'tenantBranding { name }',
    log,
    action: 'tenant.branding_updated',
    resourceType: 'Tenant',
    resource: 'tenant',
    changes: () => ({ name: { after: 'Recorded AG' }, colour: { after: '#123456' } }),
  },
  {
    ...ofStream,
    mutation: 'updateSignalStream',
    input: (the) => ({ id: the.get('stream'), status: 'PAUSED', reason: 'holidays' }),
    select: 'signalStream { id }',
    action: 'signal_stream.updated',
    changes: () => ({ status: { before: 'enabled', after: 'paused' } }),
  },
  {
    ...ofStream,
    mutation: 'deleteSignalStream',
    input: (the) => ({ id: the.get('stream') }),
    select: 'id',
    action: 'signal_stream.deleted',
    changes: () => ({ status: { before: 'paused' } }),
  },
  {
    ...ofWebhook,
    mutation: 'createWebhook',
    input: (the) => ({
      name: 'Payroll',
      endpoint: `https://receiver.invalid/?key=${the.get('endpointKey')}`,
      types: ['USER_UPDATED'],
    }),
    select: 'webhook { id } secret',
    keep: { webhook: 'webhook.id' },
    action: 'webhook.created',
    changes: () => ({
      name: { after: 'Payroll' },
      endpoint: { after: 'https://receiver.invalid/?…' },
      secret: { after: masked },
    }),
    secrets: ['endpointKey'],
  },
  {
    ...ofWebhook,
    mutation: 'testWebhook',
    input: (the) => ({ id: the.get('webhook') }),
    select: 'deliveryId',
    keep: { tested: 'deliveryId' },
    action: 'webhook.tested',
    changes: (the) => ({ delivery: { after: the.get('tested') } }),
  },
  {
    ...ofWebhook,
    mutation: 'rotateWebhookSecret',
    input: (the) => ({ id: the.get('webhook'), overlapSeconds: 60 }),
    select: 'webhook { id } secret',
    action: 'webhook.secret_rotated',
    changes: () => ({ secret: { before: masked, after: masked }, overlapSeconds: { after: 60 } }),
  },
  {
    mutation: 'discardDelivery',
    prepare: holdMessages,
    input: (the) => ({ id: the.get('message 0') }),
    select: 'id',
    log,
    action: 'delivery.discarded',
    resourceType: 'Delivery',
    resource: 'message 0',
    changes: (the) => ({ state: { before: 'pending' }, receiverId: { before: the.get('webhook') } }),
  },
  {
    ...ofWebhook,
    mutation: 'updateWebhook',
    input: (the) => ({ id: the.get('webhook'), status: 'DISABLED', name: 'Wages' }),
    action: 'webhook.updated',
    changes: () => ({
      status: { before: 'paused', after: 'disabled' },
      name: { before: 'Payroll', after: 'Wages' },
    }),
  },
  {
    mutation: 'replayDelivery',
    prepare: enableAfterDeath,
    input: (the) => ({ id: the.get('message 1') }),
    select: 'delivery { id }',
    log,
    action: 'delivery.replayed',
    resourceType: 'Delivery',
    resource: 'message 1',
    changes: () => ({ state: { before: 'dead', after: 'pending' } }),
  },
  {
    mutation: 'replayDeadDeliveries',
    input: (the) => ({ receiverId: the.get('webhook') }),
    select: 'replayed',
    log,
    action: 'delivery.replayed',
    resourceType: 'Webhook',
    resource: 'webhook',
    changes: () => ({ deliveries: { after: expect.any(Number) } }),
  },
  {
    ...ofWebhook,
    mutation: 'deleteWebhook',
    input: (the) => ({ id: the.get('webhook') }),
    select: 'id',
    action: 'webhook.deleted',
    changes: () => ({ name: { before: 'Wages' }, endpoint: { before: 'https://receiver.invalid/?…' } }),
  },
];
