import { oidcScopes } from '@ostiary/access';
import type { IdPage } from '@ostiary/service';
import { isKnownScope, type Owners, type OwnerToBe } from '../../access/index.ts';
import { type Claim, invalidClientMetadata, OAuthError } from '../../platform/index.ts';
import type { Client } from './client.ts';
import { clientMetadata, mergeMetadata, nameOf } from './client-metadata.ts';
import type { ClientMetadata, RegisteredClient } from './client-registry.ts';
import { checkClientMetadata, deviceCodeGrant, type RegistrationRules, signInScopes } from './clients.ts';
import type { ValidMetadata } from './valid-metadata.ts';

/** A token that permits the registration of clients (RFC 7591 §1.2). */
export interface InitialAccessToken {
  id: string;
  name: string;
  /** Maximum scopes of a client registered with it. */
  scopes: readonly string[];
  usesLeft: number;
  createdAt: Date;
  expiresAt: Date;
}

export interface RegisteredItself extends RegisteredClient {
  /** Access token for the client's own registration (RFC 7592); returned once. */
  registrationAccessToken: string;
}

export interface RegistrationStore {
  createToken(
    tenant: string,
    o: { name: string; scopes: readonly string[]; uses: number; lifetimeSeconds: number },
    claim?: Claim,
    ownerToBe?: OwnerToBe,
  ): Promise<{ token: string; initialAccessToken: InitialAccessToken }>;
  /** Returns the valid tokens, newest first. */
  listTokens(tenant: string, page: IdPage): Promise<InitialAccessToken[]>;
  countTokens(tenant: string): Promise<number>;
  /** Returns a valid token; undefined when the tenant has no such token. */
  tokenOf(tenant: string, id: string): Promise<InitialAccessToken | undefined>;
  /** Returns the valid tokens among these ids. */
  tokensOf(tenant: string, ids: readonly string[]): Promise<InitialAccessToken[]>;
  /** Returns false when the tenant has no such token. */
  revokeToken(tenant: string, id: string, claim?: Claim): Promise<boolean>;
  /** Returns null when the token is unknown, expired or used up. */
  findToken(tenant: string, token: string): Promise<InitialAccessToken | null>;
  /**
   * Takes one use of the token and registers a client in one transaction. The client belongs to the owner of the token.
   * Returns null when the token is no longer valid.
   */
  register(
    tenant: string,
    token: string,
    valid: ValidMetadata,
    owners: Owners,
  ): Promise<RegisteredItself | null>;
  /**
   * Returns the client of this registration access token with its maximum scopes; null unless it is the requested
   * client.
   */
  findRegistration(
    tenant: string,
    clientId: string,
    registrationAccessToken: string,
  ): Promise<{ client: Client; scopes: string[] } | null>;
}

/** Registration without an initial access token, by the policy of each tenant. */
export interface OpenRegistration {
  /** Returns the registrations that a tenant accepts: none, with a token, or also without one. */
  mode(tenant: string): Promise<'off' | 'token' | 'open'>;
  /**
   * Registers a client. Returns null if the policy does not allow it.
   * @param address source address of the request
   * @throws OAuthError invalid_client_metadata, invalid_redirect_uri, access_denied; TooManyRequests
   */
  register(tenant: string, asked: Partial<ClientMetadata>, address: string): Promise<Client | null>;
}

/** Members that a client may set itself. Others are reserved for administrators and ignored (RFC 7591 §2). */
export const ownMembers = [
  'client_name',
  'token_endpoint_auth_method',
  'redirect_uris',
  'post_logout_redirect_uris',
  'grant_types',
  'response_types',
  'scope',
  'client_uri',
  'logo_uri',
  'application_type',
  'id_token_signed_response_alg',
  'jwks',
  'jwks_uri',
  'token_endpoint_auth_signing_alg',
  'introspection_signed_response_alg',
  'userinfo_signed_response_alg',
  'policy_uri',
  'tos_uri',
  'default_max_age',
  'require_auth_time',
  'client_profile',
  'subject_type',
  'sector_identifier_uri',
  'backchannel_logout_uri',
  'backchannel_logout_session_required',
  'dpop_bound_access_tokens',
  'require_pushed_authorization_requests',
  'request_object_signing_alg',
  'request_uris',
  'require_signed_request_object',
] as const;

const ownGrantTypes = ['authorization_code', 'refresh_token', 'client_credentials', deviceCodeGrant];

/** Default scopes of an initial access token: those about the user who signs in. */
export const usualScopes: readonly string[] = Object.keys(oidcScopes);

/**
 * Checks a requested registration against its initial access token.
 * @throws OAuthError invalid_client_metadata, invalid_redirect_uri (RFC 7591 §3.2.2)
 */
export const checkNewRegistration = (
  asked: Partial<ClientMetadata>,
  allowed: { scopes: readonly string[] } & RegistrationRules,
): ValidMetadata => checkClientMetadata(ownRegistration(asked, allowed.scopes), allowed);

/**
 * Returns the registration after an update by the client (RFC 7592 §2.2): the client's own members are replaced as a
 * whole, and those of administrators stay.
 * @throws OAuthError invalid_client_metadata, invalid_redirect_uri
 */
export function replacedRegistration(
  current: ClientMetadata,
  asked: Partial<ClientMetadata>,
  allowed: { scopes: readonly string[] },
): ClientMetadata {
  const kept = Object.fromEntries(
    Object.entries(current).filter(([name]) => !ownMembers.some((own) => own === name)),
  );
  const scopes = [...allowed.scopes, ...(current.scope ?? '').split(' ')];
  // A client may send back its current registration, including grants that an administrator added.
  const own = ownRegistration(asked, scopes, [...ownGrantTypes, ...(current.grant_types ?? [])]);
  return mergeMetadata(kept as unknown as ClientMetadata, {
    grant_types: ['authorization_code'],
    ...own,
    // The client cannot remove a profile.
    ...(current.client_profile === undefined ? {} : { client_profile: current.client_profile }),
  });
}

/** Returns the registered metadata under the wire names (RFC 7591 §3.2.1). */
export const registrationOf = (client: Client): Record<string, unknown> => ({
  client_id: client.clientId,
  client_id_issued_at: Math.floor(client.createdAt.getTime() / 1000),
  ...clientMetadata(client),
});

function ownRegistration(
  asked: Partial<ClientMetadata>,
  allowed: readonly string[],
  grantTypes: readonly string[] = ownGrantTypes,
): ClientMetadata {
  const own = Object.fromEntries(
    ownMembers.flatMap((name) => (asked[name] === undefined ? [] : [[name, asked[name]]])),
  ) as Partial<ClientMetadata>;
  const foreign = own.grant_types?.find((grant) => !grantTypes.includes(grant));
  if (foreign !== undefined)
    throw invalidClientMetadata(`grant_types must be among ${grantTypes.join(', ')}.`);
  return { ...own, client_name: own.client_name ?? nameOf(own), scope: ownScope(own, allowed) };
}

/**
 * Scopes beyond the defaults. OpenID Connect Dynamic Client Registration has no `scope`: a client registered without
 * one may request every standard scope (OpenID Connect Core §5.4), but these two only when the request names them.
 */
const furtherScopes = ['address', 'phone'];

/** Scopes beyond the token's are rejected instead of removed, because clients rarely check the registered scopes. */
function ownScope(own: Partial<ClientMetadata>, allowed: readonly string[]): string {
  if (own.scope === undefined) {
    const grants = own.grant_types ?? ['authorization_code'];
    const signsIn = grants.some((grant) => grant !== 'client_credentials');
    return signsIn
      ? [...signInScopes(grants), ...furtherScopes].filter((scope) => allowed.includes(scope)).join(' ')
      : '';
  }
  if (own.scope.length > 4_096) throw invalidClientMetadata('scope must have at most 4096 characters.');
  const excess = own.scope.split(' ').find((scope) => scope !== '' && !allowed.includes(scope));
  if (excess === undefined) return own.scope;
  throw invalidClientMetadata(
    isKnownScope(excess)
      ? `The initial access token does not allow scope ${excess}.`
      : 'scope contains an unknown scope.',
  );
}

/** RFC 7591 §2.3: this server trusts no issuer of software statements. */
export const unapprovedSoftwareStatement = (): OAuthError =>
  new OAuthError('unapproved_software_statement', 'Software statements are not supported.');
