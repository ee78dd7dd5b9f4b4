// Made by npm run operations; don't edit.
/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
import { operation } from '../operation.ts';
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

/** Who may change an attribute when (RFC 7643 section 2.2). */
export type AttributeMutability =
  /** A value that is set stays. */
  | 'IMMUTABLE'
  /** SCIM clients see it and don't change it. */
  | 'READ_ONLY'
  /** It can be changed at any time. */
  | 'READ_WRITE'
  /** It can be changed and never be seen. */
  | 'WRITE_ONLY';

/** When an attribute is part of an answer (RFC 7643 section 2.2). */
export type AttributeReturned =
  /** Whatever is asked for. */
  | 'ALWAYS'
  /** Unless something else is asked for. */
  | 'DEFAULT'
  /** Never: neither here, nor in filters or logs. */
  | 'NEVER'
  /** When it is asked for by name, or was just written. */
  | 'REQUEST';

/** The type of an attribute's values (RFC 7643 section 2.3). */
export type AttributeType =
  /** Bytes in base64. */
  | 'BINARY'
  /** True or false. */
  | 'BOOLEAN'
  /** Parts with names of their own. */
  | 'COMPLEX'
  /** An instant as in xsd:dateTime. */
  | 'DATE_TIME'
  /** A number. */
  | 'DECIMAL'
  /** A whole number. */
  | 'INTEGER'
  /** The address of something; of a user or group of the tenant, it has to exist. */
  | 'REFERENCE'
  /** A text. */
  | 'STRING';

/** Whether two resources can have the same value (RFC 7643 section 2.2). */
export type AttributeUniqueness =
  /** Kept like SERVER: values of other tenants stay theirs. */
  | 'GLOBAL'
  /** They can. */
  | 'NONE'
  /** They can't within the tenant. */
  | 'SERVER';

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

/** Whether a connector may change anything. */
export type ConnectorAccess =
  /** It reads. */
  | 'READ_ONLY'
  /** It reads and writes. */
  | 'READ_WRITE';

/** How the paths of a rule are meant. */
export type ConnectorAttributeMode =
  /** It may write all but these. */
  | 'EXCEPT'
  /** It may write these and no others. */
  | 'ONLY';

/** Which attributes a connector may write. Its own externalId it always may. */
export type ConnectorAttributesInput = {
  /** How the paths are meant. */
  mode: ConnectorAttributeMode;
  /**
   * SCIM paths: an attribute (`displayName`, `active`, `password`, `members`), a part of one with a single value
   * (`name.familyName`), either behind the URN of its schema, or such a URN for all of its attributes. At most 200.
   */
  paths: Array<string>;
};

/** Which connector. */
export type ConnectorInput = {
  /** The connector's id. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result, without secrets that are shown only once. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the connector has changed since. */
  version?: number | null | undefined;
};

/** What a connector may ask for at most; each at least 1, and no more than the service's own limit has any effect. */
export type ConnectorLimitsInput = {
  /** Operations in one Bulk. */
  bulkOperations?: number | null | undefined;
  /** Bytes of one Bulk. */
  bulkPayloadBytes?: number | null | undefined;
  /** Resources in a page of a list. */
  pageSize?: number | null | undefined;
  /** Requests in a minute; each operation of a Bulk counts as one. */
  requestsPerMinute?: number | null | undefined;
};

/** Compatibility with what identity sources really send. */
export type ConnectorProfile =
  /** Understands the deviations of all known sources, as long as the RFC gives them no other meaning. The default. */
  | 'AUTO'
  /** Microsoft Entra ID. */
  | 'ENTRA'
  /** Okta. */
  | 'OKTA'
  /** OneLogin. */
  | 'ONELOGIN'
  /** RFC 7643 and 7644 to the letter. */
  | 'RFC';

/** Accounts a connector must not touch; what is left out protects nobody. */
export type ConnectorProtectedAccountsInput = {
  /** Everybody with a role in the tenant, as of the moment of each change. */
  administrators?: boolean | null | undefined;
  /** These groups, those inside them, and everybody in any of them; at most 500. */
  groupIds?: Array<string> | null | undefined;
  /** These users; at most 500. */
  userIds?: Array<string> | null | undefined;
};

/** A deviation from RFC 7644 to understand, or not to. */
export type ConnectorQuirkInput = {
  /** Whether to understand it. */
  enabled: boolean;
  /** Which one. */
  quirk: ConnectorQuirkName;
};

/** Deviations from RFC 7643 and 7644 that real identity sources rely on. */
export type ConnectorQuirkName =
  /** `op` in any case: `Replace`. */
  | 'ANY_CASE_OPERATIONS'
  /** `manager` as an id, and as an empty text to unassign it. */
  | 'BARE_MANAGER'
  /** Core URNs of drafts in `schemas`, such as `urn:scim:schemas:core:1.0`. */
  | 'DRAFT_SCHEMAS'
  /** PATCH on a group answers 204. */
  | 'GROUP_PATCH_NO_CONTENT'
  /** Paths as keys of a PATCH without a path: `{"name.givenName": "Ada"}`. */
  | 'PATH_KEYS'
  /** Booleans as text in filters: `emails[primary eq "True"]`. */
  | 'QUOTED_BOOLEANS'
  /** What can't be written, such as `id`, in a PATCH without a path. */
  | 'READ_ONLY_KEYS'
  /** `remove` with a path and the values to remove. */
  | 'REMOVE_BY_VALUE'
  /** `replace` of a part of a value that isn't there makes the value. */
  | 'REPLACE_CREATES_ELEMENT'
  /** Booleans as text: `"active": "False"`. */
  | 'STRING_BOOLEANS'
  /** Unknown URNs in `schemas`. */
  | 'UNKNOWN_SCHEMAS'
  /** A single value wrapped like one of several: `[{"$ref": null, "value": "Ada"}]`. */
  | 'WRAPPED_SCALARS';

/** What a connector has to do with. */
export type ConnectorResourceType =
  /** Groups and their members. */
  | 'GROUP'
  /** Users. */
  | 'USER';

/** Whether a connector may do anything. */
export type ConnectorStatus =
  /** Its tokens are accepted. */
  | 'ACTIVE'
  /** Its tokens are refused. */
  | 'DISABLED';

/** A new identity source. */
export type CreateConnectorInput = {
  /** Whether it may change anything. */
  access?: ConnectorAccess | null | undefined;
  /** Which attributes it may write; null for all of them. */
  attributes?: ConnectorAttributesInput | null | undefined;
  /** An OAuth client of the tenant that may speak for this source, with a token that has scim:read or scim:write. */
  clientId?: string | null | undefined;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result, without secrets that are shown only once. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** What it may ask for at most; all limits at once. */
  limits?: ConnectorLimitsInput | null | undefined;
  /** For people to recognise it by; up to 200 characters. */
  name: string;
  /**
   * The owner: a group, or an active user whose role allows managing connectors. By default the user who creates it, or for whom an app does,
   * or the owner of the program that does. What a program of the platform operator creates has no owner.
   */
  ownerId?: string | null | undefined;
  /** Which deviations from RFC 7644 to understand. */
  profile?: ConnectorProfile | null | undefined;
  /** Accounts it must not touch. */
  protectedAccounts?: ConnectorProtectedAccountsInput | null | undefined;
  /** Deviations to understand, or not to, whatever the profile says; all of them at once. */
  quirks?: Array<ConnectorQuirkInput> | null | undefined;
  /** What it has to do with; at least one. */
  resourceTypes?: Array<ConnectorResourceType> | null | undefined;
  /** Whether to believe that the e-mail addresses it writes are the people's own. */
  vouchesForEmails?: boolean | null | undefined;
};

/** A new extension schema. */
export type CreateSchemaInput = {
  /** The attributes, 1 to 100. */
  attributes: Array<SchemaAttributeInput>;
  /** What the schema is for. */
  description?: string | null | undefined;
  /** Its URN, for instance urn:example:hr:2.0:User. It can't be changed. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** What the schema is called. */
  name: string;
  /** Whether every resource of the type must have it; only where there are none yet. */
  required?: boolean | null | undefined;
  /** The resources that can have its attributes. It can't be changed. */
  resourceType?: SchemaResourceType;
};

/** Somebody outside to be trusted with saying who a person is. Keys are given by value or by address. */
export type CreateTrustedIssuerInput = {
  /** The clients that may present its assertions; they need the grant type of RFC 7523. */
  clientIds: Array<string>;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** The `iss` of its assertions, compared byte for byte. */
  issuer: string;
  /** Its public keys, as the JSON text of a JSON Web Key Set. */
  jwks?: string | null | undefined;
  /** Where it publishes its public keys. */
  jwksUri?: string | null | undefined;
  /** What administrators will call it: 1 to 200 characters. */
  name: string;
  /** The most they get that way. */
  scopes: Array<string>;
};

/** A new webhook. */
export type CreateWebhookInput = {
  /** Where messages are POSTed: https, at a public address. */
  endpoint: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result, without secrets that are shown only once. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** What to call it, 1 to 200 characters. */
  name: string;
  /** What it is told of, one type or more. */
  types: Array<WebhookEventType>;
};

/** Which trusted issuer. */
export type DeleteTrustedIssuerInput = {
  /** Its id. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the issuer has changed since. */
  version?: number | null | undefined;
};

/** What becomes of users and groups that are deleted. */
export type DeletionPolicy =
  /** They are gone for good. */
  | 'HARD'
  /** They are gone for everybody, and can be restored for 30 days; then they are gone for good. */
  | 'SOFT';

/** What becomes of credentials whose only owner is gone. */
export type OwnedCredentialsAction =
  /** They get another owner, and go on. */
  | 'HAND_OVER'
  /** They end. */
  | 'REVOKE'
  /** They are disabled until somebody enables them. */
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

/** Whether a receiver is told. */
export type ReceiverStatus =
  /** It is told nothing, and nothing waits for it. */
  | 'DISABLED'
  /** It is told. */
  | 'ENABLED'
  /** What it is to be told waits. */
  | 'PAUSED';

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

/** A security profile for apps. */
export type RequiredClientProfile =
  /** FAPI 2.0 Security Profile. */
  | 'FAPI2'
  /** OAuth 2.1 as this server always has it. */
  | 'STANDARD';

/** An attribute of an extension schema. What is left out is as RFC 7643 section 2.2 has it. */
export type SchemaAttributeInput = {
  /** Values it is meant to have. */
  canonicalValues?: Array<string> | null | undefined;
  /** Whether case matters when values are compared; false unless said, always true for BINARY and REFERENCE. */
  caseExact?: boolean | null | undefined;
  /** What the attribute means. */
  description?: string | null | undefined;
  /** Whether it has a list of values. */
  multiValued?: boolean | null | undefined;
  /** Who may change it when. */
  mutability?: AttributeMutability;
  /** The name: a letter, then letters, digits, - and _. */
  name: string;
  /** What a reference can point to: User, Group, external or uri. */
  referenceTypes?: Array<string> | null | undefined;
  /** Whether a resource that uses the schema must have a value. */
  required?: boolean | null | undefined;
  /** Whether values other than the canonical ones are refused; true unless said. */
  restrictToCanonicalValues?: boolean | null | undefined;
  /** When it is part of an answer; DEFAULT unless said, NEVER where it is WRITE_ONLY. */
  returned?: AttributeReturned | null | undefined;
  /** The parts of a COMPLEX attribute. */
  subAttributes?: Array<SchemaAttributeInput> | null | undefined;
  /** The type of its values. */
  type?: AttributeType;
  /** Whether two resources can have the same value. */
  uniqueness?: AttributeUniqueness;
};

/** Which resources can have the attributes of a schema. */
export type SchemaResourceType =
  /** Groups. */
  | 'GROUP'
  /** People. */
  | 'USER';

/** An extension schema, at a version if it matters. */
export type SchemaVersionInput = {
  /** The schema's URN. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the schema has changed since. */
  version?: number | null | undefined;
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

/** What becomes different about an identity source. */
export type UpdateConnectorInput = {
  /** Whether it may change anything. */
  access?: ConnectorAccess | null | undefined;
  /** Which attributes it may write; null for all of them. */
  attributes?: ConnectorAttributesInput | null | undefined;
  /** An OAuth client of the tenant that may speak for this source; null for none: it then has the rights of its own scopes. */
  clientId?: string | null | undefined;
  /** The connector's id. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result, without secrets that are shown only once. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** What it may ask for at most; all limits at once. */
  limits?: ConnectorLimitsInput | null | undefined;
  /** For people to recognise it by; up to 200 characters. */
  name?: string | null | undefined;
  /** Which deviations from RFC 7644 to understand. */
  profile?: ConnectorProfile | null | undefined;
  /** Accounts it must not touch. */
  protectedAccounts?: ConnectorProtectedAccountsInput | null | undefined;
  /** Deviations to understand, or not to, whatever the profile says; all of them at once. */
  quirks?: Array<ConnectorQuirkInput> | null | undefined;
  /** What it has to do with; at least one. */
  resourceTypes?: Array<ConnectorResourceType> | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the connector has changed since. */
  version?: number | null | undefined;
  /** Whether to believe that the e-mail addresses it writes are the people's own. */
  vouchesForEmails?: boolean | null | undefined;
};

/** Changes to an extension schema: what is left out stays. */
export type UpdateSchemaInput = {
  /** What the schema is for. */
  description?: string | null | undefined;
  /** The schema's URN. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** What the schema is called. */
  name?: string | null | undefined;
  /** Names of attributes to remove with all their values. */
  removeAttributes?: Array<string> | null | undefined;
  /** Whether every resource of the type must have it; it can become true when all of them do. */
  required?: boolean | null | undefined;
  /** Attributes to add, and new definitions of those that exist. */
  setAttributes?: Array<SchemaAttributeInput> | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the schema has changed since. */
  version?: number | null | undefined;
};

/**
 * How a tenant's sign-in pages shall look. A logo is a PNG, JPEG or WebP picture of at most 64 KiB and 1024 pixels a side, given
 * as a `data:` URL or fetched once from an https address; not both.
 */
export type UpdateTenantBrandingInput = {
  /** A colour as `#rrggbb`. Where it can't be read, the pages use the nearest shade that can. */
  color?: string | null | undefined;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** The logo as `data:image/png;base64,…`. */
  logo?: string | null | undefined;
  /** Where the logo is fetched from, now and not again. */
  logoUrl?: string | null | undefined;
  /** What the pages call the organisation, 1 to 100 characters. */
  name?: string | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the look has changed since. */
  version?: number | null | undefined;
};

/** Settings of the tenant: what is left out stays. */
export type UpdateTenantInput = {
  /**
   * Days for which entries of the directory's audit log are kept, 30 to 36500; null keeps them for good. Older ones are taken
   * away within minutes, a few thousand at a time.
   */
  auditRetentionDays?: number | null | undefined;
  /** What becomes of users and groups that are deleted from now on. */
  deletionPolicy?: DeletionPolicy | null | undefined;
  /** The tenant; without it, the caller's own. Only tokens of the platform's own can name another. */
  id?: string | null | undefined;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** What the tenant is called. */
  name?: string | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the tenant has changed since. */
  version?: number | null | undefined;
};

/** Settings of a tenant's policy: what is left out stays, and null goes back to what holds in this installation. */
export type UpdateTenantPolicyInput = {
  /** Words of 3 to 64 characters, at most 1000. */
  bannedPasswordWords?: Array<string> | null | undefined;
  /** The id of an active user or a group that gets them; needed for HAND_OVER. */
  handOverCredentialsTo?: string | null | undefined;
  /** The tenant; without it, the caller's own. Only tokens of the platform's own can name another. */
  id?: string | null | undefined;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** Whether an app may introspect tokens that were issued neither to it nor for it. */
  introspectionByAnyClient?: boolean | null | undefined;
  /** What becomes of credentials whose only owner is offboarded. */
  ownedCredentialsOnOffboarding?: OwnedCredentialsAction | null | undefined;
  /** Whether a role counts only for who signed in with two factors. */
  requireSecondFactorForAdministrators?: boolean | null | undefined;
  /** The security profile that every app has to meet. */
  requiredClientProfile?: RequiredClientProfile | null | undefined;
  /** Whether SCIM's ServiceProviderConfig announces `securityEvents`. */
  scimSecurityEvents?: boolean | null | undefined;
  /** Days for which attempts to sign in are kept: 1 to 3650. */
  signInRetentionDays?: number | null | undefined;
  /** Whether two groups may not have one name. */
  uniqueGroupNames?: boolean | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the policy has changed since. */
  version?: number | null | undefined;
  /** Origins such as https://app.example.com, at most 100; http only for loopback addresses. */
  webOrigins?: Array<string> | null | undefined;
};

/** What of a webhook is to change; what is left out stays. */
export type UpdateWebhookInput = {
  /** Where messages are POSTed: https, at a public address. */
  endpoint?: string | null | undefined;
  /** The webhook's id. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** What to call it, 1 to 200 characters. */
  name?: string | null | undefined;
  /** Whether it is told. */
  status?: ReceiverStatus | null | undefined;
  /** What it is told of, one type or more. */
  types?: Array<WebhookEventType> | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the webhook has changed since. */
  version?: number | null | undefined;
};

/** What webhooks can be told of; `type` in the message is the value in lower case, with a dot after the first word. */
export type WebhookEventType =
  /** A person's password, passkey or second factor was added, changed or removed. */
  | 'CREDENTIAL_CHANGED'
  /** A person's credentials were reset because somebody else may know them. */
  | 'CREDENTIAL_COMPROMISED'
  /** An app lost the access to a person's account. */
  | 'GRANT_REVOKED'
  /** A group was added to the directory. */
  | 'GROUP_CREATED'
  /** A group was deleted. */
  | 'GROUP_DELETED'
  /** A group, or who is in it, was changed. */
  | 'GROUP_UPDATED'
  /** A session, or all of a person's, ended before its time. */
  | 'SESSION_REVOKED'
  /** A person was added to the directory. */
  | 'USER_CREATED'
  /** A person may no longer sign in. */
  | 'USER_DEACTIVATED'
  /** A person was deleted; with `restorableUntil`, for the time being. */
  | 'USER_DELETED'
  /** Everything issued to a person ended. */
  | 'USER_DOORS_CLOSED'
  /** A person may sign in again, or came back from the deleted. */
  | 'USER_REACTIVATED'
  /** A person was changed. */
  | 'USER_UPDATED';

/** A webhook. */
export type WebhookInput = {
  /** The webhook's id. */
  id: string;
  /**
   * Makes the change safe to repeat: within 24 hours, a repeat by the same caller with the same key and input changes nothing
   * more and returns the same result. 1 to 200 characters, chosen at random.
   */
  idempotencyKey?: string | null | undefined;
  /** The version this is based on; a problem of VERSION_CONFLICT when the webhook has changed since. */
  version?: number | null | undefined;
};

export type SettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type SettingsQuery = { tenant: { id: string, deletionPolicy: DeletionPolicy, auditRetentionDays: number | null, version: number } | null, tenantPolicy: { bannedPasswordWords: Array<string>, handOverCredentialsTo: string | null, introspectionByAnyClient: boolean, ownedCredentialsOnOffboarding: OwnedCredentialsAction, requireSecondFactorForAdministrators: boolean, requiredClientProfile: RequiredClientProfile, scimSecurityEvents: boolean, uniqueGroupNames: boolean, signInRetentionDays: number, webOrigins: Array<string>, version: number } | null, tenantBranding: { name: string | null, color: string | null, logoUrl: string | null, version: number } | null, schemasConnection: { edges: Array<{ node: { id: string, name: string, description: string, required: boolean, resourceType: SchemaResourceType, version: number, attributes: Array<{ name: string, type: AttributeType, multiValued: boolean, required: boolean, caseExact: boolean, mutability: AttributeMutability, returned: AttributeReturned, uniqueness: AttributeUniqueness, canonicalValues: Array<string>, restrictToCanonicalValues: boolean, referenceTypes: Array<string>, description: string, subAttributes: Array<{ name: string, type: AttributeType, multiValued: boolean, required: boolean, caseExact: boolean, mutability: AttributeMutability, returned: AttributeReturned, uniqueness: AttributeUniqueness, canonicalValues: Array<string>, restrictToCanonicalValues: boolean, referenceTypes: Array<string>, description: string }> }> } }> } | null, trustedIssuersConnection: { edges: Array<{ node: { id: string, name: string, issuer: string, clientIds: Array<string>, scopes: Array<string>, jwks: string | null, jwksUri: string | null, version: number, createdAt: string } }> } | null };

export type ClientConfigurationsQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type ClientConfigurationsQuery = { clients: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, createdAt: string, version: number, name: string, applicationType: ApplicationType, backchannelLogoutSessionRequired: boolean, backchannelLogoutUri: string | null, clientUri: string | null, codeProtection: ClientCodeProtection, defaultMaxAge: number | null, disabled: boolean, dpopBoundAccessTokens: boolean, grantTypes: Array<string>, idTokenSignedResponseAlg: SigningAlgorithm, introspectionSignedResponseAlg: SigningAlgorithm, jwks: string | null, jwksUri: string | null, logoUri: string | null, mayAct: string | null, policyUri: string | null, postLogoutRedirectUris: Array<string>, profile: ClientProfile, profileClaimsInIdToken: boolean, protectedResources: Array<string>, redirectUris: Array<string>, requestObjectSigningAlg: RequestObjectAlgorithm | null, requestUris: Array<string>, requireAuthTime: boolean, requireConsent: boolean, requirePushedAuthorizationRequests: boolean, requireSignedRequestObject: boolean, resources: Array<string>, scopes: Array<string>, sectorIdentifierUri: string | null, subjectType: SubjectType, tokenEndpointAuthMethod: ClientAuthMethod, tokenEndpointAuthSigningAlg: AssertionAlgorithm | null, tosUri: string | null, userinfoSignedResponseAlg: SigningAlgorithm | null, tokenExchange: { impersonation: boolean, subjectClients: Array<string> } | null } | null }> } | null };

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

export const Settings = operation<SettingsQuery, SettingsQueryVariables>('Settings', "query Settings{tenant{id deletionPolicy auditRetentionDays version}tenantPolicy{bannedPasswordWords handOverCredentialsTo introspectionByAnyClient ownedCredentialsOnOffboarding requireSecondFactorForAdministrators requiredClientProfile scimSecurityEvents uniqueGroupNames signInRetentionDays webOrigins version}tenantBranding{name color logoUrl version}schemasConnection(first:100){edges{node{id name description required resourceType version attributes{name type multiValued required caseExact mutability returned uniqueness canonicalValues restrictToCanonicalValues referenceTypes description subAttributes{name type multiValued required caseExact mutability returned uniqueness canonicalValues restrictToCanonicalValues referenceTypes description}}}}}trustedIssuersConnection(first:100){edges{node{id name issuer clientIds scopes jwks jwksUri version createdAt}}}}");

export const ClientConfigurations = operation<ClientConfigurationsQuery, ClientConfigurationsQueryVariables>('ClientConfigurations', "query ClientConfigurations($after:String){clients(first:50 after:$after){pageInfo{hasNextPage endCursor}edges{node{id createdAt version name applicationType backchannelLogoutSessionRequired backchannelLogoutUri clientUri codeProtection defaultMaxAge disabled dpopBoundAccessTokens grantTypes idTokenSignedResponseAlg introspectionSignedResponseAlg jwks jwksUri logoUri mayAct policyUri postLogoutRedirectUris profile profileClaimsInIdToken protectedResources redirectUris requestObjectSigningAlg requestUris requireAuthTime requireConsent requirePushedAuthorizationRequests requireSignedRequestObject resources scopes sectorIdentifierUri subjectType tokenEndpointAuthMethod tokenEndpointAuthSigningAlg tokenExchange{impersonation subjectClients}tosUri userinfoSignedResponseAlg}}}}");

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
