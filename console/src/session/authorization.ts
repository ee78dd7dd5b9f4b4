import * as oauth from 'oauth4webapi';
import { base, type Configuration } from './configuration.ts';

/** Additional parameters of an authorization request (OpenID Connect Core §3.1.2.1). */
export interface Demand {
  /** Maximum age of the sign-in, in seconds. */
  maxAge?: number;
  acrValues?: string;
  /** Other values of `prompt` are not used. */
  prompt?: 'login' | 'select_account';
}

/** State that is kept during the redirect to the sign-in page; contains no token and no key. */
interface Pending {
  tenant: string;
  state: string;
  nonce: string;
  verifier: string;
  /** Address that the user requested. */
  target: string;
}

export interface Authorized {
  tenant: string;
  target: string;
  server: oauth.AuthorizationServer;
  dpop: oauth.DPoPHandle;
  tokens: oauth.TokenEndpointResponse;
}

const insecure = (configuration: Configuration) => ({
  [oauth.allowInsecureRequests]: configuration.issuerBase.startsWith('http:'),
});

export const redirectUri = (): string => new URL(`${base}callback`, location.origin).href;

const pendingKey = (state: string): string => `ostiary-console:${state}`;

export const clientOf = ({ clientId }: Configuration): oauth.Client => ({ client_id: clientId });

/** Discovers the authorization server of a tenant. @throws Error when it does not exist */
export async function discover(
  configuration: Configuration,
  tenant: string,
): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(configuration.issuerBase + encodeURIComponent(tenant));
  const response = await oauth.discoveryRequest(issuer, insecure(configuration));
  return oauth.processDiscoveryResponse(issuer, response);
}

/**
 * Scopes that the console does not request. It requests all scopes of roles; the server grants those of the user.
 * Without offline access, a refresh token of the console ends with the session at the authorization server.
 */
const unasked: ReadonlySet<string> = new Set(['address', 'phone', 'groups', 'offline_access']);

/** Returns the address of the authorization request; `complete` handles its callback. */
export async function authorizationAddress(
  configuration: Configuration,
  tenant: string,
  { target, ...demand }: Demand & { target: string },
): Promise<{ address: URL; state: string }> {
  const server = await discover(configuration, tenant);
  const verifier = oauth.generateRandomCodeVerifier();
  const pending: Pending = {
    tenant,
    state: oauth.generateRandomState(),
    nonce: oauth.generateRandomNonce(),
    verifier,
    target,
  };
  sessionStorage.setItem(pendingKey(pending.state), JSON.stringify(pending));
  const address = new URL(server.authorization_endpoint ?? '');
  const parameters = {
    response_type: 'code',
    client_id: configuration.clientId,
    redirect_uri: redirectUri(),
    scope: (server.scopes_supported ?? ['openid']).filter((scope) => !unasked.has(scope)).join(' '),
    state: pending.state,
    nonce: pending.nonce,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    ...(demand.maxAge === undefined ? {} : { max_age: String(demand.maxAge) }),
    ...(demand.acrValues === undefined ? {} : { acr_values: demand.acrValues }),
    ...(demand.prompt === undefined ? {} : { prompt: demand.prompt }),
  };
  for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
  return { address, state: pending.state };
}

const isPending = (value: unknown): value is Pending =>
  typeof value === 'object' && value !== null && 'verifier' in value && 'tenant' in value;

/**
 * Redeems the callback of the sign-in page. The DPoP key of the tokens is created here, is not extractable, and exists
 * only in this page (RFC 9449).
 * @throws oauth.AuthorizationResponseError, oauth.ResponseBodyError
 */
export async function complete(configuration: Configuration, callback: URL): Promise<Authorized> {
  const key = pendingKey(callback.searchParams.get('state') ?? '');
  const pending: unknown = JSON.parse(sessionStorage.getItem(key) ?? 'null');
  sessionStorage.removeItem(key);
  if (!isPending(pending)) throw new Error('no such sign-in was begun in this tab');
  const client = clientOf(configuration);
  const [server, keyPair] = await Promise.all([
    discover(configuration, pending.tenant),
    oauth.generateKeyPair('ES256', { extractable: false }),
  ]);
  const dpop = oauth.DPoP(client, keyPair);
  const parameters = oauth.validateAuthResponse(server, client, callback, pending.state);
  const redeem = () =>
    oauth.authorizationCodeGrantRequest(
      server,
      client,
      oauth.None(),
      parameters,
      redirectUri(),
      pending.verifier,
      { DPoP: dpop, ...insecure(configuration) },
    );
  const tokens = await withNonce(redeem, (response) =>
    oauth.processAuthorizationCodeResponse(server, client, response, { expectedNonce: pending.nonce }),
  );
  return { tenant: pending.tenant, target: pending.target, server, dpop, tokens };
}

/** Requests new tokens with the refresh token. */
export async function refresh(
  configuration: Configuration,
  { server, dpop, tokens }: Pick<Authorized, 'server' | 'dpop' | 'tokens'>,
): Promise<oauth.TokenEndpointResponse> {
  const client = clientOf(configuration);
  const { refresh_token: token } = tokens;
  if (token === undefined) throw new Error('there is no refresh token');
  const renewed = await withNonce(
    () =>
      oauth.refreshTokenGrantRequest(server, client, oauth.None(), token, {
        DPoP: dpop,
        ...insecure(configuration),
      }),
    (response) => oauth.processRefreshTokenResponse(server, client, response),
  );
  return { ...tokens, ...renewed };
}

/** Repeats the request if the server requires a nonce in the proof (RFC 9449 §8). */
async function withNonce<T>(
  request: () => Promise<Response>,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  try {
    return await read(await request());
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error;
    return read(await request());
  }
}
