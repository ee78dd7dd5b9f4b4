import type { TenantPolicy } from '@ostiary/events';
import type { SigningAlgorithm } from '../../keys/index.ts';
import { invalidClientMetadata, unauthorizedClient } from '../../protocol/index.ts';
import { type ClientProfile, isFapi2, isFapi2Algorithm } from './client-profile.ts';
import type { ValidMetadata } from './valid-metadata.ts';

// The FAPI 2.0 Security Profile (final, February 2025), as a profile that a client is registered for. What it demands of a client is
// decided here and nowhere else; docs/reference/fapi2.md goes through it clause by clause.

/** What we sign with for a client that said nothing (§5.4.1 (1.2)). */
export const defaultSigningAlgorithm = (profile: string | undefined): SigningAlgorithm =>
  profile === 'fapi2' ? 'PS256' : 'RS256';

/** Seconds for which a code lives at most (§5.3.2.1 (11)). */
export const longestCodeSeconds = 60;

/** Grants that don't lead a person through a pushed request (§5.3.2.2 (3)) are none of the profile's. */
const refusedGrants = ['urn:ietf:params:oauth:grant-type:device_code'];

/**
 * The profile a registration is for: the one it names, or the one that its tenant requires of everybody.
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
 * A registration for the profile: what it leaves no choice about is set, what contradicts it is refused.
 * @throws OAuthError invalid_client_metadata
 */
export function heldToFapi2(valid: ValidMetadata): ValidMetadata {
  const { metadata } = valid;
  const demand = (holds: boolean, demanded: string): void => {
    if (!holds) throw invalidClientMetadata(`client_profile fapi2: ${demanded}`);
  };
  // §5.3.2.1 (3, 6): confidential clients, mTLS or private_key_jwt. Of the two this server has the latter.
  demand(
    valid.tokenEndpointAuthMethod === 'private_key_jwt',
    'token_endpoint_auth_method must be private_key_jwt.',
  );
  demand(
    !valid.grantTypes.some((grant) => refusedGrants.includes(grant)),
    'the device flow is not part of it.',
  );
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
    'the keys must be for PS256, ES256 or EdDSA.',
  );
  return {
    ...valid,
    metadata: {
      ...metadata,
      client_profile: 'fapi2',
      // §5.3.2.1 (4, 5): sender-constrained tokens only; of mTLS and DPoP this server has the latter.
      dpop_bound_access_tokens: true,
      // §5.3.2.2 (3): no request but a pushed one.
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
 * A tenant that requires the profile gives nothing to a client that isn't registered for it, however long it has been there.
 * @throws OAuthError unauthorized_client
 */
export function requireProfile(
  client: Parameters<typeof isFapi2>[0],
  policy: Pick<TenantPolicy, 'requiredClientProfile'> | undefined,
): void {
  if (policy?.requiredClientProfile === 'fapi2' && !isFapi2(client)) {
    throw unauthorizedClient(
      'This tenant requires the FAPI 2.0 Security Profile, which the client is not registered for.',
    );
  }
}
