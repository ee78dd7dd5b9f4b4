import type { Client } from '../client.ts';
import type { registrationMembers } from '../client-narrowing.ts';
import type { ValidMetadata } from '../valid-metadata.ts';

/** Whether a changed member lets another party receive what users consented to, or authenticate as the client. */
type HandsOver = (before: Client, after: ValidMetadata) => boolean;

const never: HandsOver = () => false;

const gains = (before: readonly string[], after: readonly string[]): boolean =>
  after.some((one) => !before.includes(one));

/** The member is set, and to another value than before. */
const isReplaced =
  (name: keyof ValidMetadata['metadata']): HandsOver =>
  (before, after) => {
    const value = after.metadata[name];
    return value !== undefined && JSON.stringify(value) !== JSON.stringify(before.metadata[name]);
  };

/**
 * Of every member of a registration, when its change hands existing consents over. The type lists all there are: a new one must be added
 * here. What only says how the client is shown, asks, or what it may be given in future, hands nothing over.
 */
const handovers: Readonly<
  Record<keyof Omit<ValidMetadata, 'metadata'> | keyof ValidMetadata['metadata'], HandsOver>
> = {
  // Who receives codes and tokens.
  redirectUris: (before, after) => gains(before.redirectUris, after.redirectUris),
  // A native client may use any port of its loopback address.
  application_type: (before, after) =>
    after.metadata.application_type === 'native' && before.metadata.application_type !== 'native',
  resources: (before, after) => gains(before.resources, after.resources),
  may_act: isReplaced('may_act'),
  // Logout tokens name the user and the session.
  backchannel_logout_uri: isReplaced('backchannel_logout_uri'),
  // Who authenticates as the client. A method that needs another kind of secret makes one.
  type: (before, after) => before.type !== after.type,
  tokenEndpointAuthMethod: (before, after) =>
    before.tokenEndpointAuthMethod !== after.tokenEndpointAuthMethod,
  jwks: isReplaced('jwks'),
  jwks_uri: isReplaced('jwks_uri'),
  // By which identifier the client knows users, and with which other clients it shares it.
  subject_type: (before, after) =>
    before.metadata.subject_type === 'pairwise' && after.metadata.subject_type !== 'pairwise',
  sector_identifier_uri: isReplaced('sector_identifier_uri'),
  name: never,
  grantTypes: never,
  responseTypes: never,
  // A user allows scopes; what was not allowed is asked for.
  scopes: never,
  token_exchange_subject_clients: never,
  token_exchange_impersonation: never,
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
  // Conferred by itself: see `conferredByClient`.
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
  // The same secret, sent another way.
  token_endpoint_auth_methods: never,
  token_endpoint_auth_signing_alg: never,
  backchannel_logout_session_required: never,
};

/** Members of a registration whose change can hand existing consents over. */
export const handoverMembers: readonly string[] = Object.entries(handovers)
  .filter(([, handsOver]) => handsOver !== never)
  .map(([name]) => name) satisfies typeof registrationMembers;

/** Whether a change of a registration lets another party use what users allowed the client. */
export const handsConsentsOver = (before: Client, after: ValidMetadata): boolean =>
  Object.values(handovers).some((handsOver) => handsOver(before, after));
