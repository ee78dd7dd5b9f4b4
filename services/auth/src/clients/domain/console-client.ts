import { selfScopes } from '@ostiary/access';
import { invalidClientMetadata } from '../../protocol/index.ts';
import { roleScopes } from '../../roles/index.ts';
import type { Client } from './client.ts';
import { clientMetadata } from './client-metadata.ts';
import type { ClientMetadata } from './client-registry.ts';
import { checkClientMetadata } from './clients.ts';
import type { ValidMetadata } from './valid-metadata.ts';

/**
 * The id of the console's client in every tenant. It belongs to the installation: nobody else gets it, also where there is no console,
 * for whoever had it would be taken for the console when there is one.
 */
export const consoleClientId = 'console';

/**
 * What is registered for the console: every scope that a role can bring, of which a person gives it no more than their roles do. Its refresh
 * tokens end with the session at the browser, so there is no `offline_access`.
 * @param url where its pages are, without a slash at the end
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

/** @throws OAuthError for an address that nobody may be sent back to */
export const consoleRegistration = (url: string): ValidMetadata => checkClientMetadata(consoleMetadata(url));

/**
 * Whether a client is registered as this process would have it. More scopes than it knows don't matter: they are of the release that comes
 * next, and two that run side by side must not undo each other's work.
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

/** Nobody changes the console's client, for it could only be made another's. @throws OAuthError invalid_client_metadata */
export function requireChangeable(clientId: string): void {
  if (clientId !== consoleClientId) return;
  throw invalidClientMetadata(
    'The client of the console belongs to the installation and can only be disabled and enabled.',
  );
}
