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

/** Whether a client can keep a secret. */
export type ClientType =
  /** It runs where nobody else can look: it authenticates. */
  | 'CONFIDENTIAL'
  /** It runs on people's own machines: PKCE protects it. */
  | 'PUBLIC';

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

export type ClientsQueryVariables = Exact<{
  after?: string | null | undefined;
  name?: string | null | undefined;
}>;


export type ClientsQuery = { clients: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, edges: Array<{ node: { id: string, name: string, type: ClientType, disabled: boolean, grantTypes: Array<string>, createdAt: string, version: number } | null }> } | null };

export type ClientQueryVariables = Exact<{
  id: string;
}>;


export type ClientQuery = { client: { id: string, name: string, type: ClientType, disabled: boolean, applicationType: ApplicationType, profile: ClientProfile, tokenEndpointAuthMethod: ClientAuthMethod, grantTypes: Array<string>, redirectUris: Array<string>, scopes: Array<string>, resources: Array<string>, requireConsent: boolean, createdAt: string, version: number, owner:
      | { displayName: string }
      | { userName: string }
     | null } | null };

export type ConsoleClientQueryVariables = Exact<{ [key: string]: never; }>;


export type ConsoleClientQuery = { client: { disabled: boolean, postLogoutRedirectUris: Array<string> } | null };

export type RegisterClientMutationVariables = Exact<{
  input: RegisterClientInput;
}>;


export type RegisterClientMutation = { registerClient: { clientSecret: string | null, client: { id: string, name: string } | null, problems: Array<
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
      | { code: ProblemCode, message: string, path: Array<string> }
    > } | null };

export type RotateClientSecretMutationVariables = Exact<{
  input: RotateClientSecretInput;
}>;


export type RotateClientSecretMutation = { rotateClientSecret: { clientSecret: string | null, client: { id: string, name: string } | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export type DisableClientMutationVariables = Exact<{
  input: ClientInput;
}>;


export type DisableClientMutation = { disableClient: { client: { id: string, name: string, disabled: boolean } | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export type EnableClientMutationVariables = Exact<{
  input: ClientInput;
}>;


export type EnableClientMutation = { enableClient: { client: { id: string, name: string, disabled: boolean } | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export type DeleteClientMutationVariables = Exact<{
  input: ClientInput;
}>;


export type DeleteClientMutation = { deleteClient: { id: string | null, problems: Array<
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
      | { code: ProblemCode, message: string }
    > } | null };

export const Clients = operation<ClientsQuery, ClientsQueryVariables>('Clients', "query Clients($after:String$name:String){clients(first:100 after:$after filter:{name:$name}){pageInfo{hasNextPage endCursor}edges{node{id name type disabled grantTypes createdAt version}}}}");

export const Client = operation<ClientQuery, ClientQueryVariables>('Client', "query Client($id:ID!){client(id:$id){id name type disabled applicationType profile tokenEndpointAuthMethod grantTypes redirectUris scopes resources requireConsent createdAt version owner{...on User{userName}...on Group{displayName}}}}");

export const ConsoleClient = operation<ConsoleClientQuery, ConsoleClientQueryVariables>('ConsoleClient', "query ConsoleClient{client(id:\"console\"){disabled postLogoutRedirectUris}}");

export const RegisterClient = operation<RegisterClientMutation, RegisterClientMutationVariables>('RegisterClient', "mutation RegisterClient($input:RegisterClientInput!){registerClient(input:$input){client{id name}clientSecret problems{code message path}}}");

export const RotateClientSecret = operation<RotateClientSecretMutation, RotateClientSecretMutationVariables>('RotateClientSecret', "mutation RotateClientSecret($input:RotateClientSecretInput!){rotateClientSecret(input:$input){client{id name}clientSecret problems{code message}}}");

export const DisableClient = operation<DisableClientMutation, DisableClientMutationVariables>('DisableClient', "mutation DisableClient($input:ClientInput!){disableClient(input:$input){client{id name disabled}problems{code message}}}");

export const EnableClient = operation<EnableClientMutation, EnableClientMutationVariables>('EnableClient', "mutation EnableClient($input:ClientInput!){enableClient(input:$input){client{id name disabled}problems{code message}}}");

export const DeleteClient = operation<DeleteClientMutation, DeleteClientMutationVariables>('DeleteClient', "mutation DeleteClient($input:ClientInput!){deleteClient(input:$input){id problems{code message}}}");
