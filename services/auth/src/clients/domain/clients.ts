import { isKnownScope, isOidcScope, parseScope } from '../../access/index.ts';
import { invalidClientMetadata, invalidRedirectUri } from '../../platform/index.ts';
import { type SigningAlgorithm, signingAlgorithms } from '../../tenancy/index.ts';
import { checkClientClaims } from '../claims/domain/client-claims.ts';
import { checkBackchannelLogout } from './backchannel-logout.ts';
import type { Client, ClientAuthMethod, ClientType } from './client.ts';
import { checkAuthenticationKeys } from './client-keys.ts';
import type { ClientMetadata } from './client-registry.ts';
import { checkDefaultMaxAge } from './default-max-age.ts';
import { checkWebAddress, refusePrivateAddresses } from './document-address.ts';
import { checkExchangePolicy, jwtBearerGrantType, tokenExchangeGrantType } from './exchange-policy.ts';
import { defaultSigningAlgorithm, heldToFapi2, profileOf } from './fapi2.ts';
import { checkRequestObjectMetadata } from './request-object-metadata.ts';
import { tenantApi } from './resource-server.ts';
import { checkSubjectType } from './subject-identifier.ts';
import type { ValidMetadata } from './valid-metadata.ts';

/** A client with the digests of its live secrets. */
export interface ClientRecord {
  readonly client: Client;
  readonly secrets: readonly {
    digest: Buffer;
    /** Unix milliseconds. */
    expiresAt: number | null;
    /** Returns the secret; for client_secret_jwt only. */
    reveal?: () => string;
  }[];
}

export const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code';

const authMethods: readonly ClientAuthMethod[] = [
  'none',
  'client_secret_basic',
  'client_secret_post',
  'client_secret_jwt',
  'private_key_jwt',
];
const grantTypes: readonly string[] = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  deviceCodeGrant,
  jwtBearerGrantType,
  tokenExchangeGrantType,
];
const maxUris = 50;
const maxUriLength = 2_048;

export interface RegistrationRules {
  /** Requires https for every URI to which this server sends data. */
  httpsOnly?: boolean;
  /** Allows URIs in private networks. */
  allowPrivate?: boolean;
  /** Profile that the tenant requires of every client. */
  requiredProfile?: 'standard' | 'fapi2';
  /** Scopes of the tenant's defined APIs that the registration may contain. */
  apiScopes?: ReadonlySet<string>;
}

/**
 * Checks client metadata (RFC 7591 §2) and adds the defaults.
 * @throws OAuthError invalid_client_metadata, invalid_redirect_uri or invalid_scope
 */
export function checkClientMetadata(given: ClientMetadata, o: RegistrationRules = {}): ValidMetadata {
  // JSON and GraphQL use null for omitted members.
  const input = Object.fromEntries(
    Object.entries(given).filter(([, value]) => value !== null),
  ) as unknown as ClientMetadata;
  refusePrivateAddresses(input, o);
  const tokenEndpointAuthMethod = checkAuthMethod(input.token_endpoint_auth_method);
  const type: ClientType = tokenEndpointAuthMethod === 'none' ? 'public' : 'confidential';
  const applicationType = oneOf(
    'application_type',
    input.application_type ?? (type === 'public' ? 'native' : 'web'),
    ['web', 'native'] as const,
  );
  const grants = checkGrantTypes(input.grant_types, type);
  const usesRedirects = grants.includes('authorization_code');
  const scopes = checkScope(input.scope, grants, o.apiScopes);
  const redirectUris = checkRedirectUris(input.redirect_uris ?? [], usesRedirects, applicationType);
  const profile = profileOf(input.client_profile, o.requiredProfile ?? 'standard');
  const valid: ValidMetadata = {
    name: checkName(input.client_name),
    type,
    tokenEndpointAuthMethod,
    redirectUris,
    grantTypes: grants,
    responseTypes: checkResponseTypes(input.response_types, usesRedirects),
    scopes,
    ownScopes: checkOwnScopes(input.own_scopes ?? [], grants, o.apiScopes),
    resources: checkResourceIndicators(input.resources ?? []),
    metadata: {
      ...checkPresentation(input, applicationType),
      ...acceptedMethods(input),
      ...checkTokenMetadata(input, type, profile),
      ...checkDefaultMaxAge(input.default_max_age),
      ...(input.require_auth_time ? { require_auth_time: true } : {}),
      ...checkAuthenticationKeys(tokenEndpointAuthMethod, input),
      ...checkSubjectType({
        subjectType: input.subject_type,
        sectorIdentifierUri: input.sector_identifier_uri,
        redirectUris,
        scopes,
        isOidcScope,
      }),
      ...checkBackchannelLogout(input, type, o.httpsOnly ?? false),
      ...checkExchangePolicy(input, type, grants),
      ...checkClientClaims(input.claim_mappings),
      ...checkRequestObjectMetadata(input, o.httpsOnly ?? false),
      ...checkProofKeyExemption(input, type, usesRedirects && scopes.includes('openid')),
    },
  };
  return profile === 'fapi2' ? heldToFapi2(valid) : valid;
}

type StoredMetadata = ValidMetadata['metadata'];

/** Checks the members for redirects and for the pages that users see. */
function checkPresentation(
  input: ClientMetadata,
  applicationType: 'web' | 'native',
): Pick<
  StoredMetadata,
  | 'post_logout_redirect_uris'
  | 'require_consent'
  | 'application_type'
  | 'client_uri'
  | 'logo_uri'
  | 'policy_uri'
  | 'tos_uri'
> {
  return {
    post_logout_redirect_uris: uris(
      'post_logout_redirect_uris',
      input.post_logout_redirect_uris ?? [],
      (uri) => checkRedirectUri(uri, applicationType, 'post_logout_redirect_uris'),
    ),
    require_consent: input.require_consent ?? true,
    application_type: applicationType,
    ...(input.client_uri === undefined ? {} : { client_uri: checkWebUri('client_uri', input.client_uri) }),
    ...(input.logo_uri === undefined ? {} : { logo_uri: checkWebUri('logo_uri', input.logo_uri) }),
    ...(input.policy_uri === undefined ? {} : { policy_uri: checkWebUri('policy_uri', input.policy_uri) }),
    ...(input.tos_uri === undefined ? {} : { tos_uri: checkWebUri('tos_uri', input.tos_uri) }),
  };
}

/** Checks the members for the format and binding of tokens and responses, and for the requests that obtain them. */
function checkTokenMetadata(
  input: ClientMetadata,
  type: ClientType,
  profile: ReturnType<typeof profileOf>,
): Pick<
  StoredMetadata,
  | 'id_token_signed_response_alg'
  | 'id_token_profile_claims'
  | 'dpop_bound_access_tokens'
  | 'require_pushed_authorization_requests'
  | 'protected_resources'
  | 'introspection_signed_response_alg'
  | 'userinfo_signed_response_alg'
> {
  return {
    id_token_signed_response_alg: oneOf(
      'id_token_signed_response_alg',
      input.id_token_signed_response_alg ?? defaultSigningAlgorithm(profile),
      signingAlgorithms,
    ),
    ...(input.id_token_profile_claims === true ? { id_token_profile_claims: true } : {}),
    ...(input.dpop_bound_access_tokens === true ? { dpop_bound_access_tokens: true } : {}),
    ...(input.require_pushed_authorization_requests ? { require_pushed_authorization_requests: true } : {}),
    ...checkProtectedResources(input.protected_resources ?? [], type),
    ...signatureOf('introspection_signed_response_alg', input),
    ...signatureOf('userinfo_signed_response_alg', input),
  };
}

/** Returns the signature algorithm of a response, if one is registered. */
function signatureOf<N extends 'introspection_signed_response_alg' | 'userinfo_signed_response_alg'>(
  name: N,
  input: ClientMetadata,
): { [P in N]?: SigningAlgorithm } {
  const alg = input[name];
  return (alg === undefined ? {} : { [name]: oneOf(name, alg, signingAlgorithms) }) as {
    [P in N]?: SigningAlgorithm;
  };
}

/**
 * Parameters that an authorization response adds to the query (RFC 6749 §4.1.2, RFC 9207 §2). A second value would be
 * ambiguous.
 */
const answerParameters = ['code', 'state', 'iss', 'error'];

/**
 * Checks a redirect URI for registration: absolute, without fragment, credentials or characters that URL parsers treat
 * differently, because it is later compared byte for byte (RFC 9700 §2.1). https, or http to a loopback address, or a
 * reverse-domain scheme of a native app (RFC 8252 §7).
 * @param what beginning of the error description
 * @throws OAuthError invalid_redirect_uri
 */
export function checkRedirectUri(
  uri: string,
  applicationType: 'web' | 'native',
  what = 'A redirect URI',
): string {
  if (uri.length > maxUriLength || !/^[\x21-\x7e]+$/.test(uri) || /[#\\*<>"{}|^`]/.test(uri)) {
    throw invalidRedirectUri(
      `${what} must have at most ${maxUriLength} printable ASCII characters, without fragment or wildcard.`,
    );
  }
  if (!URL.canParse(uri)) throw invalidRedirectUri(`${what} must be an absolute URI.`);
  const url = new URL(uri);
  if (url.username !== '' || url.password !== '' || /^[a-z][a-z0-9+.-]*:\/\/[^/?]*@/i.test(uri)) {
    throw invalidRedirectUri(`${what} must not contain credentials.`);
  }
  if (url.href !== uri && url.href !== `${uri}/`) {
    throw invalidRedirectUri(`${what} must be in normal form: ${url.href}.`);
  }
  const taken = answerParameters.find((name) => url.searchParams.has(name));
  if (taken !== undefined) {
    throw invalidRedirectUri(
      `The query of a redirect URI must not contain ${taken}, which the response adds.`,
    );
  }
  if (url.protocol === 'https:') return uri;
  if (url.protocol === 'http:') {
    if (['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname)) return uri;
    throw invalidRedirectUri(`${what} must use https, except on a loopback address.`);
  }
  if (applicationType === 'native' && /^[a-z][a-z0-9-]*(\.[a-z0-9-]+)+:$/.test(url.protocol)) return uri;
  throw invalidRedirectUri(
    `${what} with a private-use scheme requires a native app and a reverse domain name, as in com.example.app:/callback.`,
  );
}

function checkName(name: unknown): string {
  if (typeof name !== 'string') throw invalidClientMetadata('client_name is missing.');
  const trimmed = name.trim();
  if (trimmed === '' || trimmed.length > 200 || /\p{C}/u.test(trimmed)) {
    throw invalidClientMetadata('client_name must be 1 to 200 printable characters.');
  }
  return trimmed;
}

const checkAuthMethod = (method = 'client_secret_basic'): ClientAuthMethod =>
  oneOf('token_endpoint_auth_method', method, authMethods);

/**
 * Methods of a client whose registration names none. RFC 7591 §2 defaults to client_secret_basic, but many libraries
 * send only client_secret_post.
 */
export const secretMethods: readonly ClientAuthMethod[] = ['client_secret_basic', 'client_secret_post'];

/** Keeps the stored methods when a registration is checked again, because it then contains the default method. */
function acceptedMethods(input: ClientMetadata): Pick<StoredMetadata, 'token_endpoint_auth_methods'> {
  const { token_endpoint_auth_method: method, token_endpoint_auth_methods: known } = input;
  const acceptsBoth = method === undefined || (method === 'client_secret_basic' && known !== undefined);
  return acceptsBoth ? { token_endpoint_auth_methods: [...secretMethods] } : {};
}

function checkGrantTypes(given: readonly string[] | undefined, type: ClientType): string[] {
  const grants = distinct('grant_types', given ?? ['authorization_code']);
  for (const grant of grants) oneOf('grant_types', grant, grantTypes);
  if (grants.length === 0) throw invalidClientMetadata('grant_types must not be empty.');
  if (type === 'public' && grants.includes('client_credentials')) {
    throw invalidClientMetadata('A public client cannot use client_credentials.');
  }
  if (grants.every((grant) => grant === 'refresh_token')) {
    throw invalidClientMetadata('refresh_token requires another grant type.');
  }
  return grants;
}

/** OAuth 2.1 §7.5.1: a client may omit PKCE only if it authenticates and `nonce` binds the code to the browser. */
function checkProofKeyExemption(
  { require_pkce: required, require_nonce: nonce }: ClientMetadata,
  type: ClientType,
  isOpenId: boolean,
): { require_pkce?: false; require_nonce?: false } {
  if (required ?? true) {
    if (nonce === false) throw invalidClientMetadata('require_nonce cannot be combined with require_pkce.');
    return {};
  }
  if (type === 'public' || !isOpenId) {
    throw invalidClientMetadata(
      'Only a confidential client with authorization_code and openid can omit PKCE.',
    );
  }
  return { require_pkce: false, ...(nonce === false ? { require_nonce: false } : {}) };
}

function checkResponseTypes(given: readonly string[] | undefined, usesRedirects: boolean): string[] {
  const types = distinct('response_types', given ?? (usesRedirects ? ['code'] : []));
  const consistent = usesRedirects ? types.length === 1 && types[0] === 'code' : types.length === 0;
  if (!consistent)
    throw invalidClientMetadata('response_types must be ["code"] with authorization_code, else empty.');
  return types;
}

function checkRedirectUris(
  given: readonly string[],
  usesRedirects: boolean,
  applicationType: 'web' | 'native',
): string[] {
  const checked = uris('redirect_uris', given, (uri) => checkRedirectUri(uri, applicationType));
  if (usesRedirects && checked.length === 0) throw invalidRedirectUri('redirect_uris must not be empty.');
  return checked;
}

/** Default scopes. `offline_access` requires the refresh grant (OpenID Connect Core §11). */
export const signInScopes = (grants: readonly string[]): string[] => [
  ...['openid', 'profile', 'email'],
  ...(grants.includes('refresh_token') ? ['offline_access'] : []),
];

const noScopes: ReadonlySet<string> = new Set();

function checkScope(text: string | undefined, grants: readonly string[], ofApis = noScopes): string[] {
  if (text === undefined) return grants.includes('authorization_code') ? signInScopes(grants) : [];
  if (text === '') return [];
  const scopes = parseScope(text);
  const unknown = scopes.find((scope) => !isKnownScope(scope) && !ofApis.has(scope));
  if (unknown !== undefined) throw invalidClientMetadata(`scope names ${unknown}, which does not exist.`);
  return scopes;
}

/** A client gets the built-in scopes of `scope` also for itself; scopes of defined APIs only if they are listed here. */
function checkOwnScopes(given: readonly string[], grants: readonly string[], ofApis = noScopes): string[] {
  const scopes = distinct('own_scopes', given);
  if (scopes.length === 0) return [];
  if (!grants.includes('client_credentials')) {
    throw invalidClientMetadata('own_scopes requires the grant type client_credentials.');
  }
  const unknown = scopes.find((scope) => isKnownScope(scope) || !ofApis.has(scope));
  if (unknown !== undefined || scopes.length > 100) {
    throw invalidClientMetadata('own_scopes must have at most 100 scopes of the APIs of the tenant.');
  }
  return scopes;
}

/** Audiences of the platform's services, for which only its own processes get tokens. */
const reservedResource = 'urn:ostiary:';

const checkResourceIndicators = (given: readonly string[]): string[] =>
  uris('resources', given, (resource) => checkResourceIndicator('resources', resource));

function checkResourceIndicator(name: string, resource: string): string {
  const valid = /^[\x21-\x7e]+$/.test(resource) && !resource.includes('#') && URL.canParse(resource);
  if (!valid || resource.toLowerCase().startsWith(reservedResource)) {
    throw invalidClientMetadata(`${name} must be absolute URIs without a fragment.`);
  }
  if (/^https?:/i.test(resource)) checkWebAddress(name, resource);
  return resource;
}

/** A public client is not authenticated, so it may not introspect (RFC 7662 §2.1). */
function checkProtectedResources(
  given: readonly string[],
  type: ClientType,
): { protected_resources?: string[] } {
  const resources = uris('protected_resources', given, (resource) =>
    resource === tenantApi ? resource : checkResourceIndicator('protected_resources', resource),
  );
  if (resources.length === 0) return {};
  if (type === 'public') throw invalidClientMetadata('A public client cannot have protected_resources.');
  return { protected_resources: resources };
}

function checkWebUri(name: string, uri: unknown): string {
  checkWebAddress(name, uri);
  return uri as string;
}

function uris(name: string, given: readonly string[], check: (uri: string) => string): string[] {
  const values = distinct(name, given);
  if (values.length > maxUris) throw invalidClientMetadata(`${name} has more than ${maxUris} entries.`);
  return values.map((value) => {
    if (value.length > maxUriLength)
      throw invalidClientMetadata(`${name} has an entry of more than ${maxUriLength} characters.`);
    return check(value);
  });
}

function distinct(name: string, values: unknown): string[] {
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) {
    throw invalidClientMetadata(`${name} must be a list of strings.`);
  }
  return [...new Set(values)];
}

function oneOf<T extends string>(name: string, value: string, allowed: readonly T[]): T {
  const found = allowed.find((candidate) => candidate === value);
  if (found === undefined) throw invalidClientMetadata(`${name} must be one of ${allowed.join(', ')}.`);
  return found;
}
