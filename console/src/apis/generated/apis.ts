// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import type { TypedDocumentNode } from '@apollo/client';
/** Format of the access tokens of an API. */
export type AccessTokenFormat =
  /** JWT (RFC 9068), which the API verifies itself. */
  | 'JWT'
  /** Text without meaning, which the API verifies by introspection (RFC 7662). */
  | 'OPAQUE';

/** Restricts a list of users or groups with a role of an API. */
export type ApiRoleFilter = {
  /** Id of the API. */
  apiId: string;
  /** Name of the role. */
  role: string;
};

/** Role of an API to store. */
export type ApiRoleInput = {
  /** Descriptions for administrators, at most 20. Default: none. */
  descriptions?: Array<ApiScopeDescriptionInput> | null | undefined;
  /** Name of the role, 1 to 64 printable ASCII characters without space, quote and backslash; unique in the API. */
  name: string;
};

/** Description of a scope or a role of an API in one language. */
export type ApiScopeDescriptionInput = {
  /** Language tag (BCP 47), for example `de`. */
  language: string;
  /** Description of the access, of a scope for users and of a role for administrators, 1 to 500 characters. */
  text: string;
};

/** Scope of an API to store. */
export type ApiScopeInput = {
  /** Descriptions on the consent page, at most 20. English is used for other languages. Default: the name of the scope. */
  descriptions?: Array<ApiScopeDescriptionInput> | null | undefined;
  /**
   * Name of the scope, 1 to 128 printable ASCII characters without space, quote and backslash; unique in the tenant. The
   * part before the first `:` or `.` must not be that of a built-in scope, for example `users`.
   */
  name: string;
};

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

/** Input of `deleteApi`. */
export type DeleteApiInput = {
  /** Id of the API. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Version on which the change is based; another current version is rejected. Default: any version. */
  version?: number | null | undefined;
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

/** Input of `registerApi`. */
export type RegisterApiInput = {
  /** Claims that access tokens have in addition, at most 32. Default: none. */
  claims?: Array<ClaimMappingInput> | null | undefined;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /**
   * Identifier of the API: an absolute URI without a fragment, at most 2048 characters, unique in the tenant. It cannot be
   * changed. A URI with an empty path is stored without the slash.
   */
  identifier: string;
  /** Name of the API, shown to users on the consent page, 1 to 200 characters. */
  name: string;
  /** Roles of the API, at most 50. Default: none. */
  roles?: Array<ApiRoleInput> | null | undefined;
  /** Scopes of the API, at most 100. Default: none. */
  scopes?: Array<ApiScopeInput> | null | undefined;
  /** Format of access tokens. Default: JWT. */
  tokenFormat?: AccessTokenFormat | null | undefined;
  /** Lifetime of access tokens in seconds, 60 to that of the installation. Default: that of the installation. */
  tokenLifetimeSeconds?: number | null | undefined;
};

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

/** Input of `updateApi`; omitted fields do not change, and null restores the default. */
export type UpdateApiInput = {
  /** Claims that access tokens have in addition, at most 32; replaces the previous ones. Default: none. */
  claims?: Array<ClaimMappingInput> | null | undefined;
  /** Id of the API. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Name of the API, shown to users on the consent page, 1 to 200 characters. */
  name?: string | null | undefined;
  /** Roles of the API, at most 50; replaces the previous ones. Default: none. */
  roles?: Array<ApiRoleInput> | null | undefined;
  /** Scopes of the API, at most 100; replaces the previous ones. Default: none. */
  scopes?: Array<ApiScopeInput> | null | undefined;
  /** Format of access tokens. Default: JWT. */
  tokenFormat?: AccessTokenFormat | null | undefined;
  /** Lifetime of access tokens in seconds, 60 to that of the installation. Default: that of the installation. */
  tokenLifetimeSeconds?: number | null | undefined;
  /** Version on which the change is based; another current version is rejected. Default: any version. */
  version?: number | null | undefined;
};

export type ApiListQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ApiListQuery = { apis: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, identifier: string, name: string, tokenLifetimeSeconds: number | null, tokenFormat: AccessTokenFormat, version: number, createdAt: string, scopes: Array<{ name: string, descriptions: Array<{ language: string, text: string }> }>, roles: Array<{ name: string, descriptions: Array<{ language: string, text: string }> }>, claims: Array<{ name: string, expression: string, required: boolean }> } | null }> } | null };

export type ApiQueryVariables = Exact<{
  id: string;
}>;


export type ApiQuery = { api: { id: string, identifier: string, name: string, tokenLifetimeSeconds: number | null, tokenFormat: AccessTokenFormat, version: number, createdAt: string, scopes: Array<{ name: string, descriptions: Array<{ language: string, text: string }> }>, roles: Array<{ name: string, descriptions: Array<{ language: string, text: string }> }>, claims: Array<{ name: string, expression: string, required: boolean }> } | null };

export type ApiVerifiersQueryVariables = Exact<{
  id: string;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ApiVerifiersQuery = { api: { id: string, verifiers: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { followers: number, lastSeenAt: string | null, lagMs: number | null, client: { id: string, name: string } | null } | null }> } | null } | null };

export type ApiRoleHoldersQueryVariables = Exact<{
  filter: ApiRoleFilter;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type ApiRoleHoldersQuery = { apiRoleHolders: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, userName: string, displayName: string | null, active: boolean } | null }> } | null };

export type GroupsWithApiRoleQueryVariables = Exact<{
  filter: ApiRoleFilter;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type GroupsWithApiRoleQuery = { groupsWithApiRole: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, displayName: string } | null }> } | null };

export type RegisterApiMutationVariables = Exact<{
  input: RegisterApiInput;
}>;


export type RegisterApiMutation = { registerApi: { api: { id: string, identifier: string, name: string, tokenLifetimeSeconds: number | null, tokenFormat: AccessTokenFormat, version: number, createdAt: string, scopes: Array<{ name: string, descriptions: Array<{ language: string, text: string }> }>, roles: Array<{ name: string, descriptions: Array<{ language: string, text: string }> }>, claims: Array<{ name: string, expression: string, required: boolean }> } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { attribute: string | null, code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type UpdateApiMutationVariables = Exact<{
  input: UpdateApiInput;
}>;


export type UpdateApiMutation = { updateApi: { api: { id: string, identifier: string, name: string, tokenLifetimeSeconds: number | null, tokenFormat: AccessTokenFormat, version: number, createdAt: string, scopes: Array<{ name: string, descriptions: Array<{ language: string, text: string }> }>, roles: Array<{ name: string, descriptions: Array<{ language: string, text: string }> }>, claims: Array<{ name: string, expression: string, required: boolean }> } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { attribute: string | null, code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { currentVersion: number | null, code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type DropApiMutationVariables = Exact<{
  input: DeleteApiInput;
}>;


export type DropApiMutation = { deleteApi: { id: string | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type RegisterVerifierMutationVariables = Exact<{
  input: RegisterClientInput;
}>;


export type RegisterVerifierMutation = { registerClient: { clientSecret: string | null, repeated: boolean | null, client: { id: string } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type ApiFragment = { id: string, identifier: string, name: string, tokenLifetimeSeconds: number | null, tokenFormat: AccessTokenFormat, version: number, createdAt: string, scopes: Array<{ name: string, descriptions: Array<{ language: string, text: string }> }>, roles: Array<{ name: string, descriptions: Array<{ language: string, text: string }> }>, claims: Array<{ name: string, expression: string, required: boolean }> };

export const ApiListDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ApiList"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"50"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"apis"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Api"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Api"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Api"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"identifier"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenLifetimeSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenFormat"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"descriptions"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"language"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"text"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"roles"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"descriptions"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"language"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"text"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"claims"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expression"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"required"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<ApiListQuery, ApiListQueryVariables>;

export const ApiDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Api"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"api"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Api"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Api"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Api"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"identifier"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenLifetimeSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenFormat"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"descriptions"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"language"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"text"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"roles"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"descriptions"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"language"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"text"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"claims"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expression"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"required"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<ApiQuery, ApiQueryVariables>;

export const ApiVerifiersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ApiVerifiers"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"id"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ID"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"50"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"api"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"id"},"value":{"kind":"Variable","name":{"kind":"Name","value":"id"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"verifiers"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"followers"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lastSeenAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"lagMs"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"client"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<ApiVerifiersQuery, ApiVerifiersQueryVariables>;

export const ApiRoleHoldersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"ApiRoleHolders"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ApiRoleFilter"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"50"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"apiRoleHolders"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"userName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"active"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<ApiRoleHoldersQuery, ApiRoleHoldersQueryVariables>;

export const GroupsWithApiRoleDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"GroupsWithApiRole"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"ApiRoleFilter"}}},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}},"defaultValue":{"kind":"IntValue","value":"50"},"directives":[]},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"groupsWithApiRole"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"endCursor"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"edges"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"node"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"displayName"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<GroupsWithApiRoleQuery, GroupsWithApiRoleQueryVariables>;

export const RegisterApiDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RegisterApi"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RegisterApiInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"registerApi"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"api"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Api"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Api"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Api"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"identifier"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenLifetimeSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenFormat"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"descriptions"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"language"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"text"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"roles"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"descriptions"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"language"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"text"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"claims"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expression"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"required"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<RegisterApiMutation, RegisterApiMutationVariables>;

export const UpdateApiDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UpdateApi"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UpdateApiInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"updateApi"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"api"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"Api"},"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"InvalidInput"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"attribute"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"InlineFragment","typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"VersionConflict"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"currentVersion"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"Api"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"Api"}},"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"identifier"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenLifetimeSeconds"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"tokenFormat"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"version"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"createdAt"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"scopes"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"descriptions"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"language"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"text"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"roles"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"descriptions"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"language"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"text"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"claims"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"expression"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"required"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]} as unknown as TypedDocumentNode<UpdateApiMutation, UpdateApiMutationVariables>;

export const DropApiDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"DropApi"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"DeleteApiInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"deleteApi"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<DropApiMutation, DropApiMutationVariables>;

export const RegisterVerifierDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"RegisterVerifier"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"RegisterClientInput"}}},"directives":[]}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"registerClient"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"clientSecret"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"repeated"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"client"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"problems"},"arguments":[],"directives":[],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"message"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"path"},"arguments":[],"directives":[]},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}},{"kind":"Field","name":{"kind":"Name","value":"__typename"}}]}}]}}]} as unknown as TypedDocumentNode<RegisterVerifierMutation, RegisterVerifierMutationVariables>;
