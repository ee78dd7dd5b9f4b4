import type { OwnerToBe } from '../../access/index.ts';
import type { ChangeTerms, Claim } from '../../platform/index.ts';
import type { ClaimMapping } from '../claims/domain/claim-mapping.ts';
import type { Client } from './client.ts';

/** Client metadata under its wire names (RFC 7591 §2). */
export interface ClientMetadata {
  client_name: string;
  token_endpoint_auth_method?: string;
  /** All accepted methods, when there are several; not part of requests. */
  token_endpoint_auth_methods?: readonly string[];
  redirect_uris?: readonly string[];
  post_logout_redirect_uris?: readonly string[];
  grant_types?: readonly string[];
  response_types?: readonly string[];
  /** Space-delimited. */
  scope?: string;
  /** Scopes of defined APIs that the client gets for itself; only administrators set them. */
  own_scopes?: readonly string[];
  resources?: readonly string[];
  client_uri?: string;
  logo_uri?: string;
  /** `web` or `native`; a native app may use any port of its loopback redirect URI (RFC 8252 §7.3). */
  application_type?: string;
  id_token_signed_response_alg?: string;
  require_consent?: boolean;
  /** True: ID tokens contain the claims of the granted scopes, as userinfo does (OpenID Connect Core §5.4). */
  id_token_profile_claims?: boolean;
  /** True: all tokens are bound to a key (RFC 9449 §5.2). */
  dpop_bound_access_tokens?: boolean;
  /** True: authorization requests must be pushed (RFC 9126 §6). */
  require_pushed_authorization_requests?: boolean;
  /** Public keys (RFC 7517 §5), by value or by URL; mutually exclusive. */
  jwks?: unknown;
  jwks_uri?: string;
  /** Required algorithm of its assertions (OpenID Connect Registration §2). */
  token_endpoint_auth_signing_alg?: string;
  /** Signature algorithm of its introspection responses (RFC 9701 §6), default RS256. */
  introspection_signed_response_alg?: string;
  /** Signature algorithm of its userinfo responses (OpenID Connect Registration §2), default plain JSON. */
  userinfo_signed_response_alg?: string;
  /** Documents linked on the consent page (RFC 7591 §2). */
  policy_uri?: string;
  tos_uri?: string;
  /**
   * Default maximum age of a sign-in in seconds, and whether ID tokens contain `auth_time` (OpenID Connect Registration
   * §2).
   */
  default_max_age?: number;
  require_auth_time?: boolean;
  /** `fapi2`: the client must meet the FAPI 2.0 Security Profile. */
  client_profile?: string;
  /** False: the client may omit `nonce` without PKCE. */
  require_nonce?: boolean;
  /**
   * Request objects (OpenID Connect Registration §2, RFC 9101 §10.5): their algorithm, their URIs, and whether they are
   * required.
   */
  request_object_signing_alg?: string;
  request_uris?: readonly string[];
  require_signed_request_object?: boolean;
  /** `public` or `pairwise` (OpenID Connect Core §8). */
  subject_type?: string;
  sector_identifier_uri?: string;
  /** Endpoint for logout tokens (OpenID Connect Back-Channel Logout §2.2). */
  backchannel_logout_uri?: string;
  /** True: logout tokens must contain `sid`. */
  backchannel_logout_session_required?: boolean;
  /** False: a confidential OpenID client that uses `nonce` instead of PKCE (OAuth 2.1 §7.5.1). */
  require_pkce?: boolean;
  /** Resource identifiers of the client as resource server, which may introspect tokens for them. */
  protected_resources?: readonly string[];
  /** Clients whose tokens this one may exchange (RFC 8693), besides its own. */
  token_exchange_subject_clients?: readonly string[];
  /** True: it may exchange them without an `act` claim. */
  token_exchange_impersonation?: boolean;
  /** True: it acts for users as an agent, under delegations that end separately. */
  token_exchange_agent?: boolean;
  /** Maximum lifetime in seconds of the tokens of an agent, default 300. */
  token_exchange_agent_lifetime?: number;
  /** The client that may act for the subjects of this one's tokens (`may_act`, RFC 8693 §4.4). */
  may_act?: string;
  /** Claims that its ID tokens and userinfo responses have in addition; only administrators set them. */
  claim_mappings?: readonly ClaimMapping[];
}

/** Effect of a change on existing consents that another party could use from then on. */
export interface HandoverTerms {
  /**
   * Decides whether they stay: the caller must hold the scopes that they confer. Without it they end, and each user is
   * asked again.
   */
  keepsConsents?: ((client: Client) => boolean) | undefined;
}

export interface RegisteredClient {
  client: Client;
  /** Returned once; only a digest is stored. Absent for public clients. */
  clientSecret?: string;
}

export interface ClientRegistry {
  /**
   * Registers a client. `clientId` may be chosen by the caller (seeding); default a UUIDv7.
   * @throws OAuthError invalid_client_metadata, invalid_redirect_uri (RFC 7591 §3.2.2), invalid_scope
   */
  register(
    tenant: string,
    metadata: ClientMetadata,
    o?: { clientId?: string; claim?: Claim | undefined; ownerToBe?: OwnerToBe },
  ): Promise<RegisteredClient>;
  /**
   * Rejects changes of clients that belong to the installation. `update`, `delete` and `register` call it.
   * @throws OAuthError invalid_client_metadata
   */
  requireChangeable(clientId: string): void;
  /** Invalidates the cached client in every process. */
  changed(tenant: string, clientId: string): Promise<void>;
  /**
   * Adds a second live secret and expires the older ones after `overlapSeconds` (default one day; 0 = immediately). At
   * most two are live. Returns null when the tenant has no such client. `mayRotate` rejects by throwing, given the
   * current client.
   * @throws OAuthError invalid_client_metadata for a public client; VersionChanged
   */
  rotateSecret(
    tenant: string,
    clientId: string,
    o?: ChangeTerms & HandoverTerms & { overlapSeconds?: number; mayRotate?: (client: Client) => void },
  ): Promise<{ client: Client; clientSecret: string } | null>;
  /** Disables a client and revokes everything issued to it. Returns false when the tenant has no such client. */
  disable(tenant: string, clientId: string, terms?: ChangeTerms): Promise<boolean>;
  /**
   * Enables a client; everything issued before it was disabled stays invalid. Returns false when the tenant has no such
   * client.
   * @param mayEnable rejects by throwing, given the current client
   */
  enable(
    tenant: string,
    clientId: string,
    mayEnable: (client: Client) => void,
    terms?: ChangeTerms,
  ): Promise<boolean>;
  /**
   * Changes a client's registration to the result of `change`, which must be pure because it may be called twice. A new
   * secret is created and returned once when the new method needs another kind. Everything issued ends if the client
   * becomes public or confidential. `byItself`: the client changes itself and gets no scopes beyond its registration,
   * nor scopes that an administrator removed. Returns null when the tenant has no such client.
   * @throws as `register`
   */
  update(
    tenant: string,
    clientId: string,
    change: (current: ClientMetadata) => ClientMetadata,
    o?: ChangeTerms & HandoverTerms & { byItself?: boolean },
  ): Promise<RegisteredClient | null>;
  /** Deletes a client and revokes everything issued to it. Returns false when the tenant has no such client. */
  delete(tenant: string, clientId: string, o?: ChangeTerms & { byItself?: boolean }): Promise<boolean>;
}
