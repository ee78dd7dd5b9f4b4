// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import type { TypedDocumentNode } from '@apollo/client';
/** Application types (OpenID Connect Dynamic Client Registration §2). */
export type ApplicationType =
  /** Runs on devices of users. Its redirect URIs can be loopback addresses and private-use schemes (RFC 8252). */
  | 'NATIVE'
  /** Runs on a server or in a browser. */
  | 'WEB';

/** Signature algorithms of assertions of clients and service accounts (RFC 7518, RFC 8037, RFC 9864). */
export type AssertionAlgorithm =
  /** Ed25519, with the name of RFC 9864. */
  | 'ED25519'
  /** Ed25519, with the name of RFC 8037. */
  | 'EDDSA'
  /** ECDSA on P-256. */
  | 'ES256'
  /** ECDSA on P-384. */
  | 'ES384'
  /** ECDSA on P-521. */
  | 'ES512'
  /** HMAC with SHA-256 and the client secret. */
  | 'HS256'
  /** HMAC with SHA-384 and the client secret. */
  | 'HS384'
  /** HMAC with SHA-512 and the client secret. */
  | 'HS512'
  /** RSA-PSS with SHA-256. */
  | 'PS256'
  /** RSA-PSS with SHA-384. */
  | 'PS384'
  /** RSA-PSS with SHA-512. */
  | 'PS512'
  /** RSA PKCS #1 v1.5 with SHA-256. */
  | 'RS256'
  /** RSA PKCS #1 v1.5 with SHA-384. */
  | 'RS384'
  /** RSA PKCS #1 v1.5 with SHA-512. */
  | 'RS512';

/** Claim to add to tokens. */
export type ClaimMappingInput = {
  /**
   * Expression of the value in the Common Expression Language (CEL), 1 to 1,000 characters. Variables: `user`, `groups`,
   * `groupIds`, `client`, and for APIs `roles` and `api`. A value has at most 4,096 characters as JSON, all together 8,192.
   */
  expression: string;
  /**
   * Name of the claim, 1 to 128 printable ASCII characters without space, quote and backslash; unique in the list. Names
   * that a standard or this server defines, for example `sub`, `email` and `roles`, are rejected.
   */
  name: string;
  /** Whether no token is issued without a value. Default: false; the claim is then omitted. */
  required?: boolean;
};

/** Authentication methods of clients at the token endpoint. */
export type ClientAuthMethod =
  /** Client secret in the Authorization header or in the form, the default of confidential clients. */
  | 'CLIENT_SECRET'
  /** Client secret in the Authorization header. */
  | 'CLIENT_SECRET_BASIC'
  /** Assertion signed with the client secret (RFC 7523). */
  | 'CLIENT_SECRET_JWT'
  /** Client secret in the form. */
  | 'CLIENT_SECRET_POST'
  /** No authentication, for public clients. */
  | 'NONE'
  /** Assertion signed with the private key of the client (RFC 7523). */
  | 'PRIVATE_KEY_JWT';

/** Bindings of an authorization code to the browser for which it was issued (OAuth 2.1 §7.5.1). */
export type ClientCodeProtection =
  /** Neither is required, so a stolen code can be injected. For confidential OpenID clients that support neither. */
  | 'NONE'
  /** PKCE (RFC 7636) is required. */
  | 'PKCE'
  /** PKCE, or a `nonce` with scope `openid`, is required. For confidential OpenID clients that do not support PKCE. */
  | 'PKCE_OR_NONCE';

/** Restricts a list of clients; an omitted field does not restrict. */
export type ClientFilter = {
  /** Only clients that are disabled (true) or not (false). */
  disabled?: boolean | null | undefined;
  /** Only clients with this grant type, for example `client_credentials`. */
  grantType?: string | null | undefined;
  /** Only clients with an owner (true) or without one (false). */
  hasOwner?: boolean | null | undefined;
  /** Only clients whose name contains this text, case-insensitive. */
  name?: string | null | undefined;
  /** Only clients that this user or group owns. */
  ownerId?: string | null | undefined;
  /** Only clients that can request this scope. */
  scope?: string | null | undefined;
  /** Only clients of this type. */
  type?: ClientType | null | undefined;
};

/** Input of `deleteClient`, `disableClient` and `enableClient`. */
export type ClientInput = {
  /** Id of the client. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

/** Kinds of clients. */
export type ClientKind =
  /** Device without a browser (RFC 8628): public, device code and refresh token. */
  | 'DEVICE'
  /** Program that acts for itself: confidential, client credentials. */
  | 'MACHINE'
  /** Client of the Model Context Protocol: public and native, with tokens only for the servers in `resources`, which are required. */
  | 'MCP'
  /** App on devices of users (RFC 8252): public, authorization code and refresh token, any port of a loopback redirect URI. */
  | 'NATIVE'
  /** App in the browser: public, authorization code and refresh token. */
  | 'SINGLE_PAGE'
  /** Web app on a server: confidential, authorization code and refresh token. */
  | 'WEB';

/** Security profiles, which add rules to those of all clients. */
export type ClientProfile =
  /**
   * FAPI 2.0 Security Profile: PRIVATE_KEY_JWT, pushed authorization requests, tokens bound to a key (DPoP), and only the
   * signature algorithms PS256, ES256 and EdDSA.
   */
  | 'FAPI2'
  /** OAuth 2.1 and OpenID Connect, as for all clients. */
  | 'STANDARD';

/** Types of clients (RFC 6749 §2.1). */
export type ClientType =
  /** Client that can keep its credentials confidential, for example on a server. It authenticates. */
  | 'CONFIDENTIAL'
  /** Client that cannot keep credentials confidential, for example on devices of users. It must use PKCE. */
  | 'PUBLIC';

/** Restricts a list of grants; an omitted field does not restrict. */
export type GrantFilter = {
  /** Only grants to this client. */
  clientId?: string | null | undefined;
  /** Only grants made in this session. */
  sessionId?: string | null | undefined;
  /** Only grants of this user. */
  userId?: string | null | undefined;
};

/** Kinds of problems. */
export type ProblemCode =
  /** The change conflicts with the current state. */
  | 'CONFLICT'
  /** The idempotency key was used for another change. */
  | 'IDEMPOTENCY_KEY_REUSED'
  /** A value of the input is invalid. */
  | 'INVALID_INPUT'
  /** The input refers to an object that does not exist. */
  | 'NOT_FOUND'
  /** Another object already has the value. */
  | 'NOT_UNIQUE'
  /** The object is at another version than the change is based on. */
  | 'VERSION_CONFLICT';

/**
 * Input of `registerClient`. Omitted fields get the default of the field, or else that of RFC 7591. Lists of URIs have at
 * most 50 entries of at most 2048 characters.
 */
export type RegisterClientInput = {
  /**
   * Application type, which determines the permitted redirect URIs. Default: WEB for a confidential client and for the
   * kind SINGLE_PAGE, NATIVE for other public clients.
   */
  applicationType?: ApplicationType | null | undefined;
  /** Whether a logout token must contain the session in addition to the user. Requires `backchannelLogoutUri`. Default: false. */
  backchannelLogoutSessionRequired?: boolean | null | undefined;
  /**
   * URL that receives a logout token when a session ends in which the client got tokens (OpenID Connect Back-Channel
   * Logout). No fragment; https, or http for a confidential client outside production. Default: none.
   */
  backchannelLogoutUri?: string | null | undefined;
  /**
   * Claims that ID tokens and userinfo responses have in addition, at most 32. Attributes require `users:read`, groups
   * `groups:read`. Default: none.
   */
  claims?: Array<ClaimMappingInput> | null | undefined;
  /** URL of the home page. */
  clientUri?: string | null | undefined;
  /** Binding of authorization codes to the browser for which they were issued. Default: PKCE. */
  codeProtection?: ClientCodeProtection | null | undefined;
  /** Maximum time in seconds since the sign-in of the user, if a request does not specify it: 0 to 31536000 (365 days). Default: no maximum. */
  defaultMaxAge?: number | null | undefined;
  /**
   * Whether all tokens of the client must be bound to a key of the client (DPoP, RFC 9449). Default: false; always true
   * with the profile FAPI2.
   */
  dpopBoundAccessTokens?: boolean | null | undefined;
  /** Allowed grant types, for example `client_credentials`. Default: those of the `kind`; without a `kind`, `authorization_code`. */
  grantTypes?: Array<string> | null | undefined;
  /** Signature algorithm of ID tokens. Default: RS256; PS256 with the profile FAPI2. */
  idTokenSignedResponseAlg?: SigningAlgorithm | null | undefined;
  /**
   * Idempotency key: a repeated request with the same key within 24 hours returns the first result, without values that
   * are shown only once, and changes nothing. 1 to 200 characters.
   */
  idempotencyKey?: string | null | undefined;
  /** Signature algorithm of introspection responses (RFC 9701). Default: RS256; PS256 with the profile FAPI2. */
  introspectionSignedResponseAlg?: SigningAlgorithm | null | undefined;
  /**
   * Public keys as the JSON text of a JSON Web Key Set (RFC 7517) with 1 to 20 keys, for PRIVATE_KEY_JWT and signed
   * request objects. Cannot be combined with `jwksUri`.
   */
  jwks?: string | null | undefined;
  /** URL where the client publishes its public keys. Cannot be combined with `jwks`. */
  jwksUri?: string | null | undefined;
  /**
   * Kind of the client, which determines the defaults of omitted fields. Values that the kind does not permit, such as a
   * secret for a single-page app, are rejected. Default: none.
   */
  kind?: ClientKind | null | undefined;
  /** URL of the logo. The server fetches and stores the logo and shows it on the sign-in and consent pages. */
  logoUri?: string | null | undefined;
  /** Id of the only client that can act for the users of tokens issued to this client (`may_act`, RFC 8693). Default: no such restriction. */
  mayAct?: string | null | undefined;
  /** Name of the client, shown to users on the consent page, 1 to 200 characters. */
  name: string;
  /**
   * Scopes of APIs (`Api`) that the client can request for itself. Requires the grant type `client_credentials`. Default:
   * none.
   */
  ownScopes?: Array<string> | null | undefined;
  /**
   * Id of the owner: a group, or an active user whose role allows managing the client. Default: the calling user, or the
   * owner of the calling client or service account. Clients of the platform operator create it without an owner.
   */
  ownerId?: string | null | undefined;
  /** URL of the privacy policy. */
  policyUri?: string | null | undefined;
  /** URIs to which the client can redirect users after sign-out. */
  postLogoutRedirectUris?: Array<string> | null | undefined;
  /**
   * Security profile of the client. Default: STANDARD, or the profile that the tenant requires of all clients
   * (`TenantPolicy.requiredClientProfile`).
   */
  profile?: ClientProfile | null | undefined;
  /**
   * Whether ID tokens contain the claims of the granted scopes, for clients that do not call the userinfo endpoint.
   * Default: true for the kinds WEB and SINGLE_PAGE, otherwise false.
   */
  profileClaimsInIdToken?: boolean | null | undefined;
  /**
   * Resources (RFC 9728) that the client serves: it can introspect tokens for these audiences, of which
   * `urn:ostiary:tenant-api` is the API of the tenant. For confidential clients only. Default: none.
   */
  protectedResources?: Array<string> | null | undefined;
  /**
   * Redirect URIs of authorization responses; at least one with the grant type `authorization_code`. https, http with a
   * loopback address, or for a NATIVE application a private-use scheme such as `com.example.app:/callback`.
   */
  redirectUris?: Array<string> | null | undefined;
  /**
   * Required signature algorithm of request objects (RFC 9101). NONE permits unsigned request objects, which are treated
   * like plain requests. Default: all supported ones except NONE are permitted.
   */
  requestObjectSigningAlg?: RequestObjectAlgorithm | null | undefined;
  /**
   * Public URLs from which request objects can be fetched (`request_uri`), compared character by character; at most 50 of
   * at most 512 characters. A URL without a fragment matches any fragment. Default: none.
   */
  requestUris?: Array<string> | null | undefined;
  /**
   * Whether ID tokens must contain the time of the sign-in (`auth_time`). ID tokens issued after a sign-in always contain
   * it. Default: false.
   */
  requireAuthTime?: boolean | null | undefined;
  /** Whether users are asked for consent before the client gets access. Default: true. */
  requireConsent?: boolean | null | undefined;
  /**
   * Whether the client must send a `nonce` when it does not use PKCE. False only for clients that support neither; their
   * codes are then not bound to the browser for which they were issued. Default: true.
   * @deprecated Use codeProtection. sunset: 2027-11-30
   */
  requireNonce?: boolean | null | undefined;
  /**
   * Whether the client must use PKCE. False only for confidential OpenID clients that do not support PKCE; they must send
   * a `nonce` instead. Default: true.
   * @deprecated Use codeProtection. sunset: 2027-11-30
   */
  requirePkce?: boolean | null | undefined;
  /** Whether authorization requests must be pushed (RFC 9126). Default: false; always true with the profile FAPI2. */
  requirePushedAuthorizationRequests?: boolean | null | undefined;
  /** Whether authorization requests must be signed request objects. Requires `jwks` or `jwksUri`. Default: false. */
  requireSignedRequestObject?: boolean | null | undefined;
  /**
   * Resources (RFC 8707) for which the client can request tokens, in addition to the API of the tenant: absolute URIs
   * without a fragment. Required for the kind MCP. Default: none.
   */
  resources?: Array<string> | null | undefined;
  /**
   * Scopes that the client can request. Default: those of the `kind`; without a `kind`, `openid`, `profile` and `email`
   * for the grant type `authorization_code`, `offline_access` in addition for `refresh_token`, and none without
   * `authorization_code`.
   */
  scopes?: Array<string> | null | undefined;
  /**
   * URL of a document with the redirect URIs of all clients that receive the same pairwise identifiers, including this
   * client (OpenID Connect Core §8.1). Fetched at registration and at every change of it. Default: none; clients with the
   * same host receive the same identifiers.
   */
  sectorIdentifierUri?: string | null | undefined;
  /**
   * Type of the user identifiers that the client receives (OpenID Connect Core §8). A PAIRWISE client can request only
   * scopes of OpenID Connect. Default: PUBLIC.
   */
  subjectType?: SubjectType | null | undefined;
  /**
   * Authentication method. NONE registers a public client. Default: CLIENT_SECRET; NONE for a public `kind`;
   * PRIVATE_KEY_JWT for a confidential `kind` with the profile FAPI2.
   */
  tokenEndpointAuthMethod?: ClientAuthMethod | null | undefined;
  /** The only permitted signature algorithm of client assertions. Default: all supported ones are permitted. */
  tokenEndpointAuthSigningAlg?: AssertionAlgorithm | null | undefined;
  /**
   * Token exchange policy (RFC 8693). Requires the token exchange grant type. Default: the client can exchange only its own
   * tokens.
   */
  tokenExchange?: TokenExchangePolicyInput | null | undefined;
  /** URL of the terms of service. */
  tosUri?: string | null | undefined;
  /** Signature algorithm of userinfo responses. Default: plain JSON. */
  userinfoSignedResponseAlg?: SigningAlgorithm | null | undefined;
};

/** Signature algorithms of request objects of clients (RFC 9101 §6.2). */
export type RequestObjectAlgorithm =
  /** Ed25519, with the name of RFC 9864. */
  | 'ED25519'
  /** Ed25519, with the name of RFC 8037. */
  | 'EDDSA'
  /** ECDSA on P-256. */
  | 'ES256'
  /** ECDSA on P-384. */
  | 'ES384'
  /** ECDSA on P-521. */
  | 'ES512'
  /** Unsigned: the sender can change the request object. */
  | 'NONE'
  /** RSA-PSS with SHA-256. */
  | 'PS256'
  /** RSA-PSS with SHA-384. */
  | 'PS384'
  /** RSA-PSS with SHA-512. */
  | 'PS512'
  /** RSA PKCS #1 v1.5 with SHA-256. */
  | 'RS256'
  /** RSA PKCS #1 v1.5 with SHA-384. */
  | 'RS384'
  /** RSA PKCS #1 v1.5 with SHA-512. */
  | 'RS512';

/** Input of `revokeGrant`. */
export type RevokeGrantInput = {
  /** Id of the grant. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
};

/** Input of `rotateClientSecret`. */
export type RotateClientSecretInput = {
  /** Id of the client. */
  id: string;
  /**
   * Idempotency key: a repeated request with the same key within 24 hours returns the first result, without values that
   * are shown only once, and changes nothing. 1 to 200 characters.
   */
  idempotencyKey?: string | null | undefined;
  /** Time in seconds for which the previous secret remains valid, 0 (revoked immediately) to 2592000 (30 days). Default: 86400 (one day). */
  overlapSeconds?: number | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

/** Restricts the security log; an omitted field does not restrict. */
export type SecurityLogFilter = {
  /** Only this action, for example `client.updated`. */
  action?: string | null | undefined;
  /** Only events of this actor. */
  actorId?: string | null | undefined;
  /** Only events of requests with an access token of this client. */
  clientId?: string | null | undefined;
  /** Only events of requests from this network address. Without `audit:read`, only events that the caller caused. */
  ipAddress?: string | null | undefined;
  /** Only events of this request. */
  requestId?: string | null | undefined;
  /** Only events about the client, token, session or other object with this id. */
  resourceId?: string | null | undefined;
  /** Only events at or after this time. */
  since?: string | null | undefined;
  /** Only events of this trace. */
  traceId?: string | null | undefined;
  /** Only events before this time. */
  until?: string | null | undefined;
  /** Only events that concern this user. */
  userId?: string | null | undefined;
};

/** Algorithms that sign tokens (RFC 7518, RFC 8037). */
export type SigningAlgorithm =
  /** Ed25519: responses to clients that registered it. A tenant without such a client has no Ed25519 key. */
  | 'EDDSA'
  /** ECDSA on P-256: access tokens, and responses to clients that registered it. */
  | 'ES256'
  /** RSA-PSS: responses to clients that registered it, and ID tokens of clients with the FAPI 2.0 profile. */
  | 'PS256'
  /** RSA: ID tokens of clients that did not register another algorithm. */
  | 'RS256';

/** Types of user identifiers that clients receive. */
export type SubjectType =
  /** Identifier that only clients of the same host receive. Other clients cannot correlate it with the user. */
  | 'PAIRWISE'
  /** Id of the user, the same for all clients. */
  | 'PUBLIC';

/** Rules for the token exchange (RFC 8693) of a client. */
export type TokenExchangePolicyInput = {
  /**
   * Whether the client is an agent: it is named as the actor, its tokens are short-lived, and users can end its delegations.
   * Cannot be combined with `impersonation`. Default: false.
   */
  agent?: boolean | null | undefined;
  /** Maximum lifetime in seconds of the tokens of an agent. 30 to 3600, default 300. Requires `agent`. */
  agentTokenLifetimeSeconds?: number | null | undefined;
  /** Whether the client can exchange tokens without being named as the actor. Default: false. */
  impersonation?: boolean | null | undefined;
  /** Ids of the clients whose tokens the client can exchange, in addition to its own; at most 100. */
  subjectClients: Array<string>;
};

/** Input of `updateClient`; omitted fields do not change, and null restores the default. */
export type UpdateClientInput = {
  /** Application type, which determines the permitted redirect URIs. Default: NATIVE for a public client, WEB for a confidential one. */
  applicationType?: ApplicationType | null | undefined;
  /** Whether a logout token must contain the session in addition to the user. Requires `backchannelLogoutUri`. Default: false. */
  backchannelLogoutSessionRequired?: boolean | null | undefined;
  /**
   * URL that receives a logout token when a session ends in which the client got tokens (OpenID Connect Back-Channel
   * Logout). No fragment; https, or http for a confidential client outside production. Default: none.
   */
  backchannelLogoutUri?: string | null | undefined;
  /**
   * Claims that ID tokens and userinfo responses have in addition, at most 32; replaces the previous ones. Attributes
   * require `users:read`, groups `groups:read`. Default: none.
   */
  claims?: Array<ClaimMappingInput> | null | undefined;
  /** URL of the home page. */
  clientUri?: string | null | undefined;
  /** Binding of authorization codes to the browser for which they were issued. Default: PKCE. */
  codeProtection?: ClientCodeProtection | null | undefined;
  /** Maximum time in seconds since the sign-in of the user, if a request does not specify it: 0 to 31536000 (365 days). Default: no maximum. */
  defaultMaxAge?: number | null | undefined;
  /**
   * Whether all tokens of the client must be bound to a key of the client (DPoP, RFC 9449). Default: false; always true
   * with the profile FAPI2.
   */
  dpopBoundAccessTokens?: boolean | null | undefined;
  /** Allowed grant types, for example `client_credentials`. Default: `authorization_code`. */
  grantTypes?: Array<string> | null | undefined;
  /** Id of the client. */
  id: string;
  /** Signature algorithm of ID tokens. Default: RS256; PS256 with the profile FAPI2. */
  idTokenSignedResponseAlg?: SigningAlgorithm | null | undefined;
  /**
   * Idempotency key: a repeated request with the same key within 24 hours returns the first result, without values that
   * are shown only once, and changes nothing. 1 to 200 characters.
   */
  idempotencyKey?: string | null | undefined;
  /** Signature algorithm of introspection responses (RFC 9701). Default: RS256; PS256 with the profile FAPI2. */
  introspectionSignedResponseAlg?: SigningAlgorithm | null | undefined;
  /**
   * Public keys as the JSON text of a JSON Web Key Set (RFC 7517) with 1 to 20 keys, for PRIVATE_KEY_JWT and signed
   * request objects. Cannot be combined with `jwksUri`.
   */
  jwks?: string | null | undefined;
  /** URL where the client publishes its public keys. Cannot be combined with `jwks`. */
  jwksUri?: string | null | undefined;
  /** URL of the logo. The server fetches and stores the logo and shows it on the sign-in and consent pages. */
  logoUri?: string | null | undefined;
  /** Id of the only client that can act for the users of tokens issued to this client (`may_act`, RFC 8693). Default: no such restriction. */
  mayAct?: string | null | undefined;
  /** Name of the client, shown to users on the consent page, 1 to 200 characters. */
  name?: string | null | undefined;
  /**
   * Scopes of APIs (`Api`) that the client can request for itself. Requires the grant type `client_credentials`. Default:
   * none.
   */
  ownScopes?: Array<string> | null | undefined;
  /** URL of the privacy policy. */
  policyUri?: string | null | undefined;
  /** URIs to which the client can redirect users after sign-out. */
  postLogoutRedirectUris?: Array<string> | null | undefined;
  /**
   * Security profile of the client. Default: STANDARD, or the profile that the tenant requires of all clients
   * (`TenantPolicy.requiredClientProfile`).
   */
  profile?: ClientProfile | null | undefined;
  /** Whether ID tokens contain the claims of the granted scopes, for clients that do not call the userinfo endpoint. Default: false. */
  profileClaimsInIdToken?: boolean | null | undefined;
  /**
   * Resources (RFC 9728) that the client serves: it can introspect tokens for these audiences, of which
   * `urn:ostiary:tenant-api` is the API of the tenant. For confidential clients only. Default: none.
   */
  protectedResources?: Array<string> | null | undefined;
  /**
   * Redirect URIs of authorization responses; at least one with the grant type `authorization_code`. https, http with a
   * loopback address, or for a NATIVE application a private-use scheme such as `com.example.app:/callback`.
   */
  redirectUris?: Array<string> | null | undefined;
  /**
   * Required signature algorithm of request objects (RFC 9101). NONE permits unsigned request objects, which are treated
   * like plain requests. Default: all supported ones except NONE are permitted.
   */
  requestObjectSigningAlg?: RequestObjectAlgorithm | null | undefined;
  /**
   * Public URLs from which request objects can be fetched (`request_uri`), compared character by character; at most 50 of
   * at most 512 characters. A URL without a fragment matches any fragment. Default: none.
   */
  requestUris?: Array<string> | null | undefined;
  /**
   * Whether ID tokens must contain the time of the sign-in (`auth_time`). ID tokens issued after a sign-in always contain
   * it. Default: false.
   */
  requireAuthTime?: boolean | null | undefined;
  /** Whether users are asked for consent before the client gets access. Default: true. */
  requireConsent?: boolean | null | undefined;
  /**
   * Whether the client must send a `nonce` when it does not use PKCE. False only for clients that support neither; their
   * codes are then not bound to the browser for which they were issued. Default: true.
   * @deprecated Use codeProtection. sunset: 2027-11-30
   */
  requireNonce?: boolean | null | undefined;
  /**
   * Whether the client must use PKCE. False only for confidential OpenID clients that do not support PKCE; they must send
   * a `nonce` instead. Default: true.
   * @deprecated Use codeProtection. sunset: 2027-11-30
   */
  requirePkce?: boolean | null | undefined;
  /** Whether authorization requests must be pushed (RFC 9126). Default: false; always true with the profile FAPI2. */
  requirePushedAuthorizationRequests?: boolean | null | undefined;
  /** Whether authorization requests must be signed request objects. Requires `jwks` or `jwksUri`. Default: false. */
  requireSignedRequestObject?: boolean | null | undefined;
  /**
   * Resources (RFC 8707) for which the client can request tokens, in addition to the API of the tenant: absolute URIs
   * without a fragment. Default: none.
   */
  resources?: Array<string> | null | undefined;
  /**
   * Scopes that the client can request. Default: `openid`, `profile` and `email` for the grant type `authorization_code`,
   * `offline_access` in addition for `refresh_token`, and none without `authorization_code`.
   */
  scopes?: Array<string> | null | undefined;
  /**
   * URL of a document with the redirect URIs of the client (OpenID Connect Core §8.1). Another host changes the pairwise
   * identifiers of all users.
   */
  sectorIdentifierUri?: string | null | undefined;
  /** Authentication method. A change between public and confidential revokes everything issued to the client. Default: CLIENT_SECRET. */
  tokenEndpointAuthMethod?: ClientAuthMethod | null | undefined;
  /** The only permitted signature algorithm of client assertions. Default: all supported ones are permitted. */
  tokenEndpointAuthSigningAlg?: AssertionAlgorithm | null | undefined;
  /**
   * Token exchange policy (RFC 8693). Requires the token exchange grant type. Default: the client can exchange only its own
   * tokens.
   */
  tokenExchange?: TokenExchangePolicyInput | null | undefined;
  /** URL of the terms of service. */
  tosUri?: string | null | undefined;
  /** Signature algorithm of userinfo responses. Default: plain JSON. */
  userinfoSignedResponseAlg?: SigningAlgorithm | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

export type ApplicationListQueryVariables = Exact<{
  filter?: ClientFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ApplicationListQuery = { clients: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, name: string, type: ClientType, applicationType: ApplicationType, grantTypes: Array<string>, scopes: Array<string>, resources: Array<string>, disabled: boolean, createdAt: string, lastUsedAt: string | null, version: number, owner:
          | { id: string, groupName: string }
          | { id: string, userName: string, displayName: string | null, active: boolean }
         | null } | null }> } | null };

export type ApplicationQueryVariables = Exact<{
  id: string;
}>;


export type ApplicationQuery = { client: { id: string, version: number, name: string, type: ClientType, disabled: boolean, createdAt: string, lastUsedAt: string | null, applicationType: ApplicationType, backchannelLogoutSessionRequired: boolean, backchannelLogoutUri: string | null, clientUri: string | null, codeProtection: ClientCodeProtection, defaultMaxAge: number | null, dpopBoundAccessTokens: boolean, grantTypes: Array<string>, idTokenSignedResponseAlg: SigningAlgorithm, introspectionSignedResponseAlg: SigningAlgorithm, jwks: string | null, jwksUri: string | null, logoUri: string | null, mayAct: string | null, policyUri: string | null, postLogoutRedirectUris: Array<string>, profile: ClientProfile, profileClaimsInIdToken: boolean, protectedResources: Array<string>, redirectUris: Array<string>, requestObjectSigningAlg: RequestObjectAlgorithm | null, requestUris: Array<string>, requireAuthTime: boolean, requireConsent: boolean, requirePushedAuthorizationRequests: boolean, requireSignedRequestObject: boolean, resources: Array<string>, ownScopes: Array<string>, scopes: Array<string>, sectorIdentifierUri: string | null, subjectType: SubjectType, tokenEndpointAuthMethod: ClientAuthMethod, tokenEndpointAuthSigningAlg: AssertionAlgorithm | null, tosUri: string | null, userinfoSignedResponseAlg: SigningAlgorithm | null, owner:
      | { id: string, groupName: string }
      | { id: string, userName: string, displayName: string | null, active: boolean }
     | null, claims: Array<{ name: string, expression: string, required: boolean }>, tokenExchange: { subjectClients: Array<string>, impersonation: boolean, agent: boolean, agentTokenLifetimeSeconds: number | null } | null } | null };

export type ApplicationGrantsQueryVariables = Exact<{
  filter: GrantFilter;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ApplicationGrantsQuery = { grants: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, createdAt: string, expiresAt: string, scopes: Array<string>, sessionId: string | null, user: { id: string, userName: string, displayName: string | null } | null } | null }> } | null };

export type ApplicationHistoryQueryVariables = Exact<{
  filter: SecurityLogFilter;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ApplicationHistoryQuery = { securityLog: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, action: string, occurredAt: string, ipAddress: string | null, actor:
          | { actorId: string, name: string | null }
          | { actorId: string, name: string | null }
          | { actorId: string, name: string | null }
          | { actorId: string, name: string | null }
          | { actorId: string, name: string | null }
        , user: { id: string, userName: string, displayName: string | null } | null } | null }> } | null };

export type RegisterApplicationMutationVariables = Exact<{
  input: RegisterClientInput;
}>;


export type RegisterApplicationMutation = { registerClient: { clientSecret: string | null, repeated: boolean | null, client: { id: string, version: number, name: string, type: ClientType, disabled: boolean, createdAt: string, lastUsedAt: string | null, applicationType: ApplicationType, backchannelLogoutSessionRequired: boolean, backchannelLogoutUri: string | null, clientUri: string | null, codeProtection: ClientCodeProtection, defaultMaxAge: number | null, dpopBoundAccessTokens: boolean, grantTypes: Array<string>, idTokenSignedResponseAlg: SigningAlgorithm, introspectionSignedResponseAlg: SigningAlgorithm, jwks: string | null, jwksUri: string | null, logoUri: string | null, mayAct: string | null, policyUri: string | null, postLogoutRedirectUris: Array<string>, profile: ClientProfile, profileClaimsInIdToken: boolean, protectedResources: Array<string>, redirectUris: Array<string>, requestObjectSigningAlg: RequestObjectAlgorithm | null, requestUris: Array<string>, requireAuthTime: boolean, requireConsent: boolean, requirePushedAuthorizationRequests: boolean, requireSignedRequestObject: boolean, resources: Array<string>, ownScopes: Array<string>, scopes: Array<string>, sectorIdentifierUri: string | null, subjectType: SubjectType, tokenEndpointAuthMethod: ClientAuthMethod, tokenEndpointAuthSigningAlg: AssertionAlgorithm | null, tosUri: string | null, userinfoSignedResponseAlg: SigningAlgorithm | null, owner:
        | { id: string, groupName: string }
        | { id: string, userName: string, displayName: string | null, active: boolean }
       | null, claims: Array<{ name: string, expression: string, required: boolean }>, tokenExchange: { subjectClients: Array<string>, impersonation: boolean, agent: boolean, agentTokenLifetimeSeconds: number | null } | null } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { attribute: string | null, code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type UpdateApplicationMutationVariables = Exact<{
  input: UpdateClientInput;
}>;


export type UpdateApplicationMutation = { updateClient: { clientSecret: string | null, repeated: boolean | null, client: { id: string, version: number, name: string, type: ClientType, disabled: boolean, createdAt: string, lastUsedAt: string | null, applicationType: ApplicationType, backchannelLogoutSessionRequired: boolean, backchannelLogoutUri: string | null, clientUri: string | null, codeProtection: ClientCodeProtection, defaultMaxAge: number | null, dpopBoundAccessTokens: boolean, grantTypes: Array<string>, idTokenSignedResponseAlg: SigningAlgorithm, introspectionSignedResponseAlg: SigningAlgorithm, jwks: string | null, jwksUri: string | null, logoUri: string | null, mayAct: string | null, policyUri: string | null, postLogoutRedirectUris: Array<string>, profile: ClientProfile, profileClaimsInIdToken: boolean, protectedResources: Array<string>, redirectUris: Array<string>, requestObjectSigningAlg: RequestObjectAlgorithm | null, requestUris: Array<string>, requireAuthTime: boolean, requireConsent: boolean, requirePushedAuthorizationRequests: boolean, requireSignedRequestObject: boolean, resources: Array<string>, ownScopes: Array<string>, scopes: Array<string>, sectorIdentifierUri: string | null, subjectType: SubjectType, tokenEndpointAuthMethod: ClientAuthMethod, tokenEndpointAuthSigningAlg: AssertionAlgorithm | null, tosUri: string | null, userinfoSignedResponseAlg: SigningAlgorithm | null, owner:
        | { id: string, groupName: string }
        | { id: string, userName: string, displayName: string | null, active: boolean }
       | null, claims: Array<{ name: string, expression: string, required: boolean }>, tokenExchange: { subjectClients: Array<string>, impersonation: boolean, agent: boolean, agentTokenLifetimeSeconds: number | null } | null } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { attribute: string | null, code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { currentVersion: number | null, code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type RotateApplicationSecretMutationVariables = Exact<{
  input: RotateClientSecretInput;
}>;


export type RotateApplicationSecretMutation = { rotateClientSecret: { clientSecret: string | null, repeated: boolean | null, client: { id: string, version: number, name: string, type: ClientType, disabled: boolean, createdAt: string, lastUsedAt: string | null, applicationType: ApplicationType, backchannelLogoutSessionRequired: boolean, backchannelLogoutUri: string | null, clientUri: string | null, codeProtection: ClientCodeProtection, defaultMaxAge: number | null, dpopBoundAccessTokens: boolean, grantTypes: Array<string>, idTokenSignedResponseAlg: SigningAlgorithm, introspectionSignedResponseAlg: SigningAlgorithm, jwks: string | null, jwksUri: string | null, logoUri: string | null, mayAct: string | null, policyUri: string | null, postLogoutRedirectUris: Array<string>, profile: ClientProfile, profileClaimsInIdToken: boolean, protectedResources: Array<string>, redirectUris: Array<string>, requestObjectSigningAlg: RequestObjectAlgorithm | null, requestUris: Array<string>, requireAuthTime: boolean, requireConsent: boolean, requirePushedAuthorizationRequests: boolean, requireSignedRequestObject: boolean, resources: Array<string>, ownScopes: Array<string>, scopes: Array<string>, sectorIdentifierUri: string | null, subjectType: SubjectType, tokenEndpointAuthMethod: ClientAuthMethod, tokenEndpointAuthSigningAlg: AssertionAlgorithm | null, tosUri: string | null, userinfoSignedResponseAlg: SigningAlgorithm | null, owner:
        | { id: string, groupName: string }
        | { id: string, userName: string, displayName: string | null, active: boolean }
       | null, claims: Array<{ name: string, expression: string, required: boolean }>, tokenExchange: { subjectClients: Array<string>, impersonation: boolean, agent: boolean, agentTokenLifetimeSeconds: number | null } | null } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type DisableApplicationMutationVariables = Exact<{
  input: ClientInput;
}>;


export type DisableApplicationMutation = { disableClient: { client: { id: string, version: number, name: string, type: ClientType, disabled: boolean, createdAt: string, lastUsedAt: string | null, applicationType: ApplicationType, backchannelLogoutSessionRequired: boolean, backchannelLogoutUri: string | null, clientUri: string | null, codeProtection: ClientCodeProtection, defaultMaxAge: number | null, dpopBoundAccessTokens: boolean, grantTypes: Array<string>, idTokenSignedResponseAlg: SigningAlgorithm, introspectionSignedResponseAlg: SigningAlgorithm, jwks: string | null, jwksUri: string | null, logoUri: string | null, mayAct: string | null, policyUri: string | null, postLogoutRedirectUris: Array<string>, profile: ClientProfile, profileClaimsInIdToken: boolean, protectedResources: Array<string>, redirectUris: Array<string>, requestObjectSigningAlg: RequestObjectAlgorithm | null, requestUris: Array<string>, requireAuthTime: boolean, requireConsent: boolean, requirePushedAuthorizationRequests: boolean, requireSignedRequestObject: boolean, resources: Array<string>, ownScopes: Array<string>, scopes: Array<string>, sectorIdentifierUri: string | null, subjectType: SubjectType, tokenEndpointAuthMethod: ClientAuthMethod, tokenEndpointAuthSigningAlg: AssertionAlgorithm | null, tosUri: string | null, userinfoSignedResponseAlg: SigningAlgorithm | null, owner:
        | { id: string, groupName: string }
        | { id: string, userName: string, displayName: string | null, active: boolean }
       | null, claims: Array<{ name: string, expression: string, required: boolean }>, tokenExchange: { subjectClients: Array<string>, impersonation: boolean, agent: boolean, agentTokenLifetimeSeconds: number | null } | null } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type EnableApplicationMutationVariables = Exact<{
  input: ClientInput;
}>;


export type EnableApplicationMutation = { enableClient: { client: { id: string, version: number, name: string, type: ClientType, disabled: boolean, createdAt: string, lastUsedAt: string | null, applicationType: ApplicationType, backchannelLogoutSessionRequired: boolean, backchannelLogoutUri: string | null, clientUri: string | null, codeProtection: ClientCodeProtection, defaultMaxAge: number | null, dpopBoundAccessTokens: boolean, grantTypes: Array<string>, idTokenSignedResponseAlg: SigningAlgorithm, introspectionSignedResponseAlg: SigningAlgorithm, jwks: string | null, jwksUri: string | null, logoUri: string | null, mayAct: string | null, policyUri: string | null, postLogoutRedirectUris: Array<string>, profile: ClientProfile, profileClaimsInIdToken: boolean, protectedResources: Array<string>, redirectUris: Array<string>, requestObjectSigningAlg: RequestObjectAlgorithm | null, requestUris: Array<string>, requireAuthTime: boolean, requireConsent: boolean, requirePushedAuthorizationRequests: boolean, requireSignedRequestObject: boolean, resources: Array<string>, ownScopes: Array<string>, scopes: Array<string>, sectorIdentifierUri: string | null, subjectType: SubjectType, tokenEndpointAuthMethod: ClientAuthMethod, tokenEndpointAuthSigningAlg: AssertionAlgorithm | null, tosUri: string | null, userinfoSignedResponseAlg: SigningAlgorithm | null, owner:
        | { id: string, groupName: string }
        | { id: string, userName: string, displayName: string | null, active: boolean }
       | null, claims: Array<{ name: string, expression: string, required: boolean }>, tokenExchange: { subjectClients: Array<string>, impersonation: boolean, agent: boolean, agentTokenLifetimeSeconds: number | null } | null } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type DeleteApplicationMutationVariables = Exact<{
  input: ClientInput;
}>;


export type DeleteApplicationMutation = { deleteClient: { id: string | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type RevokeApplicationGrantMutationVariables = Exact<{
  input: RevokeGrantInput;
}>;


export type RevokeApplicationGrantMutation = { revokeGrant: { id: string | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

type Owner_Group_Fragment = { id: string, groupName: string };

type Owner_User_Fragment = { id: string, userName: string, displayName: string | null, active: boolean };

export type OwnerFragment =
  | Owner_Group_Fragment
  | Owner_User_Fragment
;

export type ApplicationFragment = { id: string, version: number, name: string, type: ClientType, disabled: boolean, createdAt: string, lastUsedAt: string | null, applicationType: ApplicationType, backchannelLogoutSessionRequired: boolean, backchannelLogoutUri: string | null, clientUri: string | null, codeProtection: ClientCodeProtection, defaultMaxAge: number | null, dpopBoundAccessTokens: boolean, grantTypes: Array<string>, idTokenSignedResponseAlg: SigningAlgorithm, introspectionSignedResponseAlg: SigningAlgorithm, jwks: string | null, jwksUri: string | null, logoUri: string | null, mayAct: string | null, policyUri: string | null, postLogoutRedirectUris: Array<string>, profile: ClientProfile, profileClaimsInIdToken: boolean, protectedResources: Array<string>, redirectUris: Array<string>, requestObjectSigningAlg: RequestObjectAlgorithm | null, requestUris: Array<string>, requireAuthTime: boolean, requireConsent: boolean, requirePushedAuthorizationRequests: boolean, requireSignedRequestObject: boolean, resources: Array<string>, ownScopes: Array<string>, scopes: Array<string>, sectorIdentifierUri: string | null, subjectType: SubjectType, tokenEndpointAuthMethod: ClientAuthMethod, tokenEndpointAuthSigningAlg: AssertionAlgorithm | null, tosUri: string | null, userinfoSignedResponseAlg: SigningAlgorithm | null, owner:
    | { id: string, groupName: string }
    | { id: string, userName: string, displayName: string | null, active: boolean }
   | null, claims: Array<{ name: string, expression: string, required: boolean }>, tokenExchange: { subjectClients: Array<string>, impersonation: boolean, agent: boolean, agentTokenLifetimeSeconds: number | null } | null };

export const ApplicationListDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ApplicationList"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ClientFilter"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"50"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clients"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"applicationType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"grantTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"disabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Owner"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Owner"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CredentialOwner"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"groupName"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<ApplicationListQuery, ApplicationListQueryVariables>;

export const ApplicationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Application"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"client"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Application"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Application"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Client"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"disabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Owner"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applicationType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutSessionRequired"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"codeProtection"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"defaultMaxAge"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"dpopBoundAccessTokens"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"grantTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"idTokenSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"introspectionSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwks"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwksUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"logoUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mayAct"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"policyUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"postLogoutRedirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profileClaimsInIdToken"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"protectedResources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"redirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestObjectSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireAuthTime"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireConsent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requirePushedAuthorizationRequests"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireSignedRequestObject"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ownScopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"claims"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expression"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"required"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sectorIdentifierUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"subjectType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthMethod"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenExchange"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subjectClients"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"impersonation"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"agent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"agentTokenLifetimeSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tosUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userinfoSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Owner"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CredentialOwner"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"groupName"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<ApplicationQuery, ApplicationQueryVariables>;

export const ApplicationGrantsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ApplicationGrants"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"GrantFilter"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"50"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"grants"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sessionId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"user"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<ApplicationGrantsQuery, ApplicationGrantsQueryVariables>;

export const ApplicationHistoryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ApplicationHistory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SecurityLogFilter"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"50"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"securityLog"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"action"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ipAddress"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"actor"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"actorId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"user"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<ApplicationHistoryQuery, ApplicationHistoryQueryVariables>;

export const RegisterApplicationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RegisterApplication"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RegisterClientInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"registerClient"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clientSecret"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"repeated"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"client"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Application"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Application"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Client"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"disabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Owner"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applicationType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutSessionRequired"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"codeProtection"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"defaultMaxAge"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"dpopBoundAccessTokens"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"grantTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"idTokenSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"introspectionSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwks"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwksUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"logoUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mayAct"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"policyUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"postLogoutRedirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profileClaimsInIdToken"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"protectedResources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"redirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestObjectSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireAuthTime"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireConsent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requirePushedAuthorizationRequests"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireSignedRequestObject"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ownScopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"claims"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expression"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"required"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sectorIdentifierUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"subjectType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthMethod"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenExchange"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subjectClients"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"impersonation"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"agent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"agentTokenLifetimeSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tosUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userinfoSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Owner"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CredentialOwner"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"groupName"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<RegisterApplicationMutation, RegisterApplicationMutationVariables>;

export const UpdateApplicationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateApplication"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateClientInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateClient"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clientSecret"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"repeated"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"client"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Application"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflict"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currentVersion"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Application"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Client"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"disabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Owner"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applicationType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutSessionRequired"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"codeProtection"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"defaultMaxAge"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"dpopBoundAccessTokens"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"grantTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"idTokenSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"introspectionSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwks"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwksUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"logoUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mayAct"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"policyUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"postLogoutRedirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profileClaimsInIdToken"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"protectedResources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"redirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestObjectSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireAuthTime"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireConsent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requirePushedAuthorizationRequests"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireSignedRequestObject"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ownScopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"claims"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expression"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"required"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sectorIdentifierUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"subjectType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthMethod"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenExchange"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subjectClients"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"impersonation"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"agent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"agentTokenLifetimeSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tosUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userinfoSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Owner"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CredentialOwner"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"groupName"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<UpdateApplicationMutation, UpdateApplicationMutationVariables>;

export const RotateApplicationSecretDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RotateApplicationSecret"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RotateClientSecretInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rotateClientSecret"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clientSecret"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"repeated"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"client"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Application"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Application"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Client"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"disabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Owner"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applicationType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutSessionRequired"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"codeProtection"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"defaultMaxAge"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"dpopBoundAccessTokens"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"grantTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"idTokenSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"introspectionSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwks"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwksUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"logoUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mayAct"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"policyUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"postLogoutRedirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profileClaimsInIdToken"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"protectedResources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"redirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestObjectSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireAuthTime"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireConsent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requirePushedAuthorizationRequests"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireSignedRequestObject"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ownScopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"claims"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expression"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"required"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sectorIdentifierUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"subjectType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthMethod"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenExchange"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subjectClients"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"impersonation"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"agent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"agentTokenLifetimeSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tosUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userinfoSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Owner"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CredentialOwner"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"groupName"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<RotateApplicationSecretMutation, RotateApplicationSecretMutationVariables>;

export const DisableApplicationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DisableApplication"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ClientInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"disableClient"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"client"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Application"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Application"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Client"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"disabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Owner"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applicationType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutSessionRequired"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"codeProtection"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"defaultMaxAge"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"dpopBoundAccessTokens"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"grantTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"idTokenSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"introspectionSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwks"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwksUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"logoUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mayAct"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"policyUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"postLogoutRedirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profileClaimsInIdToken"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"protectedResources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"redirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestObjectSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireAuthTime"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireConsent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requirePushedAuthorizationRequests"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireSignedRequestObject"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ownScopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"claims"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expression"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"required"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sectorIdentifierUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"subjectType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthMethod"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenExchange"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subjectClients"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"impersonation"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"agent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"agentTokenLifetimeSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tosUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userinfoSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Owner"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CredentialOwner"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"groupName"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<DisableApplicationMutation, DisableApplicationMutationVariables>;

export const EnableApplicationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"EnableApplication"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ClientInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"enableClient"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"client"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Application"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Application"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Client"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"disabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastUsedAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Owner"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applicationType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutSessionRequired"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"codeProtection"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"defaultMaxAge"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"dpopBoundAccessTokens"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"grantTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"idTokenSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"introspectionSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwks"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwksUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"logoUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mayAct"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"policyUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"postLogoutRedirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profileClaimsInIdToken"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"protectedResources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"redirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestObjectSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireAuthTime"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireConsent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requirePushedAuthorizationRequests"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireSignedRequestObject"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ownScopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"claims"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expression"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"required"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sectorIdentifierUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"subjectType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthMethod"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenExchange"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subjectClients"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"impersonation"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"agent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"agentTokenLifetimeSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tosUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userinfoSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Owner"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CredentialOwner"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"groupName"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<EnableApplicationMutation, EnableApplicationMutationVariables>;

export const DeleteApplicationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteApplication"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ClientInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteClient"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<DeleteApplicationMutation, DeleteApplicationMutationVariables>;

export const RevokeApplicationGrantDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RevokeApplicationGrant"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RevokeGrantInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"revokeGrant"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<RevokeApplicationGrantMutation, RevokeApplicationGrantMutationVariables>;
