import { SigningKeys } from '@ostiary/verifier/core';
import { errors, type JSONWebKeySet, jwtVerify } from 'jose';
import * as oauth from 'oauth4webapi';
import {
  AnswerRejected,
  type AuthorizationRequest,
  type Issuer,
  type RedeemedTokens,
  type Redemption,
  type SignOutRequest,
} from './domain/issuer.ts';
import type { Logout } from './domain/logouts.ts';

export interface OpenIdIssuerOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Milliseconds since the epoch. */
  clock: () => number;
}

/** Longer than for decisions about requests: a code is lost if the answer to its redemption is. */
const responseMs = 15_000;
const metadataMaxAgeMs = 600_000;
const logoutEvent = 'http://schemas.openid.net/event/backchannel-logout';

/** The issuer over HTTP, by its metadata (RFC 8414). */
export class OpenIdIssuer implements Issuer {
  readonly #o: OpenIdIssuerOptions;
  readonly #client: oauth.Client;
  readonly #keys: SigningKeys;
  #metadata: { at: number; server: oauth.AuthorizationServer } | undefined;
  #discovering: Promise<oauth.AuthorizationServer> | undefined;

  constructor(options: OpenIdIssuerOptions) {
    this.#o = options;
    this.#client = { client_id: options.clientId };
    this.#keys = new SigningKeys({ fetch: () => this.#keySet(), clock: options.clock });
  }

  async authorizationAddress(request: AuthorizationRequest): Promise<string> {
    const { acr, maxAge, verifier } = request;
    return addressOf((await this.#server()).authorization_endpoint, {
      response_type: 'code',
      client_id: this.#o.clientId,
      redirect_uri: request.redirectUri,
      scope: request.scopes.join(' '),
      resource: request.resource,
      state: request.state,
      nonce: request.nonce,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      acr_values: acr?.join(' '),
      max_age: maxAge?.toString(),
    });
  }

  async redeem(o: Redemption): Promise<RedeemedTokens> {
    const server = await this.#server();
    try {
      // RFC 9207 §2.4: also if the metadata could not announce it.
      if (!o.answer.has('iss')) throw new Error('iss is missing');
      const answer = oauth.validateAuthResponse(server, this.#client, o.answer, o.state);
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        this.#client,
        this.#secret,
        answer,
        o.redirectUri,
        o.verifier,
        { ...this.#request, additionalParameters: { resource: o.resource } },
      );
      const tokens = await oauth.processAuthorizationCodeResponse(server, this.#client, response, {
        expectedNonce: o.nonce,
        requireIdToken: true,
      });
      await oauth.validateApplicationLevelSignature(server, response, this.#request);
      return tokensIn(tokens);
    } catch (error) {
      throw rejectionOf(error);
    }
  }

  async revoke(refreshToken: string): Promise<void> {
    const server = await this.#server();
    const response = await oauth.revocationRequest(
      server,
      this.#client,
      this.#secret,
      refreshToken,
      this.#request,
    );
    await oauth.processRevocationResponse(response);
  }

  async signOutAddress({ idToken, postLogoutRedirectUri }: SignOutRequest): Promise<string | undefined> {
    const { end_session_endpoint: endpoint } = await this.#server();
    return (
      endpoint &&
      addressOf(endpoint, {
        client_id: this.#o.clientId,
        id_token_hint: idToken,
        post_logout_redirect_uri: postLogoutRedirectUri,
      })
    );
  }

  async readLogoutToken(token: string): Promise<Logout> {
    for (const refresh of [false, true]) {
      const keys = await this.#keys.keys(refresh);
      try {
        if (keys === undefined) throw new Error('the issuer has no keys');
        const { payload } = await jwtVerify(token, keys, {
          algorithms: ['ES256', 'RS256', 'EdDSA', 'Ed25519'],
          typ: 'logout+jwt',
          issuer: this.#o.issuer,
          audience: this.#o.clientId,
          clockTolerance: 5,
          currentDate: new Date(this.#o.clock()),
          requiredClaims: ['iat', 'exp', 'jti'],
        });
        return logoutIn(payload);
      } catch (error) {
        if (error instanceof errors.JWKSNoMatchingKey && !refresh) continue;
        throw new AnswerRejected(undefined, error);
      }
    }
    throw new AnswerRejected(undefined, 'the key of the logout token is unknown');
  }

  /** Metadata is requested again after ten minutes, and stays valid while that fails. */
  async #server(): Promise<oauth.AuthorizationServer> {
    const known = this.#metadata;
    const at = this.#o.clock();
    if (known && at - known.at < metadataMaxAgeMs) return known.server;
    this.#discovering ??= this.#discover(at).finally(() => {
      this.#discovering = undefined;
    });
    try {
      return await this.#discovering;
    } catch (error) {
      if (known) return known.server;
      throw error;
    }
  }

  async #discover(at: number): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(this.#o.issuer);
    const response = await oauth.discoveryRequest(issuer, { ...this.#request, algorithm: 'oauth2' });
    const server = await oauth.processDiscoveryResponse(issuer, response);
    this.#metadata = { at, server };
    return server;
  }

  async #keySet(): Promise<JSONWebKeySet> {
    const { jwks_uri: address = '' } = await this.#server();
    const response = await fetch(address, { redirect: 'error', signal: AbortSignal.timeout(responseMs) });
    return (await response.json()) as JSONWebKeySet;
  }

  get #secret(): oauth.ClientAuth {
    return oauth.ClientSecretBasic(this.#o.clientSecret);
  }

  /** Credentials are sent unencrypted only if the issuer itself is. */
  get #request() {
    return {
      [oauth.allowInsecureRequests]: new URL(this.#o.issuer).protocol === 'http:',
      signal: () => AbortSignal.timeout(responseMs),
    };
  }
}

function addressOf(endpoint: string | undefined, parameters: Record<string, string | undefined>): string {
  const address = new URL(endpoint ?? '');
  for (const [name, value] of Object.entries(parameters))
    if (value !== undefined) address.searchParams.set(name, value);
  return address.href;
}

function tokensIn(tokens: oauth.TokenEndpointResponse): RedeemedTokens {
  const claims = oauth.getValidatedIdTokenClaims(tokens);
  return {
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
    idToken: tokens.id_token ?? '',
    subject: claims?.sub ?? '',
    sessionId: typeof claims?.sid === 'string' ? claims.sid : undefined,
  };
}

/** Returns errors of the network unchanged. */
function rejectionOf(error: unknown): unknown {
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError)
    return isOutage(error.error) ? error : new AnswerRejected(error.error, error);
  // Errors of `fetch` have no code, those of the library have one.
  if (error instanceof TypeError && !('code' in error)) return error;
  if (error instanceof DOMException && error.name === 'TimeoutError') return error;
  return new AnswerRejected(undefined, error);
}

const isOutage = (code: string): boolean => code === 'temporarily_unavailable' || code === 'server_error';

/** @throws Error for a token that OpenID Connect Back-Channel Logout 1.0 §2.6 rejects */
function logoutIn({ sub, sid, iat, events, nonce }: Record<string, unknown>): Logout {
  const event = (events as Record<string, unknown> | undefined)?.[logoutEvent];
  if (typeof event !== 'object' || event === null) throw new Error('the event is not a logout');
  if (nonce !== undefined) throw new Error('a logout token has no nonce');
  const subject = typeof sub === 'string' ? sub : undefined;
  const sessionId = typeof sid === 'string' ? sid : undefined;
  if (subject === undefined && sessionId === undefined) throw new Error('sub and sid are missing');
  return { subject, sessionId, issuedAt: iat as number };
}
