// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import { operation } from '../operation.ts';
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

/** Conditions under which an attribute can be changed (RFC 7643 section 2.2). */
export type AttributeMutability =
  /** The value cannot be changed after it was set. */
  | 'IMMUTABLE'
  /** SCIM clients can read the value but not change it. */
  | 'READ_ONLY'
  /** The value can be changed at any time. */
  | 'READ_WRITE'
  /** The value can be changed but not read. */
  | 'WRITE_ONLY';

/** Conditions under which responses contain an attribute (RFC 7643 section 2.2). */
export type AttributeReturned =
  /** Always, regardless of the requested attributes. */
  | 'ALWAYS'
  /** Unless other attributes are requested. */
  | 'DEFAULT'
  /** Never, neither in this API nor in filters or logs. */
  | 'NEVER'
  /** Only if the attribute is requested by name or was written by the request. */
  | 'REQUEST';

/** Types of the values of an attribute (RFC 7643 section 2.3). */
export type AttributeType =
  /** Bytes, encoded in Base64. */
  | 'BINARY'
  /** True or false. */
  | 'BOOLEAN'
  /** Named sub-attributes. */
  | 'COMPLEX'
  /** Time in the format xsd:dateTime. */
  | 'DATE_TIME'
  /** Number. */
  | 'DECIMAL'
  /** Integer. */
  | 'INTEGER'
  /** URI of a resource. A referenced user or group of the tenant must exist. */
  | 'REFERENCE'
  /** Text. */
  | 'STRING';

/** Uniqueness of the values of an attribute (RFC 7643 section 2.2). */
export type AttributeUniqueness =
  /** Same as SERVER: values of other tenants are not compared. */
  | 'GLOBAL'
  /** Several resources can have the same value. */
  | 'NONE'
  /** Values are unique in the tenant. */
  | 'SERVER';

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

/** Access of a connector. */
export type ConnectorAccess =
  /** Reading. */
  | 'READ_ONLY'
  /** Reading and writing. */
  | 'READ_WRITE';

/** Meaning of the paths of an attribute rule. */
export type ConnectorAttributeMode =
  /** The connector can write all attributes except these. */
  | 'EXCEPT'
  /** The connector can write only these attributes. */
  | 'ONLY';

/** Attributes that a connector can write, in addition to its own `externalId`. */
export type ConnectorAttributesInput = {
  /** Meaning of the paths. */
  mode: ConnectorAttributeMode;
  /**
   * SCIM paths, at most 200: an attribute (`displayName`, `active`, `password`, `members`) or a sub-attribute of a
   * single-valued one (`name.familyName`), either with the URN of its schema as a prefix, or such a URN for all its
   * attributes.
   */
  paths: Array<string>;
};

/** Input of `disableConnector`, `enableConnector` and `deleteConnector`. */
export type ConnectorInput = {
  /** Id of the connector. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

/** Limits of the requests of a connector, each at least 1. Values above the limit of the service have no effect. */
export type ConnectorLimitsInput = {
  /** Maximum number of operations in a Bulk request. */
  bulkOperations?: number | null | undefined;
  /** Maximum size of a Bulk request in bytes. */
  bulkPayloadBytes?: number | null | undefined;
  /** Maximum number of resources on a page of a list. */
  pageSize?: number | null | undefined;
  /** Maximum number of requests per minute. Each operation of a Bulk request counts as a request. */
  requestsPerMinute?: number | null | undefined;
};

/** Profiles of deviations from the RFCs in requests of connectors. */
export type ConnectorProfile =
  /** Accepts the deviations of all known sources, unless the RFC defines another meaning. Default. */
  | 'AUTO'
  /** Microsoft Entra ID. */
  | 'ENTRA'
  /** Okta. */
  | 'OKTA'
  /** OneLogin. */
  | 'ONELOGIN'
  /** RFC 7643 and RFC 7644 without deviations. */
  | 'RFC';

/** Accounts that a connector must not change; an omitted field protects no account. */
export type ConnectorProtectedAccountsInput = {
  /** Whether all users with a role in the tenant are protected, determined at each change. Default: false. */
  administrators?: boolean | null | undefined;
  /** Ids of protected groups, at most 500. The groups in them and all their members are also protected. */
  groupIds?: Array<string> | null | undefined;
  /** Ids of protected users, at most 500. */
  userIds?: Array<string> | null | undefined;
};

/** Deviation from RFC 7644 to accept or reject. */
export type ConnectorQuirkInput = {
  /** Whether the deviation is accepted. */
  enabled: boolean;
  /** The deviation. */
  quirk: ConnectorQuirkName;
};

/** Deviations from RFC 7643 and RFC 7644 in requests of known identity sources. */
export type ConnectorQuirkName =
  /** `op` regardless of case: `Replace`. */
  | 'ANY_CASE_OPERATIONS'
  /** `manager` as an id; an empty string removes the manager. */
  | 'BARE_MANAGER'
  /** Core URNs of drafts in `schemas`, such as `urn:scim:schemas:core:1.0`. */
  | 'DRAFT_SCHEMAS'
  /** The response to a PATCH of a group is 204. */
  | 'GROUP_PATCH_NO_CONTENT'
  /** Paths as keys of a PATCH without a path: `{"name.givenName": "Ada"}`. */
  | 'PATH_KEYS'
  /** Booleans as strings in filters: `emails[primary eq "True"]`. */
  | 'QUOTED_BOOLEANS'
  /** Attributes that cannot be written, such as `id`, in a PATCH without a path. */
  | 'READ_ONLY_KEYS'
  /** `remove` with a path and the values to remove. */
  | 'REMOVE_BY_VALUE'
  /** `replace` of a sub-attribute of a value that does not exist creates the value. */
  | 'REPLACE_CREATES_ELEMENT'
  /** Booleans as strings: `"active": "False"`. */
  | 'STRING_BOOLEANS'
  /** Unknown URNs in `schemas`. */
  | 'UNKNOWN_SCHEMAS'
  /** Single value in the form of a multi-valued attribute: `[{"$ref": null, "value": "Ada"}]`. */
  | 'WRAPPED_SCALARS';

/** Resource types that a connector can access. */
export type ConnectorResourceType =
  /** Groups and their members. */
  | 'GROUP'
  /** Users. */
  | 'USER';

/** Statuses of a connector. */
export type ConnectorStatus =
  /** Its tokens are accepted. */
  | 'ACTIVE'
  /** Its tokens are rejected. */
  | 'DISABLED';

/** Input of `createConnector`. */
export type CreateConnectorInput = {
  /** Access of the connector. Default: READ_WRITE. */
  access?: ConnectorAccess | null | undefined;
  /** Attributes that the connector can write. Default: all. */
  attributes?: ConnectorAttributesInput | null | undefined;
  /** OAuth client of the tenant that can also act as this connector, with a token that has `scim:read` or `scim:write`. Default: none. */
  clientId?: string | null | undefined;
  /**
   * Idempotency key: a repeated request with the same key within 24 hours returns the first result, without values that
   * are shown only once, and changes nothing. 1 to 200 characters.
   */
  idempotencyKey?: string | null | undefined;
  /** Limits of the requests of the connector. Default: those of the service. */
  limits?: ConnectorLimitsInput | null | undefined;
  /** Name of the connector for administrators, 1 to 200 characters. */
  name: string;
  /**
   * Id of the owner: a group, or an active user whose role allows managing connectors. Default: the calling user, or the
   * owner of the calling client or service account. Clients of the platform operator create it without an owner.
   */
  ownerId?: string | null | undefined;
  /** Deviations from RFC 7644 to accept. Default: AUTO. */
  profile?: ConnectorProfile | null | undefined;
  /** Accounts that the connector must not change. Default: none. */
  protectedAccounts?: ConnectorProtectedAccountsInput | null | undefined;
  /** Deviations to accept or reject, regardless of the profile. */
  quirks?: Array<ConnectorQuirkInput> | null | undefined;
  /** Resource types that the connector can access, at least one. Default: all. */
  resourceTypes?: Array<ConnectorResourceType> | null | undefined;
  /** Whether email addresses that the connector writes are verified addresses of the users. Default: false. */
  vouchesForEmails?: boolean | null | undefined;
};

/** Input of `createSchema`. */
export type CreateSchemaInput = {
  /** Attributes, 1 to 100. */
  attributes: Array<SchemaAttributeInput>;
  /** Purpose of the schema, at most 1000 characters. */
  description?: string | null | undefined;
  /** URN of the schema, for example urn:example:hr:2.0:User. It cannot be changed later. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Name of the schema, 1 to 100 characters. */
  name: string;
  /** Whether every resource of the type must have the schema. True is possible only while there is no resource of the type. Default: false. */
  required?: boolean | null | undefined;
  /** Resource type that can have the attributes. It cannot be changed later. Default: USER. */
  resourceType?: SchemaResourceType;
};

/** Input of `createTrustedIssuer`. Keys are given by value (`jwks`) or by URL (`jwksUri`). */
export type CreateTrustedIssuerInput = {
  /** Ids of the clients that can present assertions of the issuer, 1 to 100. They need the grant type of RFC 7523. */
  clientIds: Array<string>;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Issuer identifier: the `iss` of its assertions, compared byte for byte. */
  issuer: string;
  /** Public keys as the JSON text of a JSON Web Key Set (RFC 7517). */
  jwks?: string | null | undefined;
  /** URL of the public keys. */
  jwksUri?: string | null | undefined;
  /** Name of the issuer for administrators, 1 to 200 characters. */
  name: string;
  /** Maximum scopes of tokens issued on its assertions, at least one; `offline_access` is not allowed. */
  scopes: Array<string>;
};

/** Input of `createWebhook`. */
export type CreateWebhookInput = {
  /** URL that receives the messages by POST: https, at a public address. */
  endpoint: string;
  /**
   * Idempotency key: a repeated request with the same key within 24 hours returns the first result, without values that
   * are shown only once, and changes nothing. 1 to 200 characters.
   */
  idempotencyKey?: string | null | undefined;
  /** Name of the webhook, 1 to 200 characters. */
  name: string;
  /** Types of the sent events, at least one. */
  types: Array<WebhookEventType>;
};

/** Input of `deleteTrustedIssuer`. */
export type DeleteTrustedIssuerInput = {
  /** Id of the issuer. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

/** Effects of the deletion of users and groups. */
export type DeletionPolicy =
  /** They are deleted permanently. */
  | 'HARD'
  /** They are no longer visible and can be restored for 30 days; then they are deleted permanently. */
  | 'SOFT';

/** Actions on credentials whose only owner is offboarded. */
export type OwnedCredentialsAction =
  /** The credentials are transferred to `handOverCredentialsTo` and remain valid. */
  | 'HAND_OVER'
  /** The credentials are revoked. */
  | 'REVOKE'
  /** The credentials are disabled until an administrator enables them. */
  | 'SUSPEND';

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

/** Statuses of a receiver. */
export type ReceiverStatus =
  /** Messages are neither sent nor stored; waiting messages became dead. */
  | 'DISABLED'
  /** Messages are sent. */
  | 'ENABLED'
  /** Messages wait until the receiver is enabled. */
  | 'PAUSED';

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

/** Security profiles of clients. */
export type RequiredClientProfile =
  /** FAPI 2.0 Security Profile. */
  | 'FAPI2'
  /** OAuth 2.1 and OpenID Connect, as for all clients. */
  | 'STANDARD';

/** Attribute of an extension schema. Omitted characteristics have the defaults of RFC 7643 section 2.2. */
export type SchemaAttributeInput = {
  /** Canonical values of a STRING attribute, 1 to 200 of 1 to 200 characters. Default: none. */
  canonicalValues?: Array<string> | null | undefined;
  /** Whether comparisons of values are case-sensitive. Default: false; always true for BINARY and REFERENCE. */
  caseExact?: boolean | null | undefined;
  /** Meaning of the attribute, at most 1000 characters. */
  description?: string | null | undefined;
  /** Whether the attribute has a list of values. Default: false. */
  multiValued?: boolean | null | undefined;
  /** Conditions under which the value can be changed. Default: READ_WRITE. */
  mutability?: AttributeMutability;
  /** Name of the attribute: a letter, followed by letters, digits, - and _. */
  name: string;
  /** Types of resources to which a REFERENCE attribute can point: User, Group, external or uri; at least one. Rejected for other types. */
  referenceTypes?: Array<string> | null | undefined;
  /** Whether a resource with the schema must have a value. Default: false. */
  required?: boolean | null | undefined;
  /** Whether values other than the canonical ones are rejected. Default: true. */
  restrictToCanonicalValues?: boolean | null | undefined;
  /** Conditions under which responses contain the attribute. Default: NEVER for WRITE_ONLY, otherwise DEFAULT. */
  returned?: AttributeReturned | null | undefined;
  /** Sub-attributes of a COMPLEX attribute, at most 50. */
  subAttributes?: Array<SchemaAttributeInput> | null | undefined;
  /** Type of the values. Default: STRING. */
  type?: AttributeType;
  /** Whether two resources can have the same value. Default: NONE. */
  uniqueness?: AttributeUniqueness;
};

/** Resource types that can have the attributes of a schema. */
export type SchemaResourceType =
  /** Groups. */
  | 'GROUP'
  /** Users. */
  | 'USER';

/** Input of `deleteSchema`. */
export type SchemaVersionInput = {
  /** URN of the schema. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
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

/** Input of `updateConnector`; omitted fields do not change, and null restores the default. */
export type UpdateConnectorInput = {
  /** Access of the connector. Default: READ_WRITE. */
  access?: ConnectorAccess | null | undefined;
  /** Attributes that the connector can write; null for all. */
  attributes?: ConnectorAttributesInput | null | undefined;
  /** OAuth client of the tenant that can also act as this connector; null for none. A removed client then has the rights of its own scopes. */
  clientId?: string | null | undefined;
  /** Id of the connector. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Limits of the requests of the connector. Replaces all limits. Default: those of the service. */
  limits?: ConnectorLimitsInput | null | undefined;
  /** Name of the connector for administrators, 1 to 200 characters. */
  name?: string | null | undefined;
  /** Deviations from RFC 7644 to accept. Default: AUTO. */
  profile?: ConnectorProfile | null | undefined;
  /** Accounts that the connector must not change. Default: none. */
  protectedAccounts?: ConnectorProtectedAccountsInput | null | undefined;
  /** Deviations to accept or reject, regardless of the profile. Replaces all of them. */
  quirks?: Array<ConnectorQuirkInput> | null | undefined;
  /** Resource types that the connector can access, at least one. Default: all. */
  resourceTypes?: Array<ConnectorResourceType> | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
  /** Whether email addresses that the connector writes are verified addresses of the users. Default: false. */
  vouchesForEmails?: boolean | null | undefined;
};

/** Input of `updateSchema`; omitted fields do not change. */
export type UpdateSchemaInput = {
  /** Purpose of the schema, at most 1000 characters. */
  description?: string | null | undefined;
  /** URN of the schema. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Name of the schema, 1 to 100 characters. */
  name?: string | null | undefined;
  /** Names of attributes to delete with all their values. */
  removeAttributes?: Array<string> | null | undefined;
  /** Whether every resource of the type must have the schema. True is possible only if every resource of the type has it. */
  required?: boolean | null | undefined;
  /** Attributes to add, and new definitions of existing attributes. */
  setAttributes?: Array<SchemaAttributeInput> | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

/**
 * Input of `updateTenantBranding`. A logo is a PNG, JPEG or WebP image of at most 64 KiB and 1024 pixels per side, given
 * either as a `data:` URL or as an https URL that is fetched once.
 */
export type UpdateTenantBrandingInput = {
  /** Colour as `#rrggbb`. If its contrast is insufficient, the pages use the nearest shade with sufficient contrast. */
  color?: string | null | undefined;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Logo as `data:image/png;base64,…`. */
  logo?: string | null | undefined;
  /** URL of the logo, fetched once at this change. */
  logoUrl?: string | null | undefined;
  /** Name of the organization on the pages, 1 to 100 characters. */
  name?: string | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

/** Input of `updateTenant`; omitted fields do not change. */
export type UpdateTenantInput = {
  /**
   * Retention period of the audit log of the directory in days, 30 to 36500; null keeps entries without limit. Older
   * entries are deleted within minutes, a few thousand at a time.
   */
  auditRetentionDays?: number | null | undefined;
  /** Effect of future deletions of users and groups. */
  deletionPolicy?: DeletionPolicy | null | undefined;
  /** Id of the tenant. Default: the tenant of the caller. Only tokens of the platform can name another tenant. */
  id?: string | null | undefined;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Name of the tenant, 1 to 200 characters. */
  name?: string | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

/** Input of `updateTenantPolicy`; omitted fields do not change, and null restores the default of the deployment. */
export type UpdateTenantPolicyInput = {
  /** Words that a password must not consist of: at most 1000, of 3 to 64 characters. */
  bannedPasswordWords?: Array<string> | null | undefined;
  /** Id of the active user or the group to which credentials are transferred; required for HAND_OVER. */
  handOverCredentialsTo?: string | null | undefined;
  /** Id of the tenant. Default: the tenant of the caller. Only tokens of the platform can name another tenant. */
  id?: string | null | undefined;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Whether a client can introspect tokens (RFC 7662) that were neither issued to it nor for a resource that it serves. */
  introspectionByAnyClient?: boolean | null | undefined;
  /** Days for which secrets of other owners that an offboarded user knows remain valid. 0 to 30. */
  knownSecretOverlapDays?: number | null | undefined;
  /** Action on credentials whose only owner is offboarded. */
  ownedCredentialsOnOffboarding?: OwnedCredentialsAction | null | undefined;
  /** Whether roles apply only after a sign-in with two factors. */
  requireSecondFactorForAdministrators?: boolean | null | undefined;
  /** Security profile that every client must meet. */
  requiredClientProfile?: RequiredClientProfile | null | undefined;
  /** Whether the SCIM ServiceProviderConfig announces `securityEvents`. */
  scimSecurityEvents?: boolean | null | undefined;
  /** Retention period of sign-in attempts in days, 1 to 3650. */
  signInRetentionDays?: number | null | undefined;
  /** Whether names of groups must be unique. */
  uniqueGroupNames?: boolean | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
  /** Origins, for example https://app.example.com; at most 100, and http only for loopback addresses. */
  webOrigins?: Array<string> | null | undefined;
};

/** Input of `updateWebhook`; omitted fields do not change. */
export type UpdateWebhookInput = {
  /** URL that receives the messages by POST: https, at a public address. */
  endpoint?: string | null | undefined;
  /** Id of the webhook. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Name of the webhook, 1 to 200 characters. */
  name?: string | null | undefined;
  /** Status of the webhook. */
  status?: ReceiverStatus | null | undefined;
  /** Types of the sent events, at least one. */
  types?: Array<WebhookEventType> | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

/** Event types of webhooks. The `type` of a message is the value in lower case, with a dot after the first word. */
export type WebhookEventType =
  /** A password, passkey or second factor of a user was added, changed or removed. */
  | 'CREDENTIAL_CHANGED'
  /** The credentials of a user were reset because they may be known to a third party. */
  | 'CREDENTIAL_COMPROMISED'
  /** The access of a client to the account of a user was revoked. */
  | 'GRANT_REVOKED'
  /** A group was added to the directory. */
  | 'GROUP_CREATED'
  /** A group was deleted. */
  | 'GROUP_DELETED'
  /** A group or its members were changed. */
  | 'GROUP_UPDATED'
  /** A session, or all sessions of a user, ended before expiration. */
  | 'SESSION_REVOKED'
  /** A user was added to the directory. */
  | 'USER_CREATED'
  /** A user can no longer sign in. */
  | 'USER_DEACTIVATED'
  /** A user was deleted. With `restorableUntil`, the user can be restored until then. */
  | 'USER_DELETED'
  /** Everything issued to a user was revoked. */
  | 'USER_DOORS_CLOSED'
  /** A user can sign in again, or was restored after deletion. */
  | 'USER_REACTIVATED'
  /** A user was changed. */
  | 'USER_UPDATED';

/** Input of `deleteWebhook` and `testWebhook`. */
export type WebhookInput = {
  /** Id of the webhook. */
  id: string;
  /** Idempotency key: a repeated request with the same key within 24 hours returns the first result and changes nothing. 1 to 200 characters. */
  idempotencyKey?: string | null | undefined;
  /** Version on which the change is based. If the current version differs, the change fails with VERSION_CONFLICT. */
  version?: number | null | undefined;
};

export type SettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type SettingsQuery = { tenant: { id: string, deletionPolicy: DeletionPolicy, auditRetentionDays: number | null, version: number } | null, tenantPolicy: { bannedPasswordWords: Array<string>, handOverCredentialsTo: string | null, introspectionByAnyClient: boolean, ownedCredentialsOnOffboarding: OwnedCredentialsAction, requireSecondFactorForAdministrators: boolean, requiredClientProfile: RequiredClientProfile, scimSecurityEvents: boolean, uniqueGroupNames: boolean, knownSecretOverlapDays: number, signInRetentionDays: number, webOrigins: Array<string>, version: number } | null, tenantBranding: { name: string | null, color: string | null, logoUrl: string | null, version: number } | null, schemasConnection: { edges: Array<{ node: { id: string, name: string, description: string, required: boolean, resourceType: SchemaResourceType, version: number, attributes: Array<{ name: string, type: AttributeType, multiValued: boolean, required: boolean, caseExact: boolean, mutability: AttributeMutability, returned: AttributeReturned, uniqueness: AttributeUniqueness, canonicalValues: Array<string>, restrictToCanonicalValues: boolean, referenceTypes: Array<string>, description: string, subAttributes: Array<{ name: string, type: AttributeType, multiValued: boolean, required: boolean, caseExact: boolean, mutability: AttributeMutability, returned: AttributeReturned, uniqueness: AttributeUniqueness, canonicalValues: Array<string>, restrictToCanonicalValues: boolean, referenceTypes: Array<string>, description: string }> }> } }> } | null, trustedIssuersConnection: { edges: Array<{ node: { id: string, name: string, issuer: string, clientIds: Array<string>, scopes: Array<string>, jwks: string | null, jwksUri: string | null, version: number, createdAt: string } }> } | null };

export type ClientConfigurationsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ClientConfigurationsQuery = { clients: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, createdAt: string, version: number, name: string, applicationType: ApplicationType, backchannelLogoutSessionRequired: boolean, backchannelLogoutUri: string | null, clientUri: string | null, codeProtection: ClientCodeProtection, defaultMaxAge: number | null, disabled: boolean, dpopBoundAccessTokens: boolean, grantTypes: Array<string>, idTokenSignedResponseAlg: SigningAlgorithm, introspectionSignedResponseAlg: SigningAlgorithm, jwks: string | null, jwksUri: string | null, logoUri: string | null, mayAct: string | null, ownScopes: Array<string>, policyUri: string | null, postLogoutRedirectUris: Array<string>, profile: ClientProfile, profileClaimsInIdToken: boolean, protectedResources: Array<string>, redirectUris: Array<string>, requestObjectSigningAlg: RequestObjectAlgorithm | null, requestUris: Array<string>, requireAuthTime: boolean, requireConsent: boolean, requirePushedAuthorizationRequests: boolean, requireSignedRequestObject: boolean, resources: Array<string>, scopes: Array<string>, sectorIdentifierUri: string | null, subjectType: SubjectType, tokenEndpointAuthMethod: ClientAuthMethod, tokenEndpointAuthSigningAlg: AssertionAlgorithm | null, tosUri: string | null, userinfoSignedResponseAlg: SigningAlgorithm | null, claims: Array<{ name: string, expression: string, required: boolean }>, tokenExchange: { agent: boolean, agentTokenLifetimeSeconds: number | null, impersonation: boolean, subjectClients: Array<string> } | null } | null }> } | null };

export type ConnectorConfigurationsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ConnectorConfigurationsQuery = { connectors: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, createdAt: string, version: number, name: string, access: ConnectorAccess, clientId: string | null, profile: ConnectorProfile, resourceTypes: Array<ConnectorResourceType>, status: ConnectorStatus, vouchesForEmails: boolean, attributes: { mode: ConnectorAttributeMode, paths: Array<string> } | null, limits: { bulkOperations: number | null, bulkPayloadBytes: number | null, pageSize: number | null, requestsPerMinute: number | null }, protectedAccounts: { administrators: boolean, groupIds: Array<string>, userIds: Array<string> }, quirks: Array<{ quirk: ConnectorQuirkName, enabled: boolean, overridden: boolean }> } }> } | null };

export type WebhookConfigurationsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type WebhookConfigurationsQuery = { webhooks: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, createdAt: string, version: number, name: string, endpoint: string, status: ReceiverStatus, statusReason: string | null, types: Array<WebhookEventType> } | null }> } | null };

export type UpdateTenantSettingsMutationVariables = Exact<{
  input: UpdateTenantInput;
}>;


export type UpdateTenantSettingsMutation = { updateTenant: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type UpdatePolicyMutationVariables = Exact<{
  input: UpdateTenantPolicyInput;
}>;


export type UpdatePolicyMutation = { updateTenantPolicy: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type UpdateBrandingMutationVariables = Exact<{
  input: UpdateTenantBrandingInput;
}>;


export type UpdateBrandingMutation = { updateTenantBranding: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type CreateSchemaMutationVariables = Exact<{
  input: CreateSchemaInput;
}>;


export type CreateSchemaMutation = { createSchema: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type UpdateSchemaMutationVariables = Exact<{
  input: UpdateSchemaInput;
}>;


export type UpdateSchemaMutation = { updateSchema: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type DeleteSchemaMutationVariables = Exact<{
  input: SchemaVersionInput;
}>;


export type DeleteSchemaMutation = { deleteSchema: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type AddClientMutationVariables = Exact<{
  input: RegisterClientInput;
}>;


export type AddClientMutation = { registerClient: { clientSecret: string | null, client: { id: string, version: number } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type ChangeClientMutationVariables = Exact<{
  input: UpdateClientInput;
}>;


export type ChangeClientMutation = { updateClient: { client: { version: number } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type RemoveClientMutationVariables = Exact<{
  input: ClientInput;
}>;


export type RemoveClientMutation = { deleteClient: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type AddConnectorMutationVariables = Exact<{
  input: CreateConnectorInput;
}>;


export type AddConnectorMutation = { createConnector: { token: string | null, connector: { id: string, version: number } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type ChangeConnectorMutationVariables = Exact<{
  input: UpdateConnectorInput;
}>;


export type ChangeConnectorMutation = { updateConnector: { connector: { version: number } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type RemoveConnectorMutationVariables = Exact<{
  input: ConnectorInput;
}>;


export type RemoveConnectorMutation = { deleteConnector: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type AddWebhookMutationVariables = Exact<{
  input: CreateWebhookInput;
}>;


export type AddWebhookMutation = { createWebhook: { secret: string | null, webhook: { id: string, version: number } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type ChangeWebhookMutationVariables = Exact<{
  input: UpdateWebhookInput;
}>;


export type ChangeWebhookMutation = { updateWebhook: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type RemoveWebhookMutationVariables = Exact<{
  input: WebhookInput;
}>;


export type RemoveWebhookMutation = { deleteWebhook: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type AddTrustedIssuerMutationVariables = Exact<{
  input: CreateTrustedIssuerInput;
}>;


export type AddTrustedIssuerMutation = { createTrustedIssuer: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type RemoveTrustedIssuerMutationVariables = Exact<{
  input: DeleteTrustedIssuerInput;
}>;


export type RemoveTrustedIssuerMutation = { deleteTrustedIssuer: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type DisableOneClientMutationVariables = Exact<{
  input: ClientInput;
}>;


export type DisableOneClientMutation = { disableClient: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type EnableOneClientMutationVariables = Exact<{
  input: ClientInput;
}>;


export type EnableOneClientMutation = { enableClient: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type DisableOneConnectorMutationVariables = Exact<{
  input: ConnectorInput;
}>;


export type DisableOneConnectorMutation = { disableConnector: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type EnableOneConnectorMutationVariables = Exact<{
  input: ConnectorInput;
}>;


export type EnableOneConnectorMutation = { enableConnector: { problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export const Settings = operation<SettingsQuery, SettingsQueryVariables>('Settings', "query Settings{tenant{id deletionPolicy auditRetentionDays version}tenantPolicy{bannedPasswordWords handOverCredentialsTo introspectionByAnyClient ownedCredentialsOnOffboarding requireSecondFactorForAdministrators requiredClientProfile scimSecurityEvents uniqueGroupNames knownSecretOverlapDays signInRetentionDays webOrigins version}tenantBranding{name color logoUrl version}schemasConnection(first:100){edges{node{id name description required resourceType version attributes{name type multiValued required caseExact mutability returned uniqueness canonicalValues restrictToCanonicalValues referenceTypes description subAttributes{name type multiValued required caseExact mutability returned uniqueness canonicalValues restrictToCanonicalValues referenceTypes description}}}}}trustedIssuersConnection(first:100){edges{node{id name issuer clientIds scopes jwks jwksUri version createdAt}}}}");

export const ClientConfigurations = operation<ClientConfigurationsQuery, ClientConfigurationsQueryVariables>('ClientConfigurations', "query ClientConfigurations($after:String){clients(first:50 after:$after){pageInfo{hasNextPage endCursor}edges{node{id createdAt version name applicationType backchannelLogoutSessionRequired backchannelLogoutUri claims{name expression required}clientUri codeProtection defaultMaxAge disabled dpopBoundAccessTokens grantTypes idTokenSignedResponseAlg introspectionSignedResponseAlg jwks jwksUri logoUri mayAct ownScopes policyUri postLogoutRedirectUris profile profileClaimsInIdToken protectedResources redirectUris requestObjectSigningAlg requestUris requireAuthTime requireConsent requirePushedAuthorizationRequests requireSignedRequestObject resources scopes sectorIdentifierUri subjectType tokenEndpointAuthMethod tokenEndpointAuthSigningAlg tokenExchange{agent agentTokenLifetimeSeconds impersonation subjectClients}tosUri userinfoSignedResponseAlg}}}}");

export const ConnectorConfigurations = operation<ConnectorConfigurationsQuery, ConnectorConfigurationsQueryVariables>('ConnectorConfigurations', "query ConnectorConfigurations($after:String){connectors(first:50 after:$after){pageInfo{hasNextPage endCursor}edges{node{id createdAt version name access attributes{mode paths}clientId limits{bulkOperations bulkPayloadBytes pageSize requestsPerMinute}profile protectedAccounts{administrators groupIds userIds}quirks{quirk enabled overridden}resourceTypes status vouchesForEmails}}}}");

export const WebhookConfigurations = operation<WebhookConfigurationsQuery, WebhookConfigurationsQueryVariables>('WebhookConfigurations', "query WebhookConfigurations($after:String){webhooks(first:50 after:$after){pageInfo{hasNextPage endCursor}edges{node{id createdAt version name endpoint status statusReason types}}}}");

export const UpdateTenantSettings = operation<UpdateTenantSettingsMutation, UpdateTenantSettingsMutationVariables>('UpdateTenantSettings', "mutation UpdateTenantSettings($input:UpdateTenantInput!){updateTenant(input:$input){problems{code message path}}}");

export const UpdatePolicy = operation<UpdatePolicyMutation, UpdatePolicyMutationVariables>('UpdatePolicy', "mutation UpdatePolicy($input:UpdateTenantPolicyInput!){updateTenantPolicy(input:$input){problems{code message path}}}");

export const UpdateBranding = operation<UpdateBrandingMutation, UpdateBrandingMutationVariables>('UpdateBranding', "mutation UpdateBranding($input:UpdateTenantBrandingInput!){updateTenantBranding(input:$input){problems{code message path}}}");

export const CreateSchema = operation<CreateSchemaMutation, CreateSchemaMutationVariables>('CreateSchema', "mutation CreateSchema($input:CreateSchemaInput!){createSchema(input:$input){problems{code message path}}}");

export const UpdateSchema = operation<UpdateSchemaMutation, UpdateSchemaMutationVariables>('UpdateSchema', "mutation UpdateSchema($input:UpdateSchemaInput!){updateSchema(input:$input){problems{code message path}}}");

export const DeleteSchema = operation<DeleteSchemaMutation, DeleteSchemaMutationVariables>('DeleteSchema', "mutation DeleteSchema($input:SchemaVersionInput!){deleteSchema(input:$input){problems{code message path}}}");

export const AddClient = operation<AddClientMutation, AddClientMutationVariables>('AddClient', "mutation AddClient($input:RegisterClientInput!){registerClient(input:$input){client{id version}clientSecret problems{code message path}}}");

export const ChangeClient = operation<ChangeClientMutation, ChangeClientMutationVariables>('ChangeClient', "mutation ChangeClient($input:UpdateClientInput!){updateClient(input:$input){client{version}problems{code message path}}}");

export const RemoveClient = operation<RemoveClientMutation, RemoveClientMutationVariables>('RemoveClient', "mutation RemoveClient($input:ClientInput!){deleteClient(input:$input){problems{code message path}}}");

export const AddConnector = operation<AddConnectorMutation, AddConnectorMutationVariables>('AddConnector', "mutation AddConnector($input:CreateConnectorInput!){createConnector(input:$input){connector{id version}token problems{code message path}}}");

export const ChangeConnector = operation<ChangeConnectorMutation, ChangeConnectorMutationVariables>('ChangeConnector', "mutation ChangeConnector($input:UpdateConnectorInput!){updateConnector(input:$input){connector{version}problems{code message path}}}");

export const RemoveConnector = operation<RemoveConnectorMutation, RemoveConnectorMutationVariables>('RemoveConnector', "mutation RemoveConnector($input:ConnectorInput!){deleteConnector(input:$input){problems{code message path}}}");

export const AddWebhook = operation<AddWebhookMutation, AddWebhookMutationVariables>('AddWebhook', "mutation AddWebhook($input:CreateWebhookInput!){createWebhook(input:$input){webhook{id version}secret problems{code message path}}}");

export const ChangeWebhook = operation<ChangeWebhookMutation, ChangeWebhookMutationVariables>('ChangeWebhook', "mutation ChangeWebhook($input:UpdateWebhookInput!){updateWebhook(input:$input){problems{code message path}}}");

export const RemoveWebhook = operation<RemoveWebhookMutation, RemoveWebhookMutationVariables>('RemoveWebhook', "mutation RemoveWebhook($input:WebhookInput!){deleteWebhook(input:$input){problems{code message path}}}");

export const AddTrustedIssuer = operation<AddTrustedIssuerMutation, AddTrustedIssuerMutationVariables>('AddTrustedIssuer', "mutation AddTrustedIssuer($input:CreateTrustedIssuerInput!){createTrustedIssuer(input:$input){problems{code message path}}}");

export const RemoveTrustedIssuer = operation<RemoveTrustedIssuerMutation, RemoveTrustedIssuerMutationVariables>('RemoveTrustedIssuer', "mutation RemoveTrustedIssuer($input:DeleteTrustedIssuerInput!){deleteTrustedIssuer(input:$input){problems{code message path}}}");

export const DisableOneClient = operation<DisableOneClientMutation, DisableOneClientMutationVariables>('DisableOneClient', "mutation DisableOneClient($input:ClientInput!){disableClient(input:$input){problems{code message path}}}");

export const EnableOneClient = operation<EnableOneClientMutation, EnableOneClientMutationVariables>('EnableOneClient', "mutation EnableOneClient($input:ClientInput!){enableClient(input:$input){problems{code message path}}}");

export const DisableOneConnector = operation<DisableOneConnectorMutation, DisableOneConnectorMutationVariables>('DisableOneConnector', "mutation DisableOneConnector($input:ConnectorInput!){disableConnector(input:$input){problems{code message path}}}");

export const EnableOneConnector = operation<EnableOneConnectorMutation, EnableOneConnectorMutationVariables>('EnableOneConnector', "mutation EnableOneConnector($input:ConnectorInput!){enableConnector(input:$input){problems{code message path}}}");
