// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import type { TypedDocumentNode } from '@apollo/client';
/** Where a client runs (OpenID Connect Dynamic Client Registration §2). */
export type ApplicationType =
  /** On people's own machines: its redirect URIs may be loopback addresses and schemes of its own (RFC 8252). */
  | 'NATIVE'
  /** On a server, or in a browser. */
  | 'WEB';

/** What an assertion of a client or service account is signed with (RFC 7518, RFC 8037, RFC 9864). */
export type AssertionAlgorithm =
  /** Ed25519, by the name of RFC 9864. */
  | 'ED25519'
  /** Ed25519, by the name of RFC 8037. */
  | 'EDDSA'
  /** ECDSA on P-256. */
  | 'ES256'
  /** ECDSA on P-384. */
  | 'ES384'
  /** ECDSA on P-521. */
  | 'ES512'
  /** HMAC with SHA-256: by the secret of a client. */
  | 'HS256'
  /** HMAC with SHA-384: by the secret of a client. */
  | 'HS384'
  /** HMAC with SHA-512: by the secret of a client. */
  | 'HS512'
  /** RSA PSS with SHA-256. */
  | 'PS256'
  /** RSA PSS with SHA-384. */
  | 'PS384'
  /** RSA PSS with SHA-512. */
  | 'PS512'
  /** RSA PKCS #1 v1.5 with SHA-256. */
  | 'RS256'
  /** RSA PKCS #1 v1.5 with SHA-384. */
  | 'RS384'
  /** RSA PKCS #1 v1.5 with SHA-512. */
  | 'RS512';

/** How a client authenticates to the token endpoint. */
export type ClientAuthMethod =
  /** With its secret, in the Authorization header or in the form: the default of a confidential client. */
  | 'CLIENT_SECRET'
  /** With its secret in the Authorization header. */
  | 'CLIENT_SECRET_BASIC'
  /** With an assertion that its secret signs (RFC 7523). */
  | 'CLIENT_SECRET_JWT'
  /** With its secret in the form. */
  | 'CLIENT_SECRET_POST'
  /** Not at all: a public client. */
  | 'NONE'
  /** With an assertion that its private key signs (RFC 7523). */
  | 'PRIVATE_KEY_JWT';

/** What binds an authorization code to the browser it was issued for (OAuth 2.1 §7.5.1). */
export type ClientCodeProtection =
  /** Neither is required. For confidential OpenID clients that support neither; a stolen code can then be injected. */
  | 'NONE'
  /** PKCE (RFC 7636) is required. */
  | 'PKCE'
  /** PKCE, or a `nonce` with scope `openid`. For confidential OpenID clients that do not support PKCE. */
  | 'PKCE_OR_NONCE';

/** Narrows a list of clients; what is left out doesn't narrow. */
export type ClientFilter = {
  /** Only those that are refused, or aren't. */
  disabled?: boolean | null | undefined;
  /** Only those that may use this grant, for instance `client_credentials`. */
  grantType?: string | null | undefined;
  /** Only those that are somebody's, or nobody's. */
  hasOwner?: boolean | null | undefined;
  /** Only those whose name contains this, whatever its case. */
  name?: string | null | undefined;
  /** Only those of this person or group. */
  ownerId?: string | null | undefined;
  /** Only those that may ask for this scope. */
  scope?: string | null | undefined;
  /** Only those that can keep a secret, or can't. */
  type?: ClientType | null | undefined;
};

/** Which client. */
export type ClientInput = {
  /** The client's id. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the client has changed since. */
  version?: number | null | undefined;
};

/** What sort of app a client is. */
export type ClientKind =
  /** Has no browser (RFC 8628): public, device code and refresh. */
  | 'DEVICE'
  /** Acts for itself: confidential, client credentials. */
  | 'MACHINE'
  /** A client of the Model Context Protocol: public and native, with tokens for nothing but the servers in `resources`, which it needs. */
  | 'MCP'
  /** Is installed on people's devices (RFC 8252): public, authorization code and refresh, any port of a loopback redirect URI. */
  | 'NATIVE'
  /** Runs in the browser: public, authorization code and refresh. */
  | 'SINGLE_PAGE'
  /** Runs on a server that people use with a browser: confidential, authorization code and refresh. */
  | 'WEB';

/** A set of rules for clients that go beyond those for all. */
export type ClientProfile =
  /** The FAPI 2.0 Security Profile: private_key_jwt, pushed requests, tokens bound to a key (DPoP), PS256, ES256 or EdDSA. */
  | 'FAPI2'
  /** OAuth 2.1 and OpenID Connect, as every client. */
  | 'STANDARD';

/** Whether a client can keep a secret. */
export type ClientType =
  /** It runs where nobody else can look: it authenticates. */
  | 'CONFIDENTIAL'
  /** It runs on people's own machines: PKCE protects it. */
  | 'PUBLIC';

/** Narrows a list of grants; what is left out doesn't narrow. */
export type GrantFilter = {
  /** Only those of this app. */
  clientId?: string | null | undefined;
  /** Only those that were given in this session. */
  sessionId?: string | null | undefined;
  /** Only those of this person. */
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

/** A new client; what is left out gets the default of RFC 7591. */
export type RegisterClientInput = {
  /** Where it runs: what its redirect URIs may be. NATIVE is the default of a public client, WEB of a confidential one. */
  applicationType?: ApplicationType | null | undefined;
  /** Whether a logout token always has to name the session, and not only the person. */
  backchannelLogoutSessionRequired?: boolean | null | undefined;
  /** Where it is told, by a logout token, that a session has ended in which it was given tokens (OpenID Connect Back-Channel Logout). A web address without fragment: https, or http for a confidential client outside production. */
  backchannelLogoutUri?: string | null | undefined;
  /** Its home page. */
  clientUri?: string | null | undefined;
  /** What binds its authorization codes to the browser they were issued for. The default, null, is PKCE. */
  codeProtection?: ClientCodeProtection | null | undefined;
  /** Seconds since the person signed in, at most, when a request doesn't say. */
  defaultMaxAge?: number | null | undefined;
  /** Whether it never gets a token that isn't bound to a key of its own (DPoP, RFC 9449). */
  dpopBoundAccessTokens?: boolean | null | undefined;
  /** The grants it may use, for instance `authorization_code`. */
  grantTypes?: Array<string> | null | undefined;
  /** The signature of its ID tokens; RS256 is the default. */
  idTokenSignedResponseAlg?: SigningAlgorithm | null | undefined;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result, without secrets that are shown only once. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** The signature of its introspection responses (RFC 9701). */
  introspectionSignedResponseAlg?: SigningAlgorithm | null | undefined;
  /** The client's public keys, as the JSON text of a JSON Web Key Set (RFC 7517); for PRIVATE_KEY_JWT. */
  jwks?: string | null | undefined;
  /** Where the client publishes its public keys, instead of `jwks`. */
  jwksUri?: string | null | undefined;
  /**
   * What sort of app it is: for what is left out below, what suits the kind is registered. What can't be of that kind, such as a secret
   * for an app in the browser, is refused.
   */
  kind?: ClientKind | null | undefined;
  /** Its logo: fetched and kept by the server, and shown where people sign in and are asked. */
  logoUri?: string | null | undefined;
  /** The one client that may act for the people its tokens are about (`may_act`, RFC 8693). */
  mayAct?: string | null | undefined;
  /** What people see on the consent page. */
  name: string;
  /**
   * The owner: a group, or an active user whose role allows managing it. By default the user who creates it, or for whom an app does, or the
   * owner of the program that does. What a program of the platform operator creates has no owner.
   */
  ownerId?: string | null | undefined;
  /** What it says about personal data, a web address. */
  policyUri?: string | null | undefined;
  /** Where it may send people after signing out. */
  postLogoutRedirectUris?: Array<string> | null | undefined;
  /** The security profile it is held to; the tenant may require one of every client (`requiredClientProfile`). */
  profile?: ClientProfile | null | undefined;
  /** Whether its ID tokens hold the claims of the scopes it gets, for clients that never ask userinfo. */
  profileClaimsInIdToken?: boolean | null | undefined;
  /** The resources (RFC 9728) it serves: it may introspect the tokens that are meant for them. `urn:ostiary:tenant-api` stands for the tenant's own API. For confidential clients. */
  protectedResources?: Array<string> | null | undefined;
  /** Where authorization answers may go. */
  redirectUris?: Array<string> | null | undefined;
  /** What its request objects (RFC 9101) must be signed with: any key it registered, unless said. NONE lets it send them unsigned, as plain requests are. */
  requestObjectSigningAlg?: RequestObjectAlgorithm | null | undefined;
  /** Where its request objects may be fetched (`request_uri`): public addresses, compared character by character; one without a fragment may be followed by any. */
  requestUris?: Array<string> | null | undefined;
  /** Whether its ID tokens must tell when the person signed in. */
  requireAuthTime?: boolean | null | undefined;
  /** Whether people are asked before it gets access. */
  requireConsent?: boolean | null | undefined;
  /**
   * False only for software without PKCE that can't send a `nonce` either: nothing then ties its codes to the browser they were made for.
   * @deprecated Use codeProtection. sunset: 2027-11-30
   */
  requireNonce?: boolean | null | undefined;
  /**
   * Whether it must use PKCE. False only for old software that can't: a confidential OpenID client, which then has to send
   * a `nonce` instead.
   * @deprecated Use codeProtection. sunset: 2027-11-30
   */
  requirePkce?: boolean | null | undefined;
  /** Whether its authorization requests must be pushed (RFC 9126). */
  requirePushedAuthorizationRequests?: boolean | null | undefined;
  /** Whether its authorization requests must be signed request objects; needs `jwks` or `jwksUri`. */
  requireSignedRequestObject?: boolean | null | undefined;
  /** The resources (RFC 8707) it may ask tokens for, besides the tenant's own API. */
  resources?: Array<string> | null | undefined;
  /** The scopes it may ask for. */
  scopes?: Array<string> | null | undefined;
  /** A document that lists the redirect URIs of all clients that shall share its identifiers for people (OpenID Connect Core §8.1), this one's among them. Fetched now and at every change of the registration. */
  sectorIdentifierUri?: string | null | undefined;
  /** Whether the client sees people's ids, or identifiers of its own for them (OpenID Connect Core §8). */
  subjectType?: SubjectType | null | undefined;
  /** How it will authenticate; NONE makes it a public client, CLIENT_SECRET is the default. */
  tokenEndpointAuthMethod?: ClientAuthMethod | null | undefined;
  /** The only algorithm its assertions may be signed with. */
  tokenEndpointAuthSigningAlg?: AssertionAlgorithm | null | undefined;
  /** Whose tokens it may exchange (RFC 8693), and how; needs the grant of token exchange. */
  tokenExchange?: TokenExchangePolicyInput | null | undefined;
  /** Its terms, a web address. */
  tosUri?: string | null | undefined;
  /** The signature of its userinfo answers; plain JSON is the default. */
  userinfoSignedResponseAlg?: SigningAlgorithm | null | undefined;
};

/** What a request object of a client is signed with (RFC 9101 §6.2). */
export type RequestObjectAlgorithm =
  /** Ed25519, by the name of RFC 9864. */
  | 'ED25519'
  /** Ed25519, by the name of RFC 8037. */
  | 'EDDSA'
  /** ECDSA on P-256. */
  | 'ES256'
  /** ECDSA on P-384. */
  | 'ES384'
  /** ECDSA on P-521. */
  | 'ES512'
  /** Nothing: whoever sends it may have changed it. */
  | 'NONE'
  /** RSA PSS with SHA-256. */
  | 'PS256'
  /** RSA PSS with SHA-384. */
  | 'PS384'
  /** RSA PSS with SHA-512. */
  | 'PS512'
  /** RSA PKCS #1 v1.5 with SHA-256. */
  | 'RS256'
  /** RSA PKCS #1 v1.5 with SHA-384. */
  | 'RS384'
  /** RSA PKCS #1 v1.5 with SHA-512. */
  | 'RS512';

/** Which grant ends. */
export type RevokeGrantInput = {
  /** The grant's id. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
};

/** Which client gets a new secret, and how long the previous one keeps working. */
export type RotateClientSecretInput = {
  /** The client's id. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result, without secrets that are shown only once. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** Seconds for which the previous secret keeps working, 0 (stops at once) to 2592000 (30 days). */
  overlapSeconds?: number | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the client has changed since. */
  version?: number | null | undefined;
};

/** Narrows the security log; what is left out doesn't narrow. */
export type SecurityLogFilter = {
  /** Only this action, for instance `client.updated`. */
  action?: string | null | undefined;
  /** Only what this actor did. */
  actorId?: string | null | undefined;
  /** Only what was asked for with an access token of this app. */
  clientId?: string | null | undefined;
  /** Only what was asked for from this address; for people without `audit:read` only of what they did themselves. */
  ipAddress?: string | null | undefined;
  /** Only what this request did. */
  requestId?: string | null | undefined;
  /** Only what is about this client, token, session or whatever else has this id. */
  resourceId?: string | null | undefined;
  /** Only from this instant on. */
  since?: string | null | undefined;
  /** Only what happened in this trace. */
  traceId?: string | null | undefined;
  /** Only before this instant. */
  until?: string | null | undefined;
  /** Only what concerns this person. */
  userId?: string | null | undefined;
};

/** What a token is signed with (RFC 7518, RFC 8037). */
export type SigningAlgorithm =
  /** Ed25519: answers to clients that registered it. A tenant without one has no such key. */
  | 'EDDSA'
  /** ECDSA on P-256: access tokens. */
  | 'ES256'
  /** RSA with PSS: answers to clients that registered it, and ID tokens of clients under the FAPI 2.0 profile. */
  | 'PS256'
  /** RSA: ID tokens of clients that registered nothing else. */
  | 'RS256';

/** What a client knows people as. */
export type SubjectType =
  /** By an identifier that only clients of the same host see: nobody else can tell that it is the same person. */
  | 'PAIRWISE'
  /** By their id, as everybody does. */
  | 'PUBLIC';

/** Whose tokens a client may exchange (RFC 8693), and how. */
export type TokenExchangePolicyInput = {
  /** Whether it may do so without being named as the actor. */
  impersonation?: boolean | null | undefined;
  /** The ids of the clients whose tokens it may exchange, besides its own. */
  subjectClients: Array<string>;
};

/** What changes of a client; what is left out stays as it is, and null goes back to the default. */
export type UpdateClientInput = {
  /** Where it runs: what its redirect URIs may be. NATIVE is the default of a public client, WEB of a confidential one. */
  applicationType?: ApplicationType | null | undefined;
  /** Whether a logout token always has to name the session, and not only the person. */
  backchannelLogoutSessionRequired?: boolean | null | undefined;
  /** Where it is told, by a logout token, that a session has ended in which it was given tokens (OpenID Connect Back-Channel Logout). A web address without fragment: https, or http for a confidential client outside production. */
  backchannelLogoutUri?: string | null | undefined;
  /** Its home page. */
  clientUri?: string | null | undefined;
  /** What binds its authorization codes to the browser they were issued for. The default, null, is PKCE. */
  codeProtection?: ClientCodeProtection | null | undefined;
  /** Seconds since the person signed in, at most, when a request doesn't say. */
  defaultMaxAge?: number | null | undefined;
  /** Whether it never gets a token that isn't bound to a key of its own (DPoP, RFC 9449). */
  dpopBoundAccessTokens?: boolean | null | undefined;
  /** The grants it may use, for instance `authorization_code`. */
  grantTypes?: Array<string> | null | undefined;
  /** The client's id. */
  id: string;
  /** The signature of its ID tokens; RS256 is the default. */
  idTokenSignedResponseAlg?: SigningAlgorithm | null | undefined;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result, without secrets that are shown only once. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** The signature of its introspection responses (RFC 9701). */
  introspectionSignedResponseAlg?: SigningAlgorithm | null | undefined;
  /** The client's public keys, as the JSON text of a JSON Web Key Set (RFC 7517); for PRIVATE_KEY_JWT. */
  jwks?: string | null | undefined;
  /** Where the client publishes its public keys, instead of `jwks`. */
  jwksUri?: string | null | undefined;
  /** Its logo: fetched and kept by the server, and shown where people sign in and are asked. */
  logoUri?: string | null | undefined;
  /** The one client that may act for the people its tokens are about (`may_act`, RFC 8693). */
  mayAct?: string | null | undefined;
  /** What people see on the consent page. */
  name?: string | null | undefined;
  /** What it says about personal data, a web address. */
  policyUri?: string | null | undefined;
  /** Where it may send people after signing out. */
  postLogoutRedirectUris?: Array<string> | null | undefined;
  /** The security profile it is held to; the tenant may require one of every client (`requiredClientProfile`). */
  profile?: ClientProfile | null | undefined;
  /** Whether its ID tokens hold the claims of the scopes it gets, for clients that never ask userinfo. */
  profileClaimsInIdToken?: boolean | null | undefined;
  /** The resources (RFC 9728) it serves: it may introspect the tokens that are meant for them. `urn:ostiary:tenant-api` stands for the tenant's own API. For confidential clients. */
  protectedResources?: Array<string> | null | undefined;
  /** Where authorization answers may go. */
  redirectUris?: Array<string> | null | undefined;
  /** What its request objects (RFC 9101) must be signed with: any key it registered, unless said. NONE lets it send them unsigned, as plain requests are. */
  requestObjectSigningAlg?: RequestObjectAlgorithm | null | undefined;
  /** Where its request objects may be fetched (`request_uri`): public addresses, compared character by character; one without a fragment may be followed by any. */
  requestUris?: Array<string> | null | undefined;
  /** Whether its ID tokens must tell when the person signed in. */
  requireAuthTime?: boolean | null | undefined;
  /** Whether people are asked before it gets access. */
  requireConsent?: boolean | null | undefined;
  /**
   * False only for software without PKCE that can't send a `nonce` either: nothing then ties its codes to the browser they were made for.
   * @deprecated Use codeProtection. sunset: 2027-11-30
   */
  requireNonce?: boolean | null | undefined;
  /**
   * Whether it must use PKCE. False only for old software that can't: a confidential OpenID client, which then has to send
   * a `nonce` instead.
   * @deprecated Use codeProtection. sunset: 2027-11-30
   */
  requirePkce?: boolean | null | undefined;
  /** Whether its authorization requests must be pushed (RFC 9126). */
  requirePushedAuthorizationRequests?: boolean | null | undefined;
  /** Whether its authorization requests must be signed request objects; needs `jwks` or `jwksUri`. */
  requireSignedRequestObject?: boolean | null | undefined;
  /** The resources (RFC 8707) it may ask tokens for, besides the tenant's own API. */
  resources?: Array<string> | null | undefined;
  /** The scopes it may ask for. */
  scopes?: Array<string> | null | undefined;
  /** A document that lists its redirect URIs (OpenID Connect Core §8.1). Another host means other identifiers for everybody. */
  sectorIdentifierUri?: string | null | undefined;
  /** How it will authenticate. What was issued ends when it becomes public, or stops being so. */
  tokenEndpointAuthMethod?: ClientAuthMethod | null | undefined;
  /** The only algorithm its assertions may be signed with. */
  tokenEndpointAuthSigningAlg?: AssertionAlgorithm | null | undefined;
  /** Whose tokens it may exchange (RFC 8693), and how; needs the grant of token exchange. */
  tokenExchange?: TokenExchangePolicyInput | null | undefined;
  /** Its terms, a web address. */
  tosUri?: string | null | undefined;
  /** The signature of its userinfo answers; plain JSON is the default. */
  userinfoSignedResponseAlg?: SigningAlgorithm | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the client has changed since. */
  version?: number | null | undefined;
};

export type ApplicationListQueryVariables = Exact<{
  filter?: ClientFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ApplicationListQuery = { clients: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, name: string, type: ClientType, applicationType: ApplicationType, grantTypes: Array<string>, scopes: Array<string>, resources: Array<string>, disabled: boolean, createdAt: string, version: number, owner:
          | { id: string, groupName: string }
          | { id: string, userName: string, displayName: string | null, active: boolean }
         | null } | null }> } | null };

export type ApplicationQueryVariables = Exact<{
  id: string;
}>;


export type ApplicationQuery = { client: { id: string, version: number, name: string, type: ClientType, disabled: boolean, createdAt: string, applicationType: ApplicationType, backchannelLogoutSessionRequired: boolean, backchannelLogoutUri: string | null, clientUri: string | null, codeProtection: ClientCodeProtection, defaultMaxAge: number | null, dpopBoundAccessTokens: boolean, grantTypes: Array<string>, idTokenSignedResponseAlg: SigningAlgorithm, introspectionSignedResponseAlg: SigningAlgorithm, jwks: string | null, jwksUri: string | null, logoUri: string | null, mayAct: string | null, policyUri: string | null, postLogoutRedirectUris: Array<string>, profile: ClientProfile, profileClaimsInIdToken: boolean, protectedResources: Array<string>, redirectUris: Array<string>, requestObjectSigningAlg: RequestObjectAlgorithm | null, requestUris: Array<string>, requireAuthTime: boolean, requireConsent: boolean, requirePushedAuthorizationRequests: boolean, requireSignedRequestObject: boolean, resources: Array<string>, scopes: Array<string>, sectorIdentifierUri: string | null, subjectType: SubjectType, tokenEndpointAuthMethod: ClientAuthMethod, tokenEndpointAuthSigningAlg: AssertionAlgorithm | null, tosUri: string | null, userinfoSignedResponseAlg: SigningAlgorithm | null, owner:
      | { id: string, groupName: string }
      | { id: string, userName: string, displayName: string | null, active: boolean }
     | null, tokenExchange: { subjectClients: Array<string>, impersonation: boolean } | null } | null };

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


export type RegisterApplicationMutation = { registerClient: { clientSecret: string | null, repeated: boolean | null, client: { id: string, version: number, name: string, type: ClientType, disabled: boolean, createdAt: string, applicationType: ApplicationType, backchannelLogoutSessionRequired: boolean, backchannelLogoutUri: string | null, clientUri: string | null, codeProtection: ClientCodeProtection, defaultMaxAge: number | null, dpopBoundAccessTokens: boolean, grantTypes: Array<string>, idTokenSignedResponseAlg: SigningAlgorithm, introspectionSignedResponseAlg: SigningAlgorithm, jwks: string | null, jwksUri: string | null, logoUri: string | null, mayAct: string | null, policyUri: string | null, postLogoutRedirectUris: Array<string>, profile: ClientProfile, profileClaimsInIdToken: boolean, protectedResources: Array<string>, redirectUris: Array<string>, requestObjectSigningAlg: RequestObjectAlgorithm | null, requestUris: Array<string>, requireAuthTime: boolean, requireConsent: boolean, requirePushedAuthorizationRequests: boolean, requireSignedRequestObject: boolean, resources: Array<string>, scopes: Array<string>, sectorIdentifierUri: string | null, subjectType: SubjectType, tokenEndpointAuthMethod: ClientAuthMethod, tokenEndpointAuthSigningAlg: AssertionAlgorithm | null, tosUri: string | null, userinfoSignedResponseAlg: SigningAlgorithm | null, owner:
        | { id: string, groupName: string }
        | { id: string, userName: string, displayName: string | null, active: boolean }
       | null, tokenExchange: { subjectClients: Array<string>, impersonation: boolean } | null } | null, problems: Array<
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


export type UpdateApplicationMutation = { updateClient: { clientSecret: string | null, repeated: boolean | null, client: { id: string, version: number, name: string, type: ClientType, disabled: boolean, createdAt: string, applicationType: ApplicationType, backchannelLogoutSessionRequired: boolean, backchannelLogoutUri: string | null, clientUri: string | null, codeProtection: ClientCodeProtection, defaultMaxAge: number | null, dpopBoundAccessTokens: boolean, grantTypes: Array<string>, idTokenSignedResponseAlg: SigningAlgorithm, introspectionSignedResponseAlg: SigningAlgorithm, jwks: string | null, jwksUri: string | null, logoUri: string | null, mayAct: string | null, policyUri: string | null, postLogoutRedirectUris: Array<string>, profile: ClientProfile, profileClaimsInIdToken: boolean, protectedResources: Array<string>, redirectUris: Array<string>, requestObjectSigningAlg: RequestObjectAlgorithm | null, requestUris: Array<string>, requireAuthTime: boolean, requireConsent: boolean, requirePushedAuthorizationRequests: boolean, requireSignedRequestObject: boolean, resources: Array<string>, scopes: Array<string>, sectorIdentifierUri: string | null, subjectType: SubjectType, tokenEndpointAuthMethod: ClientAuthMethod, tokenEndpointAuthSigningAlg: AssertionAlgorithm | null, tosUri: string | null, userinfoSignedResponseAlg: SigningAlgorithm | null, owner:
        | { id: string, groupName: string }
        | { id: string, userName: string, displayName: string | null, active: boolean }
       | null, tokenExchange: { subjectClients: Array<string>, impersonation: boolean } | null } | null, problems: Array<
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


export type RotateApplicationSecretMutation = { rotateClientSecret: { clientSecret: string | null, repeated: boolean | null, client: { id: string, version: number, name: string, type: ClientType, disabled: boolean, createdAt: string, applicationType: ApplicationType, backchannelLogoutSessionRequired: boolean, backchannelLogoutUri: string | null, clientUri: string | null, codeProtection: ClientCodeProtection, defaultMaxAge: number | null, dpopBoundAccessTokens: boolean, grantTypes: Array<string>, idTokenSignedResponseAlg: SigningAlgorithm, introspectionSignedResponseAlg: SigningAlgorithm, jwks: string | null, jwksUri: string | null, logoUri: string | null, mayAct: string | null, policyUri: string | null, postLogoutRedirectUris: Array<string>, profile: ClientProfile, profileClaimsInIdToken: boolean, protectedResources: Array<string>, redirectUris: Array<string>, requestObjectSigningAlg: RequestObjectAlgorithm | null, requestUris: Array<string>, requireAuthTime: boolean, requireConsent: boolean, requirePushedAuthorizationRequests: boolean, requireSignedRequestObject: boolean, resources: Array<string>, scopes: Array<string>, sectorIdentifierUri: string | null, subjectType: SubjectType, tokenEndpointAuthMethod: ClientAuthMethod, tokenEndpointAuthSigningAlg: AssertionAlgorithm | null, tosUri: string | null, userinfoSignedResponseAlg: SigningAlgorithm | null, owner:
        | { id: string, groupName: string }
        | { id: string, userName: string, displayName: string | null, active: boolean }
       | null, tokenExchange: { subjectClients: Array<string>, impersonation: boolean } | null } | null, problems: Array<
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


export type DisableApplicationMutation = { disableClient: { client: { id: string, version: number, name: string, type: ClientType, disabled: boolean, createdAt: string, applicationType: ApplicationType, backchannelLogoutSessionRequired: boolean, backchannelLogoutUri: string | null, clientUri: string | null, codeProtection: ClientCodeProtection, defaultMaxAge: number | null, dpopBoundAccessTokens: boolean, grantTypes: Array<string>, idTokenSignedResponseAlg: SigningAlgorithm, introspectionSignedResponseAlg: SigningAlgorithm, jwks: string | null, jwksUri: string | null, logoUri: string | null, mayAct: string | null, policyUri: string | null, postLogoutRedirectUris: Array<string>, profile: ClientProfile, profileClaimsInIdToken: boolean, protectedResources: Array<string>, redirectUris: Array<string>, requestObjectSigningAlg: RequestObjectAlgorithm | null, requestUris: Array<string>, requireAuthTime: boolean, requireConsent: boolean, requirePushedAuthorizationRequests: boolean, requireSignedRequestObject: boolean, resources: Array<string>, scopes: Array<string>, sectorIdentifierUri: string | null, subjectType: SubjectType, tokenEndpointAuthMethod: ClientAuthMethod, tokenEndpointAuthSigningAlg: AssertionAlgorithm | null, tosUri: string | null, userinfoSignedResponseAlg: SigningAlgorithm | null, owner:
        | { id: string, groupName: string }
        | { id: string, userName: string, displayName: string | null, active: boolean }
       | null, tokenExchange: { subjectClients: Array<string>, impersonation: boolean } | null } | null, problems: Array<
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


export type EnableApplicationMutation = { enableClient: { client: { id: string, version: number, name: string, type: ClientType, disabled: boolean, createdAt: string, applicationType: ApplicationType, backchannelLogoutSessionRequired: boolean, backchannelLogoutUri: string | null, clientUri: string | null, codeProtection: ClientCodeProtection, defaultMaxAge: number | null, dpopBoundAccessTokens: boolean, grantTypes: Array<string>, idTokenSignedResponseAlg: SigningAlgorithm, introspectionSignedResponseAlg: SigningAlgorithm, jwks: string | null, jwksUri: string | null, logoUri: string | null, mayAct: string | null, policyUri: string | null, postLogoutRedirectUris: Array<string>, profile: ClientProfile, profileClaimsInIdToken: boolean, protectedResources: Array<string>, redirectUris: Array<string>, requestObjectSigningAlg: RequestObjectAlgorithm | null, requestUris: Array<string>, requireAuthTime: boolean, requireConsent: boolean, requirePushedAuthorizationRequests: boolean, requireSignedRequestObject: boolean, resources: Array<string>, scopes: Array<string>, sectorIdentifierUri: string | null, subjectType: SubjectType, tokenEndpointAuthMethod: ClientAuthMethod, tokenEndpointAuthSigningAlg: AssertionAlgorithm | null, tosUri: string | null, userinfoSignedResponseAlg: SigningAlgorithm | null, owner:
        | { id: string, groupName: string }
        | { id: string, userName: string, displayName: string | null, active: boolean }
       | null, tokenExchange: { subjectClients: Array<string>, impersonation: boolean } | null } | null, problems: Array<
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

export type ApplicationFragment = { id: string, version: number, name: string, type: ClientType, disabled: boolean, createdAt: string, applicationType: ApplicationType, backchannelLogoutSessionRequired: boolean, backchannelLogoutUri: string | null, clientUri: string | null, codeProtection: ClientCodeProtection, defaultMaxAge: number | null, dpopBoundAccessTokens: boolean, grantTypes: Array<string>, idTokenSignedResponseAlg: SigningAlgorithm, introspectionSignedResponseAlg: SigningAlgorithm, jwks: string | null, jwksUri: string | null, logoUri: string | null, mayAct: string | null, policyUri: string | null, postLogoutRedirectUris: Array<string>, profile: ClientProfile, profileClaimsInIdToken: boolean, protectedResources: Array<string>, redirectUris: Array<string>, requestObjectSigningAlg: RequestObjectAlgorithm | null, requestUris: Array<string>, requireAuthTime: boolean, requireConsent: boolean, requirePushedAuthorizationRequests: boolean, requireSignedRequestObject: boolean, resources: Array<string>, scopes: Array<string>, sectorIdentifierUri: string | null, subjectType: SubjectType, tokenEndpointAuthMethod: ClientAuthMethod, tokenEndpointAuthSigningAlg: AssertionAlgorithm | null, tosUri: string | null, userinfoSignedResponseAlg: SigningAlgorithm | null, owner:
    | { id: string, groupName: string }
    | { id: string, userName: string, displayName: string | null, active: boolean }
   | null, tokenExchange: { subjectClients: Array<string>, impersonation: boolean } | null };

export const ApplicationListDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ApplicationList"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"ClientFilter"}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"50"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clients"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"applicationType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"grantTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"disabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Owner"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Owner"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CredentialOwner"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"groupName"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<ApplicationListQuery, ApplicationListQueryVariables>;

export const ApplicationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Application"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"client"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Application"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Application"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Client"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"disabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Owner"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applicationType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutSessionRequired"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"codeProtection"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"defaultMaxAge"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"dpopBoundAccessTokens"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"grantTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"idTokenSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"introspectionSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwks"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwksUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"logoUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mayAct"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"policyUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"postLogoutRedirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profileClaimsInIdToken"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"protectedResources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"redirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestObjectSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireAuthTime"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireConsent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requirePushedAuthorizationRequests"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireSignedRequestObject"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sectorIdentifierUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"subjectType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthMethod"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenExchange"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subjectClients"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"impersonation"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tosUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userinfoSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Owner"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CredentialOwner"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"groupName"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<ApplicationQuery, ApplicationQueryVariables>;

export const ApplicationGrantsDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ApplicationGrants"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"GrantFilter"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"50"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"grants"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sessionId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"user"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<ApplicationGrantsQuery, ApplicationGrantsQueryVariables>;

export const ApplicationHistoryDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ApplicationHistory"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"SecurityLogFilter"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"50"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"securityLog"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"action"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"occurredAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"ipAddress"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"actor"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"actorId"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"user"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<ApplicationHistoryQuery, ApplicationHistoryQueryVariables>;

export const RegisterApplicationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RegisterApplication"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RegisterClientInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"registerClient"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clientSecret"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"repeated"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"client"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Application"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Application"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Client"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"disabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Owner"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applicationType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutSessionRequired"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"codeProtection"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"defaultMaxAge"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"dpopBoundAccessTokens"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"grantTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"idTokenSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"introspectionSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwks"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwksUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"logoUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mayAct"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"policyUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"postLogoutRedirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profileClaimsInIdToken"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"protectedResources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"redirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestObjectSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireAuthTime"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireConsent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requirePushedAuthorizationRequests"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireSignedRequestObject"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sectorIdentifierUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"subjectType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthMethod"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenExchange"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subjectClients"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"impersonation"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tosUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userinfoSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Owner"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CredentialOwner"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"groupName"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<RegisterApplicationMutation, RegisterApplicationMutationVariables>;

export const UpdateApplicationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateApplication"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateClientInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateClient"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clientSecret"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"repeated"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"client"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Application"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflict"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currentVersion"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Application"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Client"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"disabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Owner"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applicationType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutSessionRequired"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"codeProtection"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"defaultMaxAge"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"dpopBoundAccessTokens"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"grantTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"idTokenSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"introspectionSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwks"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwksUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"logoUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mayAct"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"policyUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"postLogoutRedirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profileClaimsInIdToken"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"protectedResources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"redirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestObjectSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireAuthTime"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireConsent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requirePushedAuthorizationRequests"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireSignedRequestObject"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sectorIdentifierUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"subjectType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthMethod"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenExchange"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subjectClients"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"impersonation"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tosUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userinfoSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Owner"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CredentialOwner"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"groupName"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<UpdateApplicationMutation, UpdateApplicationMutationVariables>;

export const RotateApplicationSecretDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RotateApplicationSecret"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RotateClientSecretInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"rotateClientSecret"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clientSecret"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"repeated"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"client"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Application"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Application"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Client"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"disabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Owner"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applicationType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutSessionRequired"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"codeProtection"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"defaultMaxAge"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"dpopBoundAccessTokens"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"grantTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"idTokenSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"introspectionSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwks"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwksUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"logoUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mayAct"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"policyUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"postLogoutRedirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profileClaimsInIdToken"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"protectedResources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"redirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestObjectSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireAuthTime"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireConsent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requirePushedAuthorizationRequests"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireSignedRequestObject"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sectorIdentifierUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"subjectType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthMethod"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenExchange"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subjectClients"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"impersonation"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tosUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userinfoSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Owner"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CredentialOwner"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"groupName"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<RotateApplicationSecretMutation, RotateApplicationSecretMutationVariables>;

export const DisableApplicationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DisableApplication"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ClientInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"disableClient"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"client"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Application"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Application"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Client"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"disabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Owner"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applicationType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutSessionRequired"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"codeProtection"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"defaultMaxAge"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"dpopBoundAccessTokens"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"grantTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"idTokenSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"introspectionSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwks"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwksUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"logoUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mayAct"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"policyUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"postLogoutRedirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profileClaimsInIdToken"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"protectedResources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"redirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestObjectSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireAuthTime"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireConsent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requirePushedAuthorizationRequests"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireSignedRequestObject"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sectorIdentifierUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"subjectType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthMethod"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenExchange"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subjectClients"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"impersonation"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tosUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userinfoSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Owner"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CredentialOwner"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"groupName"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<DisableApplicationMutation, DisableApplicationMutationVariables>;

export const EnableApplicationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"EnableApplication"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ClientInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"enableClient"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"client"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Application"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Application"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Client"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"type"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"disabled"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"owner"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Owner"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"applicationType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutSessionRequired"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"backchannelLogoutUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"clientUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"codeProtection"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"defaultMaxAge"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"dpopBoundAccessTokens"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"grantTypes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"idTokenSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"introspectionSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwks"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"jwksUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"logoUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"mayAct"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"policyUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"postLogoutRedirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profile"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"profileClaimsInIdToken"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"protectedResources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"redirectUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestObjectSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requestUris"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireAuthTime"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireConsent"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requirePushedAuthorizationRequests"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"requireSignedRequestObject"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"resources"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"sectorIdentifierUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"subjectType"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthMethod"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenEndpointAuthSigningAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenExchange"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"subjectClients"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"impersonation"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"tosUri"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userinfoSignedResponseAlg"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Owner"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"CredentialOwner"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Group"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","alias":{"kind":"Name","value":"groupName"},"name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<EnableApplicationMutation, EnableApplicationMutationVariables>;

export const DeleteApplicationDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DeleteApplication"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ClientInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteClient"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<DeleteApplicationMutation, DeleteApplicationMutationVariables>;

export const RevokeApplicationGrantDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RevokeApplicationGrant"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RevokeGrantInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"revokeGrant"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<RevokeApplicationGrantMutation, RevokeApplicationGrantMutationVariables>;
