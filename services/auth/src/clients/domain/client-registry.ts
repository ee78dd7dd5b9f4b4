import type { OwnerToBe } from '../../ownership/index.ts';
import type { ChangeTerms, Claim } from '../../protocol/index.ts';
import type { Client } from './client.ts';

/** RFC 7591 §2 client metadata, the names as they travel on the wire. */
export interface ClientMetadata {
  client_name: string;
  token_endpoint_auth_method?: string;
  /** All methods that are accepted, where it is more than one; not asked of a client. */
  token_endpoint_auth_methods?: readonly string[];
  redirect_uris?: readonly string[];
  post_logout_redirect_uris?: readonly string[];
  grant_types?: readonly string[];
  response_types?: readonly string[];
  /** Space-delimited. */
  scope?: string;
  resources?: readonly string[];
  client_uri?: string;
  logo_uri?: string;
  /** `web` or `native`; a native app may use any port of its loopback redirect URI (RFC 8252 §7.3). */
  application_type?: string;
  id_token_signed_response_alg?: string;
  require_consent?: boolean;
  /** True: its ID tokens hold the claims of the scopes it got, not only userinfo (OpenID Connect Core §5.4). */
  id_token_profile_claims?: boolean;
  /** True: it never gets a token that isn't bound to a key (RFC 9449 §5.2). */
  dpop_bound_access_tokens?: boolean;
  /** True: its authorization requests must be pushed (RFC 9126 §6). */
  require_pushed_authorization_requests?: boolean;
  /** The client's public keys (RFC 7517 §5), by value or by address; not both. */
  jwks?: unknown;
  jwks_uri?: string;
  /** The only algorithm it signs its assertions with (OpenID Connect Registration §2). */
  token_endpoint_auth_signing_alg?: string;
  /** Signature of its introspection responses (RFC 9701 §6); RS256 unless said. */
  introspection_signed_response_alg?: string;
  /** Signature of its userinfo responses (OpenID Connect Registration §2); plain JSON unless said. */
  userinfo_signed_response_alg?: string;
  /** What people can read about it before they agree (RFC 7591 §2). */
  policy_uri?: string;
  tos_uri?: string;
  /** How old a sign-in may be when a request says nothing, in seconds, and whether its time must be told (OpenID Connect Registration §2). */
  default_max_age?: number;
  require_auth_time?: boolean;
  /** `fapi2`: held to the FAPI 2.0 Security Profile. */
  client_profile?: string;
  /** False: not even `nonce` is required of a client without PKCE. */
  require_nonce?: boolean;
  /** Request objects (OpenID Connect Registration §2, RFC 9101 §10.5): how they are signed, where they may be fetched, whether there must be one. */
  request_object_signing_alg?: string;
  request_uris?: readonly string[];
  require_signed_request_object?: boolean;
  /** `public` or `pairwise` (OpenID Connect Core §8). */
  subject_type?: string;
  sector_identifier_uri?: string;
  /** Where it is told that a session has ended (OpenID Connect Back-Channel Logout §2.2). */
  backchannel_logout_uri?: string;
  /** True: it needs to be told which session, and not only whose. */
  backchannel_logout_session_required?: boolean;
  /** False: a confidential OpenID client that protects itself with `nonce` instead (OAuth 2.1 §7.5.1). */
  require_pkce?: boolean;
  /** Resource identifiers that it serves: it may introspect tokens meant for them. */
  protected_resources?: readonly string[];
  /** Clients whose tokens this one may exchange (RFC 8693), besides its own. */
  token_exchange_subject_clients?: readonly string[];
  /** Whether it may exchange them without being named in `act`. */
  token_exchange_impersonation?: boolean;
  /** The one client that may act for the subjects of this one's tokens (`may_act`, RFC 8693 §4.4). */
  may_act?: string;
}

/** What a change does with the consents that users gave a client, when another party could use them from then on. */
export interface HandoverTerms {
  /** Whether they stay: whoever makes the change holds what they confer. They end otherwise, so that each user is asked again. */
  keepsConsents?: ((client: Client) => boolean) | undefined;
}

export interface RegisteredClient {
  client: Client;
  /** Shown once; only a digest is kept. Absent for public clients. */
  clientSecret?: string;
}

export interface ClientRegistry {
  /**
   * Registers a client. `clientId` may be chosen by the caller (seeding); otherwise a UUIDv7.
   * Throws OAuthError invalid_client_metadata, invalid_redirect_uri (RFC 7591 §3.2.2), invalid_scope.
   */
  register(
    tenant: string,
    metadata: ClientMetadata,
    o?: { clientId?: string; claim?: Claim | undefined; ownerToBe?: OwnerToBe },
  ): Promise<RegisteredClient>;
  /**
   * Nobody changes what belongs to the installation; `update`, `delete` and `register` refuse it themselves.
   * @throws OAuthError invalid_client_metadata
   */
  requireChangeable(clientId: string): void;
  /** Has every process read a client anew that was changed elsewhere. */
  changed(tenant: string, clientId: string): Promise<void>;
  /**
   * Adds a second live secret and lets the older ones lapse after `overlapSeconds` (default one day; 0 = at
   * once). At most two are ever live. Null when the tenant has no such client; throws OAuthError
   * invalid_client_metadata for a public client; VersionChanged. `mayRotate` has the last word, by the client as it is at that moment.
   */
  rotateSecret(
    tenant: string,
    clientId: string,
    o?: ChangeTerms & HandoverTerms & { overlapSeconds?: number; mayRotate?: (client: Client) => void },
  ): Promise<{ client: Client; clientSecret: string } | null>;
  /** Disables a client and kills everything issued to it. False when the tenant has no such client. */
  disable(tenant: string, clientId: string, terms?: ChangeTerms): Promise<boolean>;
  /**
   * Takes a disabled client back; what was issued to it before stays worthless. False when the tenant has no such client.
   * @param mayEnable has the last word, by the client as it is at that moment
   */
  enable(
    tenant: string,
    clientId: string,
    mayEnable: (client: Client) => void,
    terms?: ChangeTerms,
  ): Promise<boolean>;
  /**
   * Changes a client's registration to what `change` makes of the current one; it must be pure, for it may be asked
   * twice. A secret is made, and shown in this answer only, when the new method needs another kind. What was issued
   * ends if the client became public or confidential by this. `byItself`: the client asks, which can't give itself scopes it
   * wasn't allowed, or that an administrator took away. Null when the tenant has no such client; throws like `register`.
   */
  update(
    tenant: string,
    clientId: string,
    change: (current: ClientMetadata) => ClientMetadata,
    o?: ChangeTerms & HandoverTerms & { byItself?: boolean },
  ): Promise<RegisteredClient | null>;
  /** Forgets a client and kills everything issued to it. False when the tenant has no such client. */
  delete(tenant: string, clientId: string, o?: ChangeTerms & { byItself?: boolean }): Promise<boolean>;
}
