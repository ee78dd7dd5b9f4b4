import type { TenantPolicy } from '@ostiary/events';
import { invalidClientMetadata } from '../../platform/index.ts';
import type { ClientType } from './client.ts';
import type { ClientMetadata } from './client-registry.ts';
import { deviceCodeGrant, signInScopes } from './clients.ts';
import { profileOf } from './fapi2.ts';

/** Kind of app, as an administrator chooses it. */
export type ClientKind = 'web' | 'single-page' | 'native' | 'machine' | 'device' | 'mcp';

interface Preset {
  /** Public or confidential (RFC 6749 §2.1); fixed by the kind. */
  type: ClientType;
  defaults: Partial<ClientMetadata>;
  /** Default scopes by grant types. */
  scopes: (grants: readonly string[]) => readonly string[];
}

const signsUsersIn = { grant_types: ['authorization_code', 'refresh_token'] };

const presets: Readonly<Record<ClientKind, Preset>> = {
  /** An app on a server, used with a browser. */
  web: {
    type: 'confidential',
    scopes: signInScopes,
    defaults: {
      ...signsUsersIn,
      application_type: 'web',
      id_token_profile_claims: true,
    },
  },
  /** An app in the browser (draft-ietf-oauth-browser-based-apps), which cannot keep a secret. */
  'single-page': {
    type: 'public',
    scopes: signInScopes,
    defaults: {
      ...signsUsersIn,
      application_type: 'web',
      token_endpoint_auth_method: 'none',
      id_token_profile_claims: true,
    },
  },
  /** An app installed on users' devices (RFC 8252). */
  native: {
    type: 'public',
    scopes: signInScopes,
    defaults: { ...signsUsersIn, application_type: 'native', token_endpoint_auth_method: 'none' },
  },
  /** A service that acts for itself, without users (RFC 6749 §4.4). */
  machine: {
    type: 'confidential',
    scopes: () => [],
    defaults: { grant_types: ['client_credentials'] },
  },
  /** A device without browser; users sign in on another device (RFC 8628). */
  device: {
    type: 'public',
    scopes: signInScopes,
    defaults: {
      grant_types: [deviceCodeGrant, 'refresh_token'],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    },
  },
  /** An MCP client on a user's device. Its tokens are valid only for the servers in `resources` (RFC 8707). */
  mcp: {
    type: 'public',
    // It needs the identity of the user, but not the profile.
    scopes: (grants) => signInScopes(grants).filter((scope) => !['profile', 'email'].includes(scope)),
    defaults: {
      ...signsUsersIn,
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    },
  },
};

/**
 * Completes the metadata of a client with the defaults of its kind and profile.
 * @param required profile that the tenant requires of every client
 * @throws OAuthError invalid_client_metadata when the metadata contradicts the kind
 */
export function metadataOfKind(
  kind: ClientKind,
  given: ClientMetadata,
  required?: TenantPolicy['requiredClientProfile'],
): ClientMetadata {
  const { type, defaults, scopes } = presets[kind];
  const said = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  const isFapi2 = profileOf(given.client_profile ?? undefined, required ?? 'standard') === 'fapi2';
  // The only method of the profile that this server supports, so it is the default.
  const byKey = isFapi2 && type === 'confidential' ? { token_endpoint_auth_method: 'private_key_jwt' } : {};
  const metadata = { ...defaults, ...byKey, ...Object.fromEntries(said) } as ClientMetadata;
  metadata.scope ??= scopes(metadata.grant_types ?? []).join(' ');
  const isPublic = metadata.token_endpoint_auth_method === 'none';
  if (isPublic !== (type === 'public')) {
    throw invalidClientMetadata(
      isPublic
        ? `A client of kind ${kind} must authenticate: token_endpoint_auth_method must not be none.`
        : `A client of kind ${kind} cannot keep a secret: token_endpoint_auth_method must be none.`,
    );
  }
  if (kind === 'mcp' && (metadata.resources ?? []).length === 0) {
    throw invalidClientMetadata(
      'A client of kind mcp requires resources: the MCP servers for which it requests tokens.',
    );
  }
  return metadata;
}
