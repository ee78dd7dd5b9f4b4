import {
  type AuthorizationRequest,
  type ClaimsRequest,
  checkResources,
  defaultScopes,
  type Prompt,
  parseClaimsRequest,
  type ReturnAddress,
  scopeOfClaim,
} from '../../access/index.ts';
import {
  type ClientWithApis,
  isExemptFromProofKey,
  matchRedirectUri,
  needsNonce,
  type RedirectingClient,
} from '../../clients/index.ts';
import { OAuthError, type Parameters, single } from '../../platform/index.ts';
import { resourcesOf, type Target, targetOfRequest } from './access-tokens/target.ts';

/**
 * The client or its redirect URI is not verified. The user sees an error page instead of a redirect (RFC 6749
 * §4.1.2.1).
 */
export class UnsafeRequest extends Error {
  readonly reason: 'malformed' | 'unknown_client' | 'redirect_uri';

  constructor(reason: UnsafeRequest['reason'], message: string) {
    super(message);
    this.name = 'UnsafeRequest';
    this.reason = reason;
  }
}

export type { AuthorizationRequest, ReturnAddress } from '../../access/index.ts';

export interface AuthorizingClient extends RedirectingClient, ClientWithApis {
  clientId: string;
  grantTypes: readonly string[];
  responseTypes: readonly string[];
  scopes: readonly string[];
  resources: readonly string[];
}

/** Maximum length of a parameter in bytes, default 2,048. Relying parties store more in `state` than in others. */
const maxLength = new Map([
  ['id_token_hint', 8_192],
  ['state', 8_192],
]);
const lengthLimitOf = (name: string): number => maxLength.get(name) ?? 2_048;

const isOversized = (name: string, value: string): boolean => Buffer.byteLength(value) > lengthLimitOf(name);
const maxScopes = 100;
const maxAcrValues = 20;
/** Supported response modes. */
export const responseModes = ['query', 'form_post'] as const;
const prompts: ReadonlySet<string> = new Set(['none', 'login', 'consent', 'select_account']);

/**
 * Returns the client_id of a request.
 * @throws UnsafeRequest if it is missing, repeated or too long
 */
export function clientIdOf(parameters: Parameters): string {
  const clientId = single(parameters, 'client_id');
  if (clientId === undefined || isOversized('client_id', clientId)) {
    throw new UnsafeRequest(
      'unknown_client',
      `client_id must be sent exactly once, with at most ${lengthLimitOf('client_id')} bytes.`,
    );
  }
  return clientId;
}

/**
 * Returns the address to which the response is sent.
 * @throws UnsafeRequest if the redirect URI is not registered for the client
 */
export function returnAddressOf(parameters: Parameters, client: AuthorizingClient): ReturnAddress {
  const sent = parameters.get('redirect_uri');
  const redirectUri = sent && sent.length > 1 ? undefined : matchRedirectUri(client, sent?.[0]);
  if (redirectUri === undefined) {
    throw new UnsafeRequest('redirect_uri', 'redirect_uri does not match a registered URI of this client.');
  }
  const state = single(parameters, 'state');
  return {
    redirectUri,
    ...(state !== undefined && !isOversized('state', state) ? { state } : {}),
    ...(single(parameters, 'response_mode') === 'form_post' ? { responseMode: 'form_post' } : {}),
  };
}

/**
 * Validates the parameters of an authorization request.
 * @param issuer accepted as a resource in addition to the client's own: the tenant's API
 * @throws OAuthError for the first violated rule
 */
export function checkAuthorizationRequest(
  parameters: Parameters,
  client: AuthorizingClient,
  address: ReturnAddress,
  issuer: string,
): AuthorizationRequest {
  refuseDuplicates(parameters);
  refuseOversized(parameters);
  refuseRegistration(parameters);
  requireCodeResponse(parameters, client);
  checkResponseMode(parameters);
  const codeChallenge = requireProofKey(parameters, client);
  const { scopes, resources } = checkTarget(parameters, client, issuer);
  const requestedPrompts = checkPrompt(parameters);
  const maxAge = checkMaxAge(parameters, client);
  return {
    clientId: client.clientId,
    redirectUri: address.redirectUri,
    redirectUriSent: parameters.has('redirect_uri'),
    scopes,
    resources,
    codeChallenge,
    prompts: requestedPrompts,
    ...(maxAge === undefined ? {} : { maxAge }),
    ...(address.responseMode === undefined ? {} : { responseMode: address.responseMode }),
    ...optional('state', address.state),
    ...optional('nonce', single(parameters, 'nonce')),
    ...optional('dpopJkt', checkProofKeyThumbprint(parameters)),
    ...optional('loginHint', single(parameters, 'login_hint')),
    ...optional('idTokenHint', single(parameters, 'id_token_hint')),
    ...optional('uiLocales', single(parameters, 'ui_locales')),
    ...checkWantedAuthentication(parameters),
    ...checkClaims(parameters, scopes, client),
  };
}

/** RFC 6749 §3.1: no parameter twice; only `resource` may repeat (RFC 8707 §2). */
function refuseDuplicates(parameters: Parameters): void {
  for (const [name, values] of parameters) {
    if (values.length > 1 && name !== 'resource') {
      throw new OAuthError('invalid_request', `Parameter ${printable(name)} must not be repeated.`);
    }
  }
}

function refuseOversized(parameters: Parameters): void {
  for (const [name, values] of parameters) {
    if (values.some((value) => isOversized(name, value))) {
      throw new OAuthError(
        'invalid_request',
        `Parameter ${printable(name)} is longer than ${lengthLimitOf(name)} bytes.`,
      );
    }
  }
}

/** OpenID Connect Core §7.2.1: `registration` is for self-issued providers. */
function refuseRegistration(parameters: Parameters): void {
  if (parameters.has('registration')) {
    throw new OAuthError('registration_not_supported', 'Parameter registration is not supported.');
  }
}

/** OAuth 2.1 §10: `token` (implicit) and the hybrid types are removed. */
function requireCodeResponse(parameters: Parameters, client: AuthorizingClient): void {
  const responseType = single(parameters, 'response_type');
  if (responseType === undefined)
    throw new OAuthError('invalid_request', 'Parameter response_type is missing.');
  if (responseType !== 'code') {
    throw new OAuthError('unsupported_response_type', 'Only response_type=code is supported.');
  }
  if (!client.grantTypes.includes('authorization_code') || !client.responseTypes.includes('code')) {
    throw new OAuthError(
      'unauthorized_client',
      'The client is not registered for the authorization code grant.',
    );
  }
}

/**
 * OAuth 2.0 Multiple Response Type Encoding Practices §2.1, Form Post Response Mode §2. `fragment` would expose a
 * code to every script of the target page, and only the removed implicit grant needs it.
 */
function checkResponseMode(parameters: Parameters): void {
  const mode = single(parameters, 'response_mode');
  if (mode !== undefined && !responseModes.some((known) => known === mode)) {
    throw new OAuthError('invalid_request', `response_mode must be one of ${responseModes.join(', ')}.`);
  }
}

/** RFC 7636 §4.3 with OAuth 2.1 §7.5.2: required, and S256 only. A missing method would mean `plain`. */
function requireProofKey(parameters: Parameters, client: AuthorizingClient): string {
  const challenge = single(parameters, 'code_challenge');
  if (challenge === undefined) {
    if (isExemptFromProofKey(client) && !parameters.has('code_challenge_method')) {
      if (needsNonce(client)) requireNonce(parameters);
      return '';
    }
    throw new OAuthError('invalid_request', 'Parameter code_challenge is missing: PKCE is required.');
  }
  if (single(parameters, 'code_challenge_method') !== 'S256') {
    throw new OAuthError('invalid_request', 'code_challenge_method must be S256.');
  }
  if (!/^[A-Za-z0-9_-]{43}$/.test(challenge)) {
    throw new OAuthError('invalid_request', 'code_challenge must be a base64url SHA-256 digest.');
  }
  return challenge;
}

/** OAuth 2.1 §7.5.1: without PKCE only OpenID Connect's `nonce` prevents the injection of a stolen code. */
function requireNonce(parameters: Parameters): void {
  const scopes = single(parameters, 'scope')?.split(' ');
  if (!parameters.has('nonce') || !(scopes?.includes('openid') ?? true)) {
    throw new OAuthError('invalid_request', 'Without code_challenge, scope openid and a nonce are required.');
  }
}

/** RFC 9449 §10: a SHA-256 JWK thumbprint. */
function checkProofKeyThumbprint(parameters: Parameters): string | undefined {
  const thumbprint = single(parameters, 'dpop_jkt');
  if (thumbprint !== undefined && !/^[A-Za-z0-9_-]{43}$/.test(thumbprint)) {
    throw new OAuthError('invalid_request', 'dpop_jkt must be a base64url SHA-256 thumbprint.');
  }
  return thumbprint;
}

/** Checks `scope` and `resource` of a request that a user answers. @throws OAuthError */
export function checkTarget(
  parameters: Parameters,
  client: Pick<AuthorizingClient, 'scopes' | 'resources' | 'apis'>,
  issuer: string,
): Target {
  const scopes = checkScopes(parameters, client);
  const resources = checkResources(parameters.get('resource') ?? [], resourcesOf(client, issuer));
  return targetOfRequest(client, { scopes, byDefault: !parameters.has('scope'), resources });
}

/** RFC 6749 §3.3. Permits registered scopes. The default is the registered scopes without long-lived access. */
export function checkScopes(parameters: Parameters, client: Pick<AuthorizingClient, 'scopes'>): string[] {
  const text = single(parameters, 'scope');
  if (text === undefined) {
    const scopes = defaultScopes(client.scopes);
    if (scopes.length === 0) throw new OAuthError('invalid_scope', 'Parameter scope is missing.');
    return scopes;
  }
  const scopes = [...new Set(text.split(' ').filter((scope) => scope !== ''))];
  if (scopes.length === 0 || scopes.length > maxScopes || !scopes.every(isScopeToken)) {
    throw new OAuthError(
      'invalid_scope',
      `Parameter scope must be a space-separated list of at most ${maxScopes} scopes.`,
    );
  }
  const unknown = scopes.find((scope) => !client.scopes.includes(scope));
  if (unknown !== undefined) {
    throw new OAuthError('invalid_scope', `The client is not registered for scope ${printable(unknown)}.`);
  }
  return scopes;
}

const isScopeToken = (scope: string): boolean => /^[\x21\x23-\x5b\x5d-\x7e]{1,128}$/.test(scope);

/** OpenID Connect Core §3.1.2.1: `none` cannot be combined. */
function checkPrompt(parameters: Parameters): Prompt[] {
  const values = [
    ...new Set((single(parameters, 'prompt') ?? '').split(' ').filter((value) => value !== '')),
  ];
  if (!values.every((value): value is Prompt => prompts.has(value))) {
    throw new OAuthError('invalid_request', `prompt must contain only ${[...prompts].join(', ')}.`);
  }
  if (values.includes('none') && values.length > 1) {
    throw new OAuthError('invalid_request', 'prompt=none cannot be combined with other values.');
  }
  return values;
}

/** OpenID Connect Core §3.1.2.1 acr_values, used for a step-up (RFC 9470 §4). */
function checkWantedAuthentication(parameters: Parameters): { acrValues?: string[] } {
  const values = (single(parameters, 'acr_values') ?? '').split(' ').filter((value) => value !== '');
  return values.length === 0 ? {} : { acrValues: [...new Set(values)].slice(0, maxAcrValues) };
}

/** OpenID Connect Core §5.5. Ignored without `openid`. A client gets no claim beyond its scopes. */
function checkClaims(
  parameters: Parameters,
  scopes: readonly string[],
  client: AuthorizingClient,
): { claims?: ClaimsRequest } {
  const text = single(parameters, 'claims');
  if (text === undefined || !scopes.includes('openid')) return {};
  const claims = parseClaimsRequest(text);
  const isItsOwn = (claim: string): boolean => client.scopes.includes(scopeOfClaim.get(claim) ?? '');
  return {
    claims: {
      ...claims,
      idToken: claims.idToken.filter(isItsOwn),
      userinfo: claims.userinfo.filter(isItsOwn),
    },
  };
}

/** OpenID Connect Core §3.1.2.1, Registration §2 default_max_age. */
function checkMaxAge(parameters: Parameters, client: AuthorizingClient): number | undefined {
  const text = single(parameters, 'max_age');
  if (text === undefined) {
    const { default_max_age: usual } = client.metadata;
    return typeof usual === 'number' ? usual : undefined;
  }
  if (!/^\d{1,9}$/.test(text))
    throw new OAuthError('invalid_request', 'max_age must be a number of seconds.');
  return Number(text);
}

const optional = <K extends string>(key: K, value: string | undefined): { [P in K]?: string } =>
  (value === undefined ? {} : { [key]: value }) as { [P in K]?: string };

/** RFC 6749 §4.1.2.1: error_description is limited to printable ASCII without quotes and backslash. */
const printable = (text: string): string => text.slice(0, 64).replace(/[^\x20-\x21\x23-\x5b\x5d-\x7e]/g, '?');
