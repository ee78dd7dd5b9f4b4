import type { SigningAlgorithm } from '../../tenancy/index.ts';
import type { ClaimMapping } from '../claims/domain/claim-mapping.ts';
import type { BackchannelLogoutMetadata } from './backchannel-logout.ts';
import type { ClientAuthMethod, ClientType } from './client.ts';
import type { AuthenticationKeys } from './client-keys.ts';
import type { ClientProfile } from './client-profile.ts';
import type { ExchangePolicyMetadata } from './exchange-policy.ts';
import type { RequestObjectMetadata } from './request-object-metadata.ts';

/** Checked registration with all defaults applied. */
export interface ValidMetadata {
  name: string;
  type: ClientType;
  tokenEndpointAuthMethod: ClientAuthMethod;
  redirectUris: string[];
  grantTypes: string[];
  responseTypes: string[];
  scopes: string[];
  /** Scopes of defined APIs that the client gets for itself. */
  ownScopes: string[];
  resources: string[];
  /** Other members, stored under their wire names. */
  metadata: {
    post_logout_redirect_uris: string[];
    /** Both secret methods, for a client that named none; absent means token_endpoint_auth_method alone. */
    token_endpoint_auth_methods?: ClientAuthMethod[];
    id_token_signed_response_alg: SigningAlgorithm;
    require_consent: boolean;
    /** Absent means that only userinfo has these claims. */
    id_token_profile_claims?: true;
    dpop_bound_access_tokens?: true;
    application_type: 'web' | 'native';
    require_pushed_authorization_requests?: true;
    client_uri?: string;
    logo_uri?: string;
    introspection_signed_response_alg?: SigningAlgorithm;
    /** Absent means plain JSON. */
    userinfo_signed_response_alg?: SigningAlgorithm;
    policy_uri?: string;
    tos_uri?: string;
    /** Seconds. */
    default_max_age?: number;
    require_auth_time?: true;
    client_profile?: ClientProfile;
    /** Absent means that a request without PKCE must have a nonce. */
    require_nonce?: false;
    /** Never empty; absent means that the client serves none. */
    protected_resources?: string[];
    /** Absent means required. */
    require_pkce?: false;
    /** Absent means public. */
    subject_type?: 'pairwise';
    sector_identifier_uri?: string;
    /** Never empty; absent means none. */
    claim_mappings?: readonly ClaimMapping[];
  } & BackchannelLogoutMetadata &
    AuthenticationKeys &
    ExchangePolicyMetadata &
    RequestObjectMetadata;
}
