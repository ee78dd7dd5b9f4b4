import { isKnownScope, parseScope } from '../../access/index.ts';
import { invalidClientMetadata } from '../../platform/index.ts';
import type { Client } from './client.ts';
import type { ClientMetadata } from './client-registry.ts';
import { tokenExchangeGrantType } from './exchange-policy.ts';
import type { ValidMetadata } from './valid-metadata.ts';

/** Returns the registration under its wire names (RFC 7591 §2), defaults included. */
export const clientMetadata = (client: Pick<Client, keyof ValidMetadata>): ClientMetadata => ({
  client_name: client.name,
  token_endpoint_auth_method: client.tokenEndpointAuthMethod,
  redirect_uris: client.redirectUris,
  grant_types: client.grantTypes,
  response_types: client.responseTypes,
  scope: client.scopes.join(' '),
  ...(client.ownScopes && client.ownScopes.length > 0 ? { own_scopes: client.ownScopes } : {}),
  resources: client.resources,
  ...client.metadata,
});

const maxOwnScopes = 100;
const maxScopeName = 128;

/**
 * Returns the scopes of a registration that are not built in: those of defined APIs, if they exist.
 * @throws OAuthError invalid_scope, invalid_client_metadata for too many scopes
 */
export function apiScopesIn({ scope, own_scopes: own }: ClientMetadata): string[] {
  if ((own?.length ?? 0) > maxOwnScopes)
    throw invalidClientMetadata(
      `own_scopes must have at most ${maxOwnScopes} scopes of the APIs of the tenant.`,
    );
  const named = [...(scope ? parseScope(scope) : []), ...(own ?? [])];
  return [...new Set(named)].filter((name) => name.length <= maxScopeName && !isKnownScope(name));
}

/**
 * Applies changes to a registration. Members that depend on a replaced member are removed unless they are given again:
 * the response types and own scopes with the grants, the algorithm with the method, `jwks` with `jwks_uri` and vice versa.
 */
export function mergeMetadata(current: ClientMetadata, changes: Partial<ClientMetadata>): ClientMetadata {
  const kept: ClientMetadata = { ...current };
  if (changes.grant_types) delete kept.response_types;
  if (changes.grant_types && !changes.grant_types.includes('client_credentials')) delete kept.own_scopes;
  if (changes.grant_types && !changes.grant_types.includes(tokenExchangeGrantType)) {
    delete kept.token_exchange_subject_clients;
    delete kept.token_exchange_impersonation;
    delete kept.token_exchange_agent;
    delete kept.token_exchange_agent_lifetime;
  }
  if ('token_exchange_agent' in changes && !changes.token_exchange_agent) {
    delete kept.token_exchange_agent_lifetime;
  }
  if ('require_pkce' in changes && changes.require_pkce !== false) delete kept.require_nonce;
  if (changes.token_endpoint_auth_method !== undefined) {
    delete kept.token_endpoint_auth_signing_alg;
    delete kept.token_endpoint_auth_methods;
  }
  if (changes.jwks !== undefined || changes.jwks_uri !== undefined) {
    delete kept.jwks;
    delete kept.jwks_uri;
  }
  // JSON and GraphQL use null for a removed member.
  if ('backchannel_logout_uri' in changes && !changes.backchannel_logout_uri) {
    delete kept.backchannel_logout_session_required;
  }
  return { ...kept, ...changes };
}

/** Reports whether a client may send its secret in the header or the form, because its registration names no method. */
export const acceptsAnySecretMethod = (client: { metadata: Readonly<Record<string, unknown>> }): boolean =>
  client.metadata.token_endpoint_auth_methods !== undefined;

/**
 * Reports whether a client without PKCE must send a `nonce`. An administrator may waive it for software that supports
 * neither.
 */
export const needsNonce = (client: { metadata: Readonly<Record<string, unknown>> }): boolean =>
  client.metadata.require_nonce !== false;

/**
 * Reports whether a client may omit PKCE (OAuth 2.1 §7.5.1): an administrator allowed it, and the client authenticates.
 */
export const isExemptFromProofKey = (client: {
  type: string;
  metadata: Readonly<Record<string, unknown>>;
}): boolean => client.type === 'confidential' && client.metadata.require_pkce === false;

/** Binding of a client's authorization codes to the browser for which they are issued. */
export type CodeProtection = 'pkce' | 'pkce_or_nonce' | 'none';

export function codeProtectionOf(client: Parameters<typeof isExemptFromProofKey>[0]): CodeProtection {
  if (!isExemptFromProofKey(client)) return 'pkce';
  return needsNonce(client) ? 'pkce_or_nonce' : 'none';
}

/** Returns a name for a client that has none (RFC 7591 §2), because pages need one. */
export function nameOf(own: Pick<Partial<ClientMetadata>, 'client_uri' | 'redirect_uris'>): string {
  for (const uri of [own.client_uri, own.redirect_uris?.[0]]) {
    if (uri !== undefined && URL.canParse(uri)) {
      const { host, protocol } = new URL(uri);
      return (host === '' ? protocol.slice(0, -1) : host).slice(0, 200);
    }
  }
  return 'Unnamed application';
}
