import type { Client } from './client.ts';
import { isFapi2 } from './client-profile.ts';
import { type ExchangePolicyMetadata, exchangePolicyOf } from './exchange-policy.ts';
import { losesIdentifiers } from './subject-identifier.ts';
import type { ValidMetadata } from './valid-metadata.ts';

/** Credentials of a client that end with a change of its registration. */
export type Ending = 'nothing' | 'access tokens' | 'everything';

/** Reports whether a change of a member allows less than before; false for members without effect on tokens. */
type Narrower = (before: Client, after: ValidMetadata) => boolean;

const loses = (before: readonly string[], after: readonly string[]): boolean =>
  before.some((one) => !after.includes(one));

const never: Narrower = () => false;

/** Reports whether tokens of an agent may outlive the lifetime that the new registration permits. */
const losesAgentLifetime: Narrower = (before, after) => {
  const { agentTokenLifetimeSeconds: former } = exchangePolicyOf(before);
  const { agentTokenLifetimeSeconds: next } = exchangePolicyOf(after);
  return former !== null && next !== null && next < former;
};

/**
 * Effect of narrowing each member of a registration. The type requires an entry for every member. A removed grant type
 * ends everything issued by it; a removed scope, resource or exchange right ends the access tokens.
 */
const narrowing: Readonly<
  Record<keyof Omit<ValidMetadata, 'metadata'> | keyof ValidMetadata['metadata'], [Ending, Narrower]>
> = {
  // Tokens issued without client authentication must not become those of a confidential client, nor the reverse.
  type: ['everything', (before, after) => before.type !== after.type],
  grantTypes: ['everything', (before, after) => loses(before.grantTypes, after.grantTypes)],
  scopes: ['access tokens', (before, after) => loses(before.scopes, after.scopes)],
  ownScopes: ['access tokens', (before, after) => loses(before.ownScopes ?? [], after.ownScopes)],
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
  // Tokens that were issued without a delegation must not become those of an agent, nor the reverse.
  token_exchange_agent: [
    'access tokens',
    (before, after) => exchangePolicyOf(before).agent !== (after.metadata.token_exchange_agent ?? false),
  ],
  token_exchange_agent_lifetime: ['access tokens', losesAgentLifetime],
  // Tokens contain the actor that may act for their subject.
  may_act: [
    'access tokens',
    (before, after) => {
      const { may_act: named } = before.metadata as ExchangePolicyMetadata;
      return named !== undefined && named !== after.metadata.may_act;
    },
  ],
  // Tokens must be bound to a key from now on, and existing ones are not.
  dpop_bound_access_tokens: [
    'everything',
    (before, after) =>
      before.metadata.dpop_bound_access_tokens !== true && after.metadata.dpop_bound_access_tokens === true,
  ],
  // A revocation of a user names the identifiers that the clients have now.
  redirectUris: ['access tokens', losesIdentifiers],
  subject_type: ['access tokens', losesIdentifiers],
  sector_identifier_uri: ['access tokens', losesIdentifiers],
  // Access tokens do not have them, and userinfo has the current ones.
  claim_mappings: ['nothing', never],
  // Issued tokens do not show which of several redirect URIs or keys was used. Disabling the client ends them: see
  // disableClient.
  name: ['nothing', never],
  tokenEndpointAuthMethod: ['nothing', never],
  token_endpoint_auth_methods: ['nothing', never],
  responseTypes: ['nothing', never],
  post_logout_redirect_uris: ['nothing', never],
  id_token_signed_response_alg: ['nothing', never],
  // Tokens without a key binding must not outlive the change to a profile that forbids them.
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
  // These members affect requests, not issued tokens.
  request_object_signing_alg: ['nothing', never],
  request_uris: ['nothing', never],
  require_signed_request_object: ['nothing', never],
  client_uri: ['nothing', never],
  logo_uri: ['nothing', never],
  introspection_signed_response_alg: ['nothing', never],
  // Checked at every introspection.
  protected_resources: ['nothing', never],
  require_pkce: ['nothing', never],
  jwks: ['nothing', never],
  jwks_uri: ['nothing', never],
  token_endpoint_auth_signing_alg: ['nothing', never],
  backchannel_logout_uri: ['nothing', never],
  backchannel_logout_session_required: ['nothing', never],
};

export const registrationMembers: readonly string[] = Object.keys(narrowing);

/** Returns the most extensive effect of a change. */
export function endingOf(before: Client, after: ValidMetadata): Ending {
  const endings = Object.values(narrowing).flatMap(([ending, narrower]) =>
    narrower(before, after) ? [ending] : [],
  );
  if (endings.includes('everything')) return 'everything';
  return endings.includes('access tokens') ? 'access tokens' : 'nothing';
}
