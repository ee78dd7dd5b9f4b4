import type { Client } from '../client.ts';
import type { registrationMembers } from '../client-narrowing.ts';
import type { ValidMetadata } from '../valid-metadata.ts';

/** Reports whether a changed member lets another party receive consented data or authenticate as the client. */
type HandsOver = (before: Client, after: ValidMetadata) => boolean;

const never: HandsOver = () => false;

const gains = (before: readonly string[], after: readonly string[]): boolean =>
  after.some((one) => !before.includes(one));

/** Reports whether the member is set to a new value. */
const isReplaced =
  (name: keyof ValidMetadata['metadata']): HandsOver =>
  (before, after) => {
    const value = after.metadata[name];
    return value !== undefined && JSON.stringify(value) !== JSON.stringify(before.metadata[name]);
  };

/**
 * Per member of a registration, whether a change exposes existing consents to another party. The type requires an entry
 * for every member. Members for presentation, requests and future permissions expose nothing.
 */
const handovers: Readonly<
  Record<keyof Omit<ValidMetadata, 'metadata'> | keyof ValidMetadata['metadata'], HandsOver>
> = {
  // Recipients of codes and tokens.
  redirectUris: (before, after) => gains(before.redirectUris, after.redirectUris),
  // A native client may use any port of its loopback address.
  application_type: (before, after) =>
    after.metadata.application_type === 'native' && before.metadata.application_type !== 'native',
  resources: (before, after) => gains(before.resources, after.resources),
  may_act: isReplaced('may_act'),
  // Logout tokens contain the user and the session.
  backchannel_logout_uri: isReplaced('backchannel_logout_uri'),
  // Authentication as the client. A method that needs another kind of secret creates one.
  type: (before, after) => before.type !== after.type,
  tokenEndpointAuthMethod: (before, after) =>
    before.tokenEndpointAuthMethod !== after.tokenEndpointAuthMethod,
  jwks: isReplaced('jwks'),
  jwks_uri: isReplaced('jwks_uri'),
  // Identifiers of users, and the clients that share them.
  subject_type: (before, after) =>
    before.metadata.subject_type === 'pairwise' && after.metadata.subject_type !== 'pairwise',
  sector_identifier_uri: isReplaced('sector_identifier_uri'),
  // Has its own check: see `conferredByClient`.
  claim_mappings: never,
  name: never,
  grantTypes: never,
  responseTypes: never,
  // Users consent to scopes; further ones need consent.
  scopes: never,
  // They concern no user.
  ownScopes: never,
  token_exchange_subject_clients: never,
  token_exchange_impersonation: never,
  token_exchange_agent: never,
  token_exchange_agent_lifetime: never,
  dpop_bound_access_tokens: never,
  post_logout_redirect_uris: never,
  id_token_signed_response_alg: never,
  client_profile: never,
  id_token_profile_claims: never,
  userinfo_signed_response_alg: never,
  policy_uri: never,
  tos_uri: never,
  default_max_age: never,
  require_auth_time: never,
  require_nonce: never,
  // Has its own check: see `conferredByClient`.
  require_consent: never,
  require_pushed_authorization_requests: never,
  request_object_signing_alg: never,
  request_uris: never,
  require_signed_request_object: never,
  client_uri: never,
  logo_uri: never,
  introspection_signed_response_alg: never,
  protected_resources: never,
  require_pkce: never,
  // The same secret with another transmission.
  token_endpoint_auth_methods: never,
  token_endpoint_auth_signing_alg: never,
  backchannel_logout_session_required: never,
};

/** Members of a registration whose change can expose existing consents to another party. */
export const handoverMembers: readonly string[] = Object.entries(handovers)
  .filter(([, handsOver]) => handsOver !== never)
  .map(([name]) => name) satisfies typeof registrationMembers;

/** Reports whether a change of a registration lets another party use existing consents. */
export const handsConsentsOver = (before: Client, after: ValidMetadata): boolean =>
  Object.values(handovers).some((handsOver) => handsOver(before, after));
