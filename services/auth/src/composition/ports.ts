/**
 * The seam between the two halves of this service: the OAuth protocol (clients, codes, tokens, keys) and the
 * people (sign-in, sessions, subjects, revocation). Each half sees the other only through these interfaces;
 * `app.ts` puts the implementations together in this order:
 *
 *   foundation → createProtocolPorts(foundation) → createPeoplePorts({ ...foundation, ...protocol })
 *   → protocolRoutes(all) + peopleRoutes(all) + authSubgraph(all) + startJobs(all)
 */

import type { Revocation, RevocationList, TokenVerifier } from '@ostiary/access';
import type { Claim, Database, IdPage, Sql } from '@ostiary/database';
import type { TenantPolicy } from '@ostiary/events';
import type { HttpPeer, KeptKeys, Redis, SafeFetch, SealedValues, ServiceKit } from '@ostiary/service';
import type { SubjectIdentifier } from '../clients/domain/subject-identifier.ts';
import type { AuthEnv } from '../env.ts';
import type { ReleasedClaims } from '../grants/domain/claims-request.ts';
import type { GrantStore } from '../grants/domain/grants.ts';
import type { MasterKeys } from '../keys/domain/keys.ts';
import type { KeptPurpose } from '../keys/domain/secret.ts';
import type { DeviceAuthorizations } from '../oauth/domain/device-authorization.ts';
import type { PushedRequests } from '../oauth/domain/pushed-request.ts';
import type { RequestObjects } from '../oauth/domain/request-objects.ts';
import type { OwnerToBe } from '../ownership/data/credential-owners.ts';
import type { Owners } from '../ownership/domain/owners.ts';
import type { SessionIdentifiers } from '../sessions/domain/session-identifier.ts';
import type { ChangeTerms } from '../subjects/domain/versions.ts';

// ---------------------------------------------------------------- foundation

/** What every part of the service stands on. Built by `main.ts` (or a test). */
export interface Foundation {
  kit: ServiceKit;
  env: AuthEnv;
  database: Database<unknown>;
  redis: Redis;
  /** The keys everything else is derived from. */
  keys: MasterKeys;
  /** Those that stay when the masters are replaced. */
  keptKeys: KeptKeys<KeptPurpose>;
  /** What is put into Redis and believed when it comes back. */
  sealedValues: SealedValues;
  /** The directory's internal REST surface, called with a token this service mints for itself. */
  directory: HttpPeer;
}

// ---------------------------------------------------------------- given by the protocol half

export type ClientType = 'confidential' | 'public';
export type ClientAuthMethod =
  | 'none'
  | 'client_secret_basic'
  | 'client_secret_post'
  | 'client_secret_jwt'
  | 'private_key_jwt';

/** A registered OAuth client (RFC 7591 §2). Frozen: it may come from a cache shared by all requests. */
export interface Client {
  readonly tenant: string;
  readonly clientId: string;
  readonly name: string;
  readonly type: ClientType;
  readonly tokenEndpointAuthMethod: ClientAuthMethod;
  readonly redirectUris: readonly string[];
  readonly postLogoutRedirectUris: readonly string[];
  readonly grantTypes: readonly string[];
  readonly responseTypes: readonly string[];
  readonly scopes: readonly string[];
  /** Resource indicators (RFC 8707) it may ask for, besides the tenant's own API. */
  readonly resources: readonly string[];
  /** Counts how often everything issued to this client was revoked. */
  readonly epoch: number;
  /** Grows with every change of the registration. */
  readonly version: number;
  readonly disabled: boolean;
  /** It is disabled because its tenant is suspended, of which this process may not have heard otherwise. */
  readonly suspended?: true;
  /** Signature of its ID tokens. */
  readonly idTokenSignedResponseAlg: 'RS256' | 'ES256' | 'PS256' | 'EdDSA';
  /** False: a first-party client, for which people aren't asked for consent. */
  readonly requireConsent: boolean;
  readonly clientUri: string | null;
  readonly logoUri: string | null;
  /** What else was registered, under the wire names (`application_type`, …). */
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly createdAt: Date;
}

export interface ClientStore {
  /** A client of this tenant, disabled ones included; null when there is none. Cached for at most a second. */
  find(tenant: string, clientId: string): Promise<Client | null>;
  /** A stretch of the list, which is in the order of creation. */
  list(
    tenant: string,
    page: ClientPage,
    filter?: ClientFilter,
  ): Promise<{ clients: Client[]; total: number }>;
}

/** Which stretch of a list of clients. Its clients come in its direction, nearest to the position first. */
export interface ClientPage extends Omit<IdPage, 'position'> {
  /** The client behind which it begins, in its direction. */
  position?: { createdAt: Date; clientId: string } | undefined;
}

/** Narrows a list of clients; what is left out doesn't narrow. */
export interface ClientFilter {
  /** What the name contains, whatever its case. */
  name?: string;
  type?: ClientType;
  disabled?: boolean;
  grantType?: string;
  scope?: string;
  /** The person or group whose they are. */
  ownerId?: string;
  /** Whether they are anybody's. */
  hasOwner?: boolean;
}

/** RFC 7591 §2 client metadata, the names as they travel on the wire. */
export interface ClientMetadata {
  client_name: string;
  token_endpoint_auth_method?: string;
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
  /** Has every process read a client anew that was changed elsewhere. */
  changed(tenant: string, clientId: string): Promise<void>;
  /**
   * Adds a second live secret and lets the older ones lapse after `overlapSeconds` (default one day; 0 = at
   * once). At most two are ever live. Null when the tenant has no such client; throws OAuthError
   * invalid_client_metadata for a public client; VersionChanged. `mayRotate` has the last word, by the scopes the client has at that moment.
   */
  rotateSecret(
    tenant: string,
    clientId: string,
    o?: ChangeTerms & { overlapSeconds?: number; mayRotate?: (scopes: readonly string[]) => void },
  ): Promise<{ client: Client; clientSecret: string } | null>;
  /** Disables a client and kills everything issued to it. False when the tenant has no such client. */
  disable(tenant: string, clientId: string, terms?: ChangeTerms): Promise<boolean>;
  /**
   * Takes a disabled client back; what was issued to it before stays worthless. False when the tenant has no such client.
   * @param mayEnable has the last word, by the scopes the client has at that moment
   */
  enable(
    tenant: string,
    clientId: string,
    mayEnable: (scopes: readonly string[]) => void,
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
    o?: ChangeTerms & { byItself?: boolean },
  ): Promise<RegisteredClient | null>;
  /** Forgets a client and kills everything issued to it. False when the tenant has no such client. */
  delete(tenant: string, clientId: string, o?: ChangeTerms & { byItself?: boolean }): Promise<boolean>;
}

/** What an authorization request became once the person signed in and agreed. */
export interface AuthorizedRequest {
  tenant: string;
  clientId: string;
  /** The client's epoch when it asked: a code does not outlive a client that was disabled, nor come back with it. */
  clientEpoch: number;
  redirectUri: string;
  /** Whether the client sent it: then it must repeat it at redemption (RFC 6749 §4.1.3). */
  redirectUriSent: boolean;
  /** S256 challenge (RFC 7636 §4.2): 43 base64url characters. Empty for a client that is exempt from PKCE and sent none. */
  codeChallenge: string;
  subjectId: string;
  /** The subject's epoch when they agreed: a code does not outlive a departure. */
  subjectEpoch: number;
  /** How often they had taken back what they allowed the client, when they agreed: once more, and the code is worth nothing. */
  withdrawals: number;
  sessionId: string;
  /** Granted scopes: registered for the client, allowed to the subject, agreed to. */
  scopes: readonly string[];
  /** Granted resource indicators; empty = the tenant's own API. */
  resources: readonly string[];
  nonce?: string;
  /** Thumbprint of the key that the redemption must prove to hold (RFC 9449 §10). */
  dpopJkt?: string;
  /** Unix seconds. */
  authTime: number;
  amr: readonly string[];
  acr?: string;
  /** Claims asked for by name that the person allowed (OpenID Connect Core §5.5). */
  claims?: ReleasedClaims;
}

export interface AuthorizationCodes {
  /** A single-use code, living AUTHORIZATION_CODE_TTL_SECONDS, at most `longestSeconds`. Throws ServiceUnavailable without Redis. */
  issue(request: AuthorizedRequest, longestSeconds?: number): Promise<string>;
}

/** A grant as people see it: one authorization by them to one client. */
export interface GrantSummary {
  id: string;
  clientId: string;
  subjectId: string;
  sessionId: string | null;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date;
}

/**
 * Each revoke marks the grants, their refresh families and the personal access tokens that apps made under them in the caller's
 * transaction and returns the feed entries that kill what verifiers hold: append them. Those of kind `grant` may be left out
 * where a wider entry (subject, session, client) is appended in the same transaction; those of kind `jti` name a token that
 * only the subject's entry covers.
 */
export interface Grants {
  /** `keepOffline`: grants with `offline_access` outlive the session; they are detached from it instead. */
  revokeBySession(
    tx: Sql,
    tenant: string,
    sessionId: string,
    o?: { keepOffline?: boolean },
  ): Promise<NewRevocation[]>;
  revokeByClient(tx: Sql, tenant: string, clientId: string): Promise<NewRevocation[]>;
  /** A person withdraws what they allowed one client. */
  revokeByConsent(tx: Sql, tenant: string, subjectId: string, clientId: string): Promise<NewRevocation[]>;
  revoke(tx: Sql, tenant: string, grantId: string): Promise<NewRevocation[]>;
  /** Live grants of these subjects, newest first. */
  listBySubjects(tenant: string, subjectIds: readonly string[], most?: number): Promise<GrantSummary[]>;
}

export interface IdTokenHint {
  subject: string;
  clientId: string;
  sessionId?: string;
  /** Unix seconds; may lie in the past: an expired ID token is still a valid hint. */
  expiresAt: number;
}

export interface IdTokens {
  /** Checks an `id_token_hint` (OIDC RP-Initiated Logout §2): signature, issuer, type. Null when it isn't ours. */
  readHint(tenant: string, idToken: string): Promise<IdTokenHint | null>;
}

/** Tokens this service mints for itself, to call another service. */
export interface ServiceTokens {
  /** `refused`: one that the service didn't take, which is not given again. */
  tokenFor(service: 'directory' | 'provisioning', refused?: string): Promise<string>;
}

export interface ProtocolPorts {
  clients: ClientStore;
  deviceAuthorizations: DeviceAuthorizations;
  pushedRequests: PushedRequests;
  requestObjects: RequestObjects;
  authorizationCodes: AuthorizationCodes;
  grants: Grants;
  idTokens: IdTokens;
  /** Issuer of a tenant: `${PUBLIC_ORIGIN}/t/${tenant}`. */
  issuer(tenant: string): string;
  /** What a client knows a person as (OpenID Connect Core §8). */
  subjectIdentifier: SubjectIdentifier;
  /** What a client knows a session as. */
  sessionIdentifiers: SessionIdentifiers;
  /** GETs a document at an address that somebody else wrote down. */
  safeFetch: SafeFetch;
}

// ---------------------------------------------------------------- given by the people half

export interface TenantRecord {
  id: string;
  name: string;
  status: 'active' | 'suspended';
  /** What holds in it, at most a second old. */
  policy: TenantPolicy;
}

export interface Tenants {
  /**
   * Null: no such tenant. On every hot path, so it answers from memory (a miss asks the projection, then the
   * directory). `platform` always exists. Throws ServiceUnavailable when nobody can tell.
   */
  find(tenant: string): Promise<TenantRecord | null>;
}

/** Where web apps of tenants live: what a browser calls their origin (RFC 6454). */
export interface WebOrigins {
  /**
   * Whether a page of this origin may use the tenant's endpoints: one that the tenant has registered, or where a client of the
   * tenant is redirected to.
   * @throws ServiceUnavailable when nobody knows the tenant right now
   */
  isRegistered(tenant: string, origin: string): Promise<boolean>;
  /** The origins that active tenants have registered themselves, with the tenants: those whose pages may use the graph. */
  registered(): Promise<Record<string, string[]>>;
}

/** What the directory told about a person; `profile` is the part claims are made from. */
export interface SubjectProfile {
  userName: string;
  displayName?: string;
  name?: { formatted?: string; givenName?: string; familyName?: string };
  /** `verified` only for what is told to apps: an address is nobody's identity, verified or not. */
  emails: readonly { value: string; type?: string; primary?: boolean; verified?: true }[];
  locale?: string;
  zoneinfo?: string;
  /** ISO 8601. */
  changedAt?: string;
}

export interface Subject {
  tenant: string;
  id: string;
  active: boolean;
  epoch: number;
  version: bigint;
  profile: SubjectProfile;
  roles: readonly string[];
  /** How often they took back what they allowed a client, by its id. */
  withdrawals: Readonly<Record<string, number>>;
}

export interface Subjects {
  /** With read-through to the directory; null when there is no such person (deleted ones included). */
  find(tenant: string, id: string): Promise<Subject | null>;
}

/** Service accounts, as far as they speak for themselves with their own keys (RFC 7523 §2.1). */
export interface AssertingAccounts {
  find(
    tenant: string,
    id: string,
  ): Promise<
    | {
        id: string;
        name: string;
        scopes: readonly string[];
        epoch: number;
        disabled: boolean;
        createdAt: Date;
      }
    | undefined
  >;
  /** The key an assertion of this account names, when account and key are good now. */
  assertionKey(
    tenant: string,
    id: string,
    kid: string,
  ): Promise<{ alg: string; publicJwk: Record<string, unknown>; epoch: number } | undefined>;
}

export interface Sessions {
  /** Ends one session and everything granted in it. False when the tenant has no such live session. */
  revoke(tenant: string, sessionId: string, claim?: Claim): Promise<boolean>;
}

export type NewRevocation = Omit<Revocation, 'seq'>;

export interface RevocationFeed {
  /** Appends to the durable feed in the caller's transaction; returns what `publish` takes after the commit. */
  append(tx: Sql, entries: readonly NewRevocation[], reason?: string): Promise<Revocation[]>;
  /**
   * After the commit: applies to this process's list and pushes on the stream. Never throws; false when verifiers will have to
   * pull.
   */
  publish(entries: readonly Revocation[]): Promise<boolean>;
}

export interface PeoplePorts {
  tenants: Tenants;
  subjects: Subjects;
  sessions: Sessions;
  revocations: RevocationFeed;
  serviceAccounts: AssertingAccounts;
  owners: Pick<Owners, 'hold'>;
}

// ---------------------------------------------------------------- all together

/** What routes, graph and jobs are made from. */
export interface AuthDependencies extends Foundation, ProtocolPorts, PeoplePorts {
  clientRegistry: ClientRegistry;
  webOrigins: WebOrigins;
  /** What codes, devices and refresh tokens open and rotate. */
  grantStore: GrantStore;
  /** Verifies access tokens of any tenant, and service tokens, with this process's own keys and list. */
  verifier: TokenVerifier;
  /** This process's own list of live revocations. */
  revocationList: RevocationList;
}
