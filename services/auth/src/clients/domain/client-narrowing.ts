import type { Client } from './client.ts';
import { isFapi2 } from './client-profile.ts';
import { type ExchangePolicyMetadata, exchangePolicyOf } from './exchange-policy.ts';
import type { ValidMetadata } from './valid-metadata.ts';

/** What ends of the things that were issued to a client when its registration changes. */
export type Ending = 'nothing' | 'access tokens' | 'everything';

/** Whether a member of a registration allows less than before. Whatever says nothing of what tokens may do, is false. */
type Narrower = (before: Client, after: ValidMetadata) => boolean;

const loses = (before: readonly string[], after: readonly string[]): boolean =>
  before.some((one) => !after.includes(one));

const never: Narrower = () => false;

/**
 * Of every member of a registration, what its narrowing ends. The type lists all there are: a new one must say it here. A grant type
 * that is taken away takes all that it gave; a scope, a resource or the right to exchange what was issued with it.
 */
const narrowing: Readonly<
  Record<keyof Omit<ValidMetadata, 'metadata'> | keyof ValidMetadata['metadata'], [Ending, Narrower]>
> = {
  // What was issued on the word of a public client must not profit from a secret it never showed, nor the reverse.
  type: ['everything', (before, after) => before.type !== after.type],
  grantTypes: ['everything', (before, after) => loses(before.grantTypes, after.grantTypes)],
  scopes: ['access tokens', (before, after) => loses(before.scopes, after.scopes)],
  resources: ['access tokens', (before, after) => loses(before.resources, after.resources)],
  token_exchange_subject_clients: [
    'access tokens',
    (before, after) =>
      loses(exchangePolicyOf(before).subjectClients, after.metadata.token_exchange_subject_clients ?? []),
  ],
  token_exchange_impersonation: [
    'access tokens',
    (before, after) =>
      exchangePolicyOf(before).impersonation && after.metadata.token_exchange_impersonation !== true,
  ],
  // Tokens name who may act for their subject.
  may_act: [
    'access tokens',
    (before, after) => {
      const { may_act: named } = before.metadata as ExchangePolicyMetadata;
      return named !== undefined && named !== after.metadata.may_act;
    },
  ],
  // From now on none is good without its key; those that were issued have none.
  dpop_bound_access_tokens: [
    'everything',
    (before, after) =>
      before.metadata.dpop_bound_access_tokens !== true && after.metadata.dpop_bound_access_tokens === true,
  ],
  // Who could redirect there, or sign with the key, got in by it; what was issued says nothing of it. Rotating is ending: see disableClient.
  name: ['nothing', never],
  tokenEndpointAuthMethod: ['nothing', never],
  token_endpoint_auth_methods: ['nothing', never],
  redirectUris: ['nothing', never],
  responseTypes: ['nothing', never],
  post_logout_redirect_uris: ['nothing', never],
  id_token_signed_response_alg: ['nothing', never],
  // What was issued without a key must not outlive a profile that knows no such tokens.
  client_profile: ['everything', (before, after) => isFapi2(after) && !isFapi2(before)],
  id_token_profile_claims: ['nothing', never],
  userinfo_signed_response_alg: ['nothing', never],
  policy_uri: ['nothing', never],
  tos_uri: ['nothing', never],
  default_max_age: ['nothing', never],
  require_auth_time: ['nothing', never],
  require_nonce: ['nothing', never],
  require_consent: ['nothing', never],
  application_type: ['nothing', never],
  require_pushed_authorization_requests: ['nothing', never],
  // How it asks; what it was given says nothing of that.
  request_object_signing_alg: ['nothing', never],
  request_uris: ['nothing', never],
  require_signed_request_object: ['nothing', never],
  client_uri: ['nothing', never],
  logo_uri: ['nothing', never],
  introspection_signed_response_alg: ['nothing', never],
  // Asked at every introspection.
  protected_resources: ['nothing', never],
  require_pkce: ['nothing', never],
  subject_type: ['nothing', never],
  sector_identifier_uri: ['nothing', never],
  jwks: ['nothing', never],
  jwks_uri: ['nothing', never],
  token_endpoint_auth_signing_alg: ['nothing', never],
  backchannel_logout_uri: ['nothing', never],
  backchannel_logout_session_required: ['nothing', never],
};

/** Every member of a registration. */
export const registrationMembers: readonly string[] = Object.keys(narrowing);

/** What a change of a registration ends: the most that any of its members does. */
export function endingOf(before: Client, after: ValidMetadata): Ending {
  const endings = Object.values(narrowing).flatMap(([ending, narrower]) =>
    narrower(before, after) ? [ending] : [],
  );
  if (endings.includes('everything')) return 'everything';
  return endings.includes('access tokens') ? 'access tokens' : 'nothing';
}
