import { selfScopes } from '@ostiary/access';
import { roleScopes } from '../../access/index.ts';
import { invalidClientMetadata } from '../../platform/index.ts';
import { type Client, isDocumentClientId, isUnapprovedClientId } from './client.ts';
import { clientMetadata } from './client-metadata.ts';
import type { ClientMetadata } from './client-registry.ts';
import { checkClientMetadata } from './clients.ts';
import type { ValidMetadata } from './valid-metadata.ts';

/**
 * Id of the console's client in every tenant. It is reserved even without a console: another client with this id would
 * be treated as the console once there is one.
 */
export const consoleClientId = 'console';

/**
 * Registration of the console: all scopes of any role, limited to the roles of each user. Its refresh tokens end with
 * the browser session, so it has no `offline_access`.
 * @param url URL of its pages, without a trailing slash
 */
export const consoleMetadata = (url: string): ClientMetadata => ({
  client_name: 'Ostiary Console',
  application_type: 'web',
  token_endpoint_auth_method: 'none',
  grant_types: ['authorization_code', 'refresh_token'],
  redirect_uris: [`${url}/callback`],
  post_logout_redirect_uris: [`${url}/`],
  scope: ['openid', 'profile', 'email', ...Object.keys(selfScopes), ...roleScopes].join(' '),
  require_consent: false,
  dpop_bound_access_tokens: true,
});

/** @throws OAuthError for a URL that is not allowed as a redirect URI */
export const consoleRegistration = (url: string): ValidMetadata => checkClientMetadata(consoleMetadata(url));

/**
 * Reports whether a client is registered as this process requires. Additional scopes are allowed: they belong to the
 * next release, and two releases that run side by side must not revert each other's changes.
 */
export function isRegisteredAs(client: Client, { scopes, metadata, ...wanted }: ValidMetadata): boolean {
  if (!scopes.every((scope) => client.scopes.includes(scope))) return false;
  const is: Record<string, unknown> = { ...clientMetadata(client), scope: undefined };
  const should: Record<string, unknown> = {
    ...clientMetadata({ ...wanted, scopes, metadata: { ...metadata } }),
    scope: undefined,
  };
  const names = new Set([...Object.keys(is), ...Object.keys(should)]);
  return [...names].every((name) => JSON.stringify(is[name]) === JSON.stringify(should[name]));
}

/**
 * Rejects changes of the console's client, which could give it to another party.
 * @throws OAuthError invalid_client_metadata
 */
export function requireChangeable(clientId: string): void {
  if (clientId !== consoleClientId) return;
  throw invalidClientMetadata(
    'The client console belongs to the installation and can only be disabled and enabled.',
  );
}

/**
 * Rejects changes of a registration that belongs to the installation or that no administrator approved.
 * @throws OAuthError invalid_client_metadata
 */
export function requireEditable(clientId: string): void {
  requireChangeable(clientId);
  if (!isUnapprovedClientId(clientId)) return;
  const source = isDocumentClientId(clientId) ? 'its metadata document' : 'its own';
  throw invalidClientMetadata(
    `The registration of this client is ${source}. The client can only be disabled, enabled and deleted.`,
  );
}
