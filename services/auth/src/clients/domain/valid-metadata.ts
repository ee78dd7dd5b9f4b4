import type { SigningAlgorithm } from '../../keys/index.ts';
import type { BackchannelLogoutMetadata } from './backchannel-logout.ts';
import type { ClientAuthMethod, ClientType } from './client.ts';
import type { AuthenticationKeys } from './client-keys.ts';
import type { ClientProfile } from './client-profile.ts';
import type { ExchangePolicyMetadata } from './exchange-policy.ts';
import type { RequestObjectMetadata } from './request-object-metadata.ts';

/** Registration input that passed every rule; everything optional is decided. */
export interface ValidMetadata {
  name: string;
  type: ClientType;
  tokenEndpointAuthMethod: ClientAuthMethod;
  redirectUris: string[];
  grantTypes: string[];
  responseTypes: string[];
  scopes: string[];
  resources: string[];
  /** The rest, stored as it travels. */
  metadata: {
    post_logout_redirect_uris: string[];
    /** Both methods that send a secret, for a client that named none; absent means token_endpoint_auth_method alone. */
    token_endpoint_auth_methods?: ClientAuthMethod[];
    id_token_signed_response_alg: SigningAlgorithm;
    require_consent: boolean;
    /** Only ever true: absent means at userinfo alone. */
    id_token_profile_claims?: true;
    dpop_bound_access_tokens?: true;
    application_type: 'web' | 'native';
    require_pushed_authorization_requests?: true;
    client_uri?: string;
    logo_uri?: string;
    introspection_signed_response_alg?: SigningAlgorithm;
    /** Absent: userinfo is plain JSON. */
    userinfo_signed_response_alg?: SigningAlgorithm;
    policy_uri?: string;
    tos_uri?: string;
    /** Seconds. */
    default_max_age?: number;
    require_auth_time?: true;
    client_profile?: ClientProfile;
    /** Only ever false: absent means required of whoever leaves PKCE out. */
    require_nonce?: false;
    /** Never empty: absent means that it serves none. */
    protected_resources?: string[];
    /** Only ever false: absent means required. */
    require_pkce?: false;
    /** Only ever pairwise: absent means public. */
    subject_type?: 'pairwise';
    sector_identifier_uri?: string;
  } & BackchannelLogoutMetadata &
    AuthenticationKeys &
    ExchangePolicyMetadata &
    RequestObjectMetadata;
}
