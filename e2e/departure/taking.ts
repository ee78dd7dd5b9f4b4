/**
 * The issued credentials that each mutation of the graph revokes: by columns of the offboarding table, whose triggers
 * test every access path, or by a separate test for a single kind of credential.
 */
type Taking = { columns: readonly string[] } | { test: string } | 'nothing';

const all = (taking: Taking, ...mutations: string[]): Record<string, Taking> =>
  Object.fromEntries(mutations.map((name) => [name, taking]));
const by = (...columns: string[]): Taking => ({ columns });
const inAuth = (test: string): Taking => ({ test: `services/auth/test/${test}.test.ts` });

/** Mutations that create, grant, enable or restore. */
const giving = [
  ...['createWebhook', 'createTrustedIssuer', 'bindIssuerSubject', 'createPersonalAccessToken'],
  ...[
    'createServiceAccount',
    'createApiKey',
    'addServiceAccountKey',
    'registerClient',
    'createInitialAccessToken',
    'registerApi',
  ],
  ...[
    'enableClient',
    'assignRole',
    'inviteUser',
    'assignGroupRole',
    'assignApiRole',
    'assignGroupApiRole',
    'createUser',
    'reactivateUser',
    'restoreUser',
  ],
  ...['createGroup', 'restoreGroup', 'addGroupMembers', 'createTenant', 'resumeTenant', 'createSchema'],
  ...['createConnector', 'enableConnector'],
];

/** Mutations that no issued credential depends on. */
const besides = [
  ...['testWebhook', 'replayDelivery', 'replayDeadDeliveries', 'discardDelivery', 'updateTenantBranding'],
  ...['updateMe', 'updateUser', 'updateGroup', 'updateTenant', 'updateSchema', 'deleteSchema'],
  // The owner is responsible for a credential; its permissions do not depend on the owner.
  ...['transferCredential', 'transferConnector'],
  // Deletion, which precedes a purge, revokes everything.
  ...['purgeUser', 'purgeGroup'],
];

export const taking: Readonly<Record<string, Taking>> = {
  ...all('nothing', ...giving, ...besides),
  ...all(by('offboarded'), 'deactivateUser', 'deleteUser'),
  ...all(by('signed out'), 'revokeAllSessions'),
  ...all(by('role removed'), 'removeRole', 'removeGroupRole', 'removeGroupMembers', 'deleteGroup'),
  ...all(by('compromised'), 'resetUserAccess'),
  ...all(by('grant revoked'), 'revokeGrant'),
  ...all(by('agent ended'), 'endDelegation'),
  ...all(by('app disabled'), 'disableClient', 'deleteClient'),
  ...all(by('app narrowed'), 'updateClient'),
  ...all(by('connector disabled'), 'disableConnector'),
  ...all(by('connector revoked'), 'deleteConnector', 'revokeConnectorToken', 'rotateConnectorToken'),
  ...all(by('connector narrowed'), 'updateConnector'),
  ...all(by('service account narrowed'), 'updateServiceAccount', 'deleteServiceAccount'),
  ...all(by('trust withdrawn'), 'deleteTrustedIssuer', 'unbindIssuerSubject'),
  ...all(by('tenant suspended'), 'suspendTenant'),
  ...all(inAuth('access/machines/service-accounts'), 'removeServiceAccountKey', 'revokeApiKey'),
  ...all(inAuth('access/machines/personal-access-token-ends'), 'revokePersonalAccessToken'),
  ...all(inAuth('tenancy/users/graph'), 'revokeSession', 'rotateClientSecret'),
  ...all(inAuth('clients/apis/api-removal'), 'updateApi', 'deleteApi'),
  ...all(inAuth('clients/documents/policy'), 'updateClientDocumentPolicy'),
  ...all(inAuth('clients/apis/api-roles'), 'removeApiRole', 'removeGroupApiRole'),
  ...all(inAuth('clients/client-rules'), 'revokeInitialAccessToken'),
  ...all(inAuth('access/roles/administration'), 'removeAuthenticatorApp', 'removePasskey'),
  ...all(inAuth('tenancy/keys/key-rotation'), 'rotateSigningKeys'),
  ...all(inAuth('signals/deliveries/webhook-graph'), 'updateWebhook', 'deleteWebhook', 'rotateWebhookSecret'),
  ...all(inAuth('signals/streams/graph'), 'updateSignalStream', 'deleteSignalStream'),
  // The effect on each token request: second-factor-for-roles.test.ts of the authorization server.
  updateTenantPolicy: { test: 'services/directory/test/tenants/tenant-policy.test.ts' },
};
