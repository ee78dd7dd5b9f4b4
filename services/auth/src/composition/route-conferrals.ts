import { conferring, type RouteConferrals } from '@ostiary/access';

const t = (method: string, ...paths: string[]): string[] =>
  paths.map((path) => `${method} /t/:tenant/${path}`);
const internal = (...paths: string[]): string[] => paths.map((path) => `POST /internal/v1/${path}`);

/**
 * Rights that each modifying route confers. The process does not start with a route that is missing here. Mutations of
 * the graph declare theirs in the schema (`@confers`).
 */
export const routeConferrals = (enabled: { deviceFlow: boolean }): RouteConferrals => ({
  ...conferring('rights of the mutation', 'held scopes', ['POST /graphql']),
  // Sign-in of the user, and decisions on clients.
  ...conferring('a session', 'own sign-in', [
    ...t('POST', 'login', 'login/passkey', 'login/verify', 'login/recover', 'select-account'),
  ]),
  ...conferring(
    'access that the user grants the client, within the roles of the user and the registration of the client',
    'own sign-in',
    [...t('POST', 'consent', 'authorize', ...(enabled.deviceFlow ? ['device'] : []))],
  ),
  ...conferring('a credential of the user of the link', 'token made for it', [...t('POST', 'invitation')]),
  ...conferring('a way to sign in', 'recent sign-in', [
    ...t('POST', 'account/password', 'account/passkeys', 'account/totp', 'account/recovery-codes'),
  ]),
  ...conferring('a personal access token within the rights of the user', 'recent sign-in', [
    ...t('POST', 'account/tokens', 'personal-access-tokens'),
  ]),
  ...conferring('nothing', 'recent sign-in', t('POST', 'account/passkeys/remove', 'account/totp/remove')),
  ...conferring('nothing', 'own sign-in', [
    ...t('POST', 'account/apps/withdraw', 'account/sessions/end', 'account/sessions/end-others'),
    ...t('POST', 'account/tokens/revoke', 'logout'),
    ...t('DELETE', 'personal-access-tokens/:id'),
  ]),
  // OAuth endpoints: the client gets only rights that it is registered for or that a user granted.
  ...conferring('tokens within the client’s registration and the grant', 'own credential', [
    ...t('POST', 'token', 'par', ...(enabled.deviceFlow ? ['device_authorization'] : [])),
  ]),
  ...conferring('nothing', 'own credential', t('POST', 'introspect', 'revoke', 'userinfo')),
  ...conferring('a client within the limits of the initial access token', 'token made for it', [
    ...t('POST', 'register'),
  ]),
  ...conferring('the client, within the limits of its registration', 'token made for it', [
    ...t('PUT', 'register/:clientId'),
  ]),
  ...conferring('nothing', 'token made for it', t('DELETE', 'register/:clientId')),
  // Shared signals: the scope of the stream decides which events it carries.
  ...conferring('events of a stream', 'held scopes', [
    ...t('POST', 'ssf/stream', 'ssf/status', 'ssf/subjects/add', 'ssf/subjects/remove', 'ssf/verification'),
    ...t('POST', 'ssf/poll/:streamId'),
    ...t('PATCH', 'ssf/stream'),
    ...t('PUT', 'ssf/stream'),
  ]),
  ...conferring('nothing', 'held scopes', t('DELETE', 'ssf/stream')),
  // Routes for other services of the platform and for its operator.
  ...conferring('rights of the operator: clients, roles, links', 'platform', [
    ...internal('tenants/:tenant/clients', 'tenants/:tenant/roles', 'tenants/:tenant/invitations'),
  ]),
  ...conferring('a password of a user whose roles the caller can assign', 'platform', [
    ...internal('tenants/:tenant/credentials', 'tenants/:tenant/credentials/:ticket/activate'),
  ]),
  ...conferring('nothing', 'platform', [
    ...internal('api-tokens/introspect', 'introspect', 'events', 'events/missing', 'tenants/:tenant/nodes'),
    ...internal('tenants/:tenant/signing-keys/rotate', 'tenants/:tenant/connector-owners'),
    ...internal('tenants/:tenant/connector-callers'),
    ...internal('ownership-ends/carried-out'),
  ]),
});
