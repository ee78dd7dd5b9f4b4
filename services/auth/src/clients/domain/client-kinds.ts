import type { TenantPolicy } from '@ostiary/events';
import { invalidClientMetadata } from '../../protocol/index.ts';
import type { ClientType } from './client.ts';
import type { ClientMetadata } from './client-registry.ts';
import { deviceCodeGrant, signInScopes } from './clients.ts';
import { profileOf } from './fapi2.ts';

/** What sort of app a client is, as an administrator would say it. */
export type ClientKind = 'web' | 'single-page' | 'native' | 'machine' | 'device' | 'mcp';

interface Preset {
  /** Whether it can keep a secret (RFC 6749 §2.1): what the kind is, so it can't be chosen otherwise. */
  type: ClientType;
  defaults: Partial<ClientMetadata>;
  /** Scopes of one that names none, by the grants it has. */
  scopes: (grants: readonly string[]) => readonly string[];
}

const signsPeopleIn = { grant_types: ['authorization_code', 'refresh_token'] };

const presets: Readonly<Record<ClientKind, Preset>> = {
  /** Runs on a server that people use with a browser. */
  web: {
    type: 'confidential',
    scopes: signInScopes,
    defaults: {
      ...signsPeopleIn,
      application_type: 'web',
      id_token_profile_claims: true,
    },
  },
  /** Runs in the browser (draft-ietf-oauth-browser-based-apps): whoever reads its code would read its secret. */
  'single-page': {
    type: 'public',
    scopes: signInScopes,
    defaults: {
      ...signsPeopleIn,
      application_type: 'web',
      token_endpoint_auth_method: 'none',
      id_token_profile_claims: true,
    },
  },
  /** Is installed on people's own devices (RFC 8252). */
  native: {
    type: 'public',
    scopes: signInScopes,
    defaults: { ...signsPeopleIn, application_type: 'native', token_endpoint_auth_method: 'none' },
  },
  /** Acts for itself; nobody signs in (RFC 6749 §4.4). */
  machine: {
    type: 'confidential',
    scopes: () => [],
    defaults: { grant_types: ['client_credentials'] },
  },
  /** Has no browser: people sign in on another device (RFC 8628). */
  device: {
    type: 'public',
    scopes: signInScopes,
    defaults: {
      grant_types: [deviceCodeGrant, 'refresh_token'],
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    },
  },
  /** An MCP client: a program of the person's own, whose tokens are for the servers in `resources` (RFC 8707) and nothing else. */
  mcp: {
    type: 'public',
    // Of the person it needs to know no more than who they are.
    scopes: (grants) => signInScopes(grants).filter((scope) => !['profile', 'email'].includes(scope)),
    defaults: {
      ...signsPeopleIn,
      application_type: 'native',
      token_endpoint_auth_method: 'none',
    },
  },
};

/**
 * What is registered for a client of a kind: what was given, and for the rest what suits the kind and its profile.
 * @param required the profile that the tenant requires of every client
 * @throws OAuthError invalid_client_metadata when what was given can't be of that kind
 */
export function metadataOfKind(
  kind: ClientKind,
  given: ClientMetadata,
  required?: TenantPolicy['requiredClientProfile'],
): ClientMetadata {
  const { type, defaults, scopes } = presets[kind];
  const said = Object.entries(given).filter(([, value]) => value !== undefined && value !== null);
  const isFapi2 = profileOf(given.client_profile ?? undefined, required ?? 'standard') === 'fapi2';
  // Of the ways to authenticate the profile has this one, so nobody has to say it.
  const byKey = isFapi2 && type === 'confidential' ? { token_endpoint_auth_method: 'private_key_jwt' } : {};
  const metadata = { ...defaults, ...byKey, ...Object.fromEntries(said) } as ClientMetadata;
  metadata.scope ??= scopes(metadata.grant_types ?? []).join(' ');
  const isPublic = metadata.token_endpoint_auth_method === 'none';
  if (isPublic !== (type === 'public')) {
    throw invalidClientMetadata(
      isPublic
        ? `A client of kind ${kind} must authenticate: token_endpoint_auth_method can't be none.`
        : `A client of kind ${kind} can't keep a secret: token_endpoint_auth_method must be none.`,
    );
  }
  if (kind === 'mcp' && (metadata.resources ?? []).length === 0) {
    throw invalidClientMetadata(
      'A client of kind mcp requires resources: the MCP servers its tokens are for.',
    );
  }
  return metadata;
}
