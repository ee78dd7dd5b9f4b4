import type { TenantPolicy } from '@ostiary/events';
import { invalidClientMetadata } from '../../platform/index.ts';
import type { ClaimMapping } from '../claims/domain/claim-mapping.ts';
import { type ClientKind, metadataOfKind } from '../domain/client-kinds.ts';
import type { CodeProtection } from '../domain/client-metadata.ts';
import type { ClientMetadata } from '../domain/client-registry.ts';
import { secretMethods } from '../domain/clients.ts';

export interface RegisterClientInput {
  name: string;
  kind?: ClientKind | null;
  tokenEndpointAuthMethod?: string | null;
  redirectUris?: readonly string[] | null;
  postLogoutRedirectUris?: readonly string[] | null;
  grantTypes?: readonly string[] | null;
  scopes?: readonly string[] | null;
  ownScopes?: readonly string[] | null;
  resources?: readonly string[] | null;
  protectedResources?: readonly string[] | null;
  applicationType?: string | null;
  idTokenSignedResponseAlg?: string | null;
  idempotencyKey?: string | null;
  requireConsent?: boolean | null;
  profileClaimsInIdToken?: boolean | null;
  requirePushedAuthorizationRequests?: boolean | null;
  dpopBoundAccessTokens?: boolean | null;
  clientUri?: string | null;
  logoUri?: string | null;
  subjectType?: 'public' | 'pairwise' | null;
  sectorIdentifierUri?: string | null;
  backchannelLogoutUri?: string | null;
  backchannelLogoutSessionRequired?: boolean | null;
  jwks?: string | null;
  jwksUri?: string | null;
  tokenEndpointAuthSigningAlg?: string | null;
  introspectionSignedResponseAlg?: string | null;
  codeProtection?: CodeProtection | null;
  requirePkce?: boolean | null;
  requireNonce?: boolean | null;
  profile?: 'standard' | 'fapi2' | null;
  userinfoSignedResponseAlg?: string | null;
  defaultMaxAge?: number | null;
  requireAuthTime?: boolean | null;
  policyUri?: string | null;
  tosUri?: string | null;
  tokenExchange?: TokenExchangeInput | null;
  mayAct?: string | null;
  requestObjectSigningAlg?: string | null;
  requestUris?: readonly string[] | null;
  requireSignedRequestObject?: boolean | null;
  ownerId?: string | null;
  claims?: readonly ClaimMapping[] | null;
}

interface TokenExchangeInput {
  subjectClients: readonly string[];
  impersonation?: boolean | null;
  agent?: boolean | null;
  agentTokenLifetimeSeconds?: number | null;
}

/** Value of `ClientAuthMethod` for a client that may send its secret in either way. */
export const anySecretMethod = 'client_secret';

/** Id of a client, with the version and idempotency key of a change. */
export interface ClientInput {
  id: string;
  version?: number | null;
  idempotencyKey?: string | null;
}

export type UpdateClientInput = Partial<RegisterClientInput> & ClientInput;

/** Input fields that differ from client metadata (RFC 7591 §2) only in spelling. */
const metadataNames = {
  tokenEndpointAuthMethod: 'token_endpoint_auth_method',
  redirectUris: 'redirect_uris',
  postLogoutRedirectUris: 'post_logout_redirect_uris',
  grantTypes: 'grant_types',
  ownScopes: 'own_scopes',
  resources: 'resources',
  protectedResources: 'protected_resources',
  applicationType: 'application_type',
  idTokenSignedResponseAlg: 'id_token_signed_response_alg',
  requireConsent: 'require_consent',
  profileClaimsInIdToken: 'id_token_profile_claims',
  requirePushedAuthorizationRequests: 'require_pushed_authorization_requests',
  dpopBoundAccessTokens: 'dpop_bound_access_tokens',
  clientUri: 'client_uri',
  logoUri: 'logo_uri',
  subjectType: 'subject_type',
  sectorIdentifierUri: 'sector_identifier_uri',
  backchannelLogoutUri: 'backchannel_logout_uri',
  backchannelLogoutSessionRequired: 'backchannel_logout_session_required',
  jwksUri: 'jwks_uri',
  tokenEndpointAuthSigningAlg: 'token_endpoint_auth_signing_alg',
  introspectionSignedResponseAlg: 'introspection_signed_response_alg',
  requirePkce: 'require_pkce',
  requireNonce: 'require_nonce',
  profile: 'client_profile',
  userinfoSignedResponseAlg: 'userinfo_signed_response_alg',
  defaultMaxAge: 'default_max_age',
  requireAuthTime: 'require_auth_time',
  policyUri: 'policy_uri',
  tosUri: 'tos_uri',
  mayAct: 'may_act',
  requestObjectSigningAlg: 'request_object_signing_alg',
  requestUris: 'request_uris',
  requireSignedRequestObject: 'require_signed_request_object',
  claims: 'claim_mappings',
} as const satisfies Partial<Record<keyof RegisterClientInput, keyof ClientMetadata>>;

/**
 * Converts the input of `registerClient` to client metadata with the defaults of its kind.
 * @param required profile that the tenant requires of every client
 */
export const registrationOf = (
  input: RegisterClientInput,
  required: TenantPolicy['requiredClientProfile'] | undefined,
): ClientMetadata => {
  const given = { ...metadataOf(input), client_name: input.name };
  return input.kind ? metadataOfKind(input.kind, given, required) : given;
};

/**
 * Converts the input to client metadata, which `checkClientMetadata` checks for every kind of registration. Null means
 * the default.
 */
export function metadataOf(input: Partial<RegisterClientInput>): Partial<ClientMetadata> {
  const metadata: Record<string, unknown> = {};
  for (const [name, member] of Object.entries(metadataNames)) {
    const value = input[name as keyof typeof metadataNames];
    if (value !== undefined) metadata[member] = value;
  }
  const { name, scopes, jwks, tokenExchange } = input;
  if (input.codeProtection !== undefined) Object.assign(metadata, protectionOf(input));
  if (input.tokenEndpointAuthMethod === anySecretMethod) {
    metadata.token_endpoint_auth_method = 'client_secret_basic';
    metadata.token_endpoint_auth_methods = secretMethods;
  }
  if (typeof name === 'string') metadata.client_name = name;
  if (scopes !== undefined) metadata.scope = scopes?.join(' ') ?? null;
  if (jwks !== undefined) metadata.jwks = jwks === null ? null : parsedKeys(jwks);
  if (tokenExchange !== undefined) {
    metadata.token_exchange_subject_clients = tokenExchange?.subjectClients ?? null;
    metadata.token_exchange_impersonation = tokenExchange ? (tokenExchange.impersonation ?? false) : null;
    metadata.token_exchange_agent = tokenExchange ? (tokenExchange.agent ?? false) : null;
    metadata.token_exchange_agent_lifetime = tokenExchange?.agentTokenLifetimeSeconds ?? null;
  }
  return metadata as Partial<ClientMetadata>;
}

/** @throws OAuthError invalid_client_metadata when `requirePkce` or `requireNonce` is given too */
function protectionOf({ codeProtection, requirePkce, requireNonce }: Partial<RegisterClientInput>) {
  if (requirePkce !== undefined || requireNonce !== undefined) {
    throw invalidClientMetadata('codeProtection cannot be combined with requirePkce and requireNonce.');
  }
  return {
    require_pkce: codeProtection === 'pkce_or_nonce' || codeProtection === 'none' ? false : null,
    require_nonce: codeProtection === 'none' ? false : null,
  };
}

function parsedKeys(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalidClientMetadata('jwks must be JSON.');
  }
}
