import * as oauth from 'oauth4webapi';
import { type Authorized, refresh } from './authorization.ts';
import type { Configuration } from './configuration.ts';

/** Renews an access token this long before it expires. */
const earlySeconds = 20;

/** Thrown where only a new sign-in helps. */
export class SignInNeeded extends Error {}

/**
 * Somebody who is signed in. Tokens and their key are in the memory of this page and nowhere else: whoever reloads it is signed in
 * again by the session at the authorization server.
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

  /** Id of the person. */
  get subject(): string {
    return oauth.getValidatedIdTokenClaims(this.#authorized.tokens)?.sub ?? '';
  }

  /** What the person's roles let them do here. */
  get scopes(): ReadonlySet<string> {
    return new Set((this.#authorized.tokens.scope ?? '').split(' '));
  }

  /** Takes over the tokens of a later sign-in of the same person, such as one with a second factor. */
  take(authorized: Authorized): void {
    const { sub } = oauth.getValidatedIdTokenClaims(authorized.tokens) ?? {};
    if (authorized.tenant !== this.tenant || sub !== this.subject)
      throw new Error('another user has signed in');
    this.#authorized = authorized;
    this.#expireIn(authorized.tokens.expires_in);
  }

  /** As `fetch`, with the access token and a proof of its key. @throws SignInNeeded */
  readonly fetch = async (input: RequestInfo | URL, init: RequestInit = {}): Promise<Response> => {
    await this.#fresh();
    const first = await this.#send(input, init);
    if (first.status !== 401) return first;
    if (/use_dpop_nonce/.test(first.headers.get('www-authenticate') ?? '')) return this.#send(input, init);
    // The token was refused though it hasn't expired: it was revoked, or roles changed.
    await this.#renew();
    return this.#send(input, init);
  };

  /** Where to sign out of the authorization server, too (OpenID Connect RP-Initiated Logout). */
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
