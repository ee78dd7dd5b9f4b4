import * as oauth from 'oauth4webapi';
import { type Authorized, refresh } from './authorization.ts';
import type { Configuration } from './configuration.ts';

/** Seconds before expiry at which an access token is renewed. */
const earlySeconds = 20;

/** Thrown when a new sign-in is required. */
export class SignInNeeded extends Error {}

/**
 * A signed-in user. Tokens and their key exist only in the memory of this page: after a reload, the session at the
 * authorization server signs the user in again.
 */
export class Session {
  readonly tenant: string;
  readonly configuration: Configuration;
  #authorized: Authorized;
  #expiresAt = 0;
  #renewal: Promise<void> | undefined;

  constructor(configuration: Configuration, authorized: Authorized) {
    this.configuration = configuration;
    this.tenant = authorized.tenant;
    this.#authorized = authorized;
    this.#expireIn(authorized.tokens.expires_in);
  }

  /** Id of the user. */
  get subject(): string {
    return oauth.getValidatedIdTokenClaims(this.#authorized.tokens)?.sub ?? '';
  }

  /** Granted scopes, which depend on the roles of the user. */
  get scopes(): ReadonlySet<string> {
    return new Set((this.#authorized.tokens.scope ?? '').split(' '));
  }

  /** Replaces the tokens with those of a later sign-in of the same user, for example with a second factor. */
  take(authorized: Authorized): void {
    const { sub } = oauth.getValidatedIdTokenClaims(authorized.tokens) ?? {};
    if (authorized.tenant !== this.tenant || sub !== this.subject)
      throw new Error('another user has signed in');
    this.#authorized = authorized;
    this.#expireIn(authorized.tokens.expires_in);
  }

  /** Like `fetch`, with the access token and a DPoP proof. @throws SignInNeeded */
  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    await this.#fresh();
    const first = await this.#send(input, init);
    if (first.status !== 401) return first;
    if (/use_dpop_nonce/.test(first.headers.get('www-authenticate') ?? '')) return this.#send(input, init);
    // The token was rejected before its expiry: it was revoked, or roles changed.
    await this.#renew();
    return this.#send(input, init);
  };

  /** Returns the sign-out address of the authorization server (OpenID Connect RP-Initiated Logout). */
  async signOutAddress(): Promise<URL> {
    const { server, tokens } = this.#authorized;
    const client = { client_id: this.configuration.clientId };
    if (tokens.refresh_token !== undefined && server.revocation_endpoint !== undefined) {
      const options = { [oauth.allowInsecureRequests]: server.issuer.startsWith('http:') };
      await oauth
        .revocationRequest(server, client, oauth.None(), tokens.refresh_token, options)
        .catch(() => undefined);
    }
    const address = new URL(server.end_session_endpoint ?? server.issuer);
    if (tokens.id_token !== undefined) address.searchParams.set('id_token_hint', tokens.id_token);
    address.searchParams.set('client_id', client.client_id);
    address.searchParams.set(
      'post_logout_redirect_uri',
      new URL(import.meta.env.BASE_URL, location.origin).href,
    );
    return address;
  }

  async #send(input: RequestInfo | URL, init: RequestInit): Promise<Response> {
    const { dpop, tokens } = this.#authorized;
    const address = new URL(input instanceof Request ? input.url : input, location.href);
    const headers = new Headers(init.headers);
    try {
      return await oauth.protectedResourceRequest(
        tokens.access_token,
        init.method ?? 'GET',
        address,
        headers,
        (init.body ?? null) as oauth.ProtectedResourceRequestBody,
        {
          DPoP: dpop,
          [oauth.allowInsecureRequests]: address.protocol === 'http:',
          ...(init.signal ? { signal: init.signal } : {}),
        },
      );
    } catch (error) {
      if (error instanceof oauth.WWWAuthenticateChallengeError) return error.response;
      throw error;
    }
  }

  async #fresh(): Promise<void> {
    if (Date.now() >= this.#expiresAt) await this.#renew();
  }

  #renew(): Promise<void> {
    this.#renewal ??= this.#refresh().finally(() => {
      this.#renewal = undefined;
    });
    return this.#renewal;
  }

  async #refresh(): Promise<void> {
    try {
      const tokens = await refresh(this.configuration, this.#authorized);
      this.#authorized = { ...this.#authorized, tokens };
      this.#expireIn(tokens.expires_in);
    } catch (error) {
      if (error instanceof oauth.ResponseBodyError || !(error instanceof TypeError))
        throw new SignInNeeded('', { cause: error });
      throw error;
    }
  }

  #expireIn(seconds = 60): void {
    this.#expiresAt = Date.now() + (seconds - earlySeconds) * 1000;
  }
}
