import type { TenantPolicy } from '@ostiary/events';
import { invalidClientMetadata, unauthorizedClient } from '../../platform/index.ts';
import type { SigningAlgorithm } from '../../tenancy/index.ts';
import { type ClientProfile, isFapi2, isFapi2Algorithm } from './client-profile.ts';
import type { ValidMetadata } from './valid-metadata.ts';

// Requirements of the FAPI 2.0 Security Profile (final, February 2025) for a client that is registered for it.
// docs/reference/fapi2.md lists them clause by clause.

/** Returns the default signature algorithm for a client (§5.4.1 (1.2)). */
export const defaultSigningAlgorithm = (profile: string | undefined): SigningAlgorithm =>
  profile === 'fapi2' ? 'PS256' : 'RS256';

/** Maximum lifetime of an authorization code in seconds (§5.3.2.1 (11)). */
export const maxCodeSeconds = 60;

/** Grants with an authorization that does not start with a pushed request (§5.3.2.2 (3)). */
const refusedGrants = ['urn:ietf:params:oauth:grant-type:device_code'];

/**
 * Returns the profile of a registration: the requested one, or the one that the tenant requires.
 * @throws OAuthError invalid_client_metadata
 */
export function profileOf(
  asked: unknown,
  required: TenantPolicy['requiredClientProfile'],
): ClientProfile | undefined {
  if (asked !== undefined && asked !== 'fapi2' && asked !== 'standard') {
    throw invalidClientMetadata('client_profile must be standard or fapi2.');
  }
  if (required === 'fapi2' && asked === 'standard') {
    throw invalidClientMetadata('The tenant requires client_profile fapi2 of every client.');
  }
  return asked === 'fapi2' || required === 'fapi2' ? 'fapi2' : undefined;
}

/**
 * Applies the profile to a registration: sets its fixed members and rejects contradictions.
 * @throws OAuthError invalid_client_metadata
 */
export function heldToFapi2(valid: ValidMetadata): ValidMetadata {
  const { metadata } = valid;
  const demand = (holds: boolean, demanded: string): void => {
    if (!holds) throw invalidClientMetadata(`client_profile fapi2: ${demanded}`);
  };
  // §5.3.2.1 (3, 6): confidential clients with mTLS or private_key_jwt; this server supports the latter.
  demand(
    valid.tokenEndpointAuthMethod === 'private_key_jwt',
    'token_endpoint_auth_method must be private_key_jwt.',
  );
  demand(!valid.grantTypes.some((grant) => refusedGrants.includes(grant)), 'the device flow is not allowed.');
  const uris = [...valid.redirectUris, ...metadata.post_logout_redirect_uris];
  demand(
    uris.every((uri) => uri.startsWith('https:')),
    'redirect URIs must use https.',
  );
  demand(metadata.require_pkce !== false, 'PKCE is required.');
  for (const name of signed) {
    const alg = metadata[name];
    demand(alg === undefined || isFapi2Algorithm(alg), `${name} must be PS256, ES256 or EdDSA.`);
  }
  demand(
    (metadata.jwks?.keys ?? []).every(({ alg }) => alg === undefined || isFapi2Algorithm(alg)),
    'the alg of each key in jwks must be PS256, ES256 or EdDSA.',
  );
  return {
    ...valid,
    metadata: {
      ...metadata,
      client_profile: 'fapi2',
      // §5.3.2.1 (4, 5): sender-constrained tokens by mTLS or DPoP; this server supports the latter.
      dpop_bound_access_tokens: true,
      // §5.3.2.2 (3): only pushed requests.
      require_pushed_authorization_requests: true,
      introspection_signed_response_alg: metadata.introspection_signed_response_alg ?? 'PS256',
    },
  };
}

const signed = [
  'token_endpoint_auth_signing_alg',
  'id_token_signed_response_alg',
  'userinfo_signed_response_alg',
  'introspection_signed_response_alg',
  // FAPI 2.0 Message Signing §5.3.1, for a client that signs its requests.
  'request_object_signing_alg',
] as const;

/**
 * Rejects clients without the profile in a tenant that requires it, including clients registered before.
 * @throws OAuthError unauthorized_client
 */
export function requireProfile(
  client: Parameters<typeof isFapi2>[0],
  policy: TenantPolicy | undefined,
): void {
  if (policy?.requiredClientProfile === 'fapi2' && !isFapi2(client)) {
    throw unauthorizedClient(
      'This tenant requires the FAPI 2.0 Security Profile, for which the client is not registered.',
    );
  }
}
