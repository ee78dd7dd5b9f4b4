/**
 * Of every mutation of the graph, what of what was issued it takes: by the columns of the table of departures, whose triggers try it
 * at each door; or by a test of its own, where only one kind of thing is concerned.
 */
type Taking = { columns: readonly string[] } | { test: string } | 'nothing';

const all = (taking: Taking, ...mutations: string[]): Record<string, Taking> =>
  Object.fromEntries(mutations.map((name) => [name, taking]));
const by = (...columns: string[]): Taking => ({ columns });
const inAuth = (test: string): Taking => ({ test: `services/auth/test/${test}.test.ts` });

/** What makes, gives, opens or brings back. */
const giving = [
  ...['createWebhook', 'createTrustedIssuer', 'bindIssuerSubject', 'createPersonalAccessToken'],
  ...[
    'createServiceAccount',
    'createApiKey',
    'addServiceAccountKey',
    'registerClient',
    'createInitialAccessToken',
  ],
  ...[
    'enableClient',
    'assignRole',
    'inviteUser',
    'assignGroupRole',
    'createUser',
    'reactivateUser',
    'restoreUser',
  ],
  ...['createGroup', 'restoreGroup', 'addGroupMembers', 'createTenant', 'resumeTenant', 'createSchema'],
  ...['createConnector', 'enableConnector'],
];

/** What nothing that was issued rests on. */
const besides = [
  ...['testWebhook', 'replayDelivery', 'replayDeadDeliveries', 'discardDelivery', 'updateTenantBranding'],
  ...['updateMe', 'updateUser', 'updateGroup', 'updateTenant', 'updateSchema', 'deleteSchema'],
  // Whose something is says who answers for it, not what it may do.
  ...['transferCredential', 'transferConnector'],
  // They were deleted before: that is when everything ended.
  ...['purgeUser', 'purgeGroup'],
];

export const taking: Readonly<Record<string, Taking>> = {
  ...all('nothing', ...giving, ...besides),
  ...all(by('offboarded'), 'deactivateUser', 'deleteUser'),
  ...all(by('signed out'), 'revokeAllSessions'),
  ...all(by('role removed'), 'removeRole', 'removeGroupRole', 'removeGroupMembers', 'deleteGroup'),
  ...all(by('compromised'), 'resetUserAccess'),
  ...all(by('grant revoked'), 'revokeGrant'),
  ...all(by('app disabled'), 'disableClient', 'deleteClient'),
  ...all(by('app narrowed'), 'updateClient'),
  ...all(by('connector disabled'), 'disableConnector'),
  ...all(by('connector revoked'), 'deleteConnector', 'revokeConnectorToken', 'rotateConnectorToken'),
  ...all(by('connector narrowed'), 'updateConnector'),
  ...all(by('service account narrowed'), 'updateServiceAccount', 'deleteServiceAccount'),
  ...all(by('trust withdrawn'), 'deleteTrustedIssuer', 'unbindIssuerSubject'),
  ...all(by('tenant suspended'), 'suspendTenant'),
  ...all(inAuth('machines/service-accounts'), 'removeServiceAccountKey', 'revokeApiKey'),
  ...all(inAuth('machines/personal-access-token-ends'), 'revokePersonalAccessToken'),
  ...all(inAuth('subjects/graph'), 'revokeSession', 'rotateClientSecret'),
  ...all(inAuth('clients/client-rules'), 'revokeInitialAccessToken'),
  ...all(inAuth('roles/administration'), 'removeAuthenticatorApp', 'removePasskey'),
  ...all(inAuth('keys/key-rotation'), 'rotateSigningKeys'),
  ...all(inAuth('signals/deliveries/webhook-graph'), 'updateWebhook', 'deleteWebhook', 'rotateWebhookSecret'),
  ...all(inAuth('signals/streams/graph'), 'updateSignalStream', 'deleteSignalStream'),
  // What it comes to at each way to a token: second-factor-for-roles.test.ts of the authorization server.
  updateTenantPolicy: { test: 'services/directory/test/tenants/tenant-policy.test.ts' },
};
