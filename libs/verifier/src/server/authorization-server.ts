import type { JSONWebKeySet } from 'jose';
import { type FeedPage, isFeedPage } from './feed-page.ts';
import { HttpClient, type HttpResponse } from './http-client.ts';

/** A response of the authorization server that cannot be used. */
export class ServerError extends Error {
  /** HTTP status; absent if there was no response. */
  readonly status: number | undefined;
  /** `error` of the response. */
  readonly code: string | undefined;
  /** Seconds of `Retry-After`. */
  readonly retryAfter: number | undefined;

  constructor(message: string, response?: HttpResponse, cause?: unknown) {
    super(message, { cause });
    this.name = 'ServerError';
    this.status = response?.status;
    const code = (response?.body as { error?: unknown } | undefined)?.error;
    this.code = typeof code === 'string' ? code : undefined;
    const seconds = Number(response?.headers['retry-after']);
    this.retryAfter = Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds, maxRetryAfter) : undefined;
  }

  /** Whether the server rejects this client, so that only a change of its registration or credentials helps. */
  get isRefusal(): boolean {
    return this.status === 401 || this.status === 403 || this.code === 'invalid_target';
  }
}

export interface ServerOptions {
  issuer: string;
  clientId: string;
  clientSecret: string;
  /** Resource identifier of the API. */
  audience: string;
  /** Milliseconds, monotonic. */
  monotonic: () => number;
}

interface Endpoints {
  keys: string;
  introspection: string;
  /** Absent for servers without a public feed. */
  feed: string | undefined;
}

const responseMs = 5_000;
const metadataMaxAgeMs = 600_000;
const maxRetryAfter = 60;

/** The endpoints of the issuer, by its metadata (RFC 8414). */
export class AuthorizationServer {
  readonly #o: ServerOptions;
  readonly #http = new HttpClient();
  readonly #authorization: string;
  #endpoints: { at: number; found: Promise<Endpoints> } | undefined;

  constructor(options: ServerOptions) {
    this.#o = options;
    // RFC 6749 §2.3.1
    const credentials = [options.clientId, options.clientSecret].map(encodeURIComponent).join(':');
    this.#authorization = `Basic ${Buffer.from(credentials).toString('base64')}`;
  }

  /** @throws ServerError */
  async keySet(): Promise<JSONWebKeySet> {
    const { keys } = await this.#discovered();
    const { body } = await this.#answered('keys', keys, { method: 'GET' });
    if (!Array.isArray((body as JSONWebKeySet | undefined)?.keys))
      throw new ServerError('The key set is malformed.');
    return body as JSONWebKeySet;
  }

  /**
   * Returns the response of introspection (RFC 7662). No token of a suspended tenant is active.
   * @param o.isBackground whether the process may end before the response
   * @throws ServerError
   */
  async introspect(token: string, { isBackground = false } = {}): Promise<Record<string, unknown>> {
    const { introspection } = await this.#discovered();
    const { body } = await this.#answered('introspection', introspection, {
      method: 'POST',
      headers: {
        authorization: this.#authorization,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ token }).toString(),
      isBackground,
    }).catch((error: ServerError) => {
      if (error.status === 403 && error.code === 'access_denied') return { body: { active: false } };
      throw error;
    });
    if (typeof body !== 'object' || body === null)
      throw new ServerError('The introspection response is malformed.');
    return body as Record<string, unknown>;
  }

  /**
   * Returns a page of the revocation feed.
   * @param o.waitSeconds maximum wait if there are no entries yet (RFC 7240 §4.3)
   * @throws ServerError
   */
  async revocations(o: { after?: string; waitSeconds: number; signal: AbortSignal }): Promise<FeedPage> {
    const { feed } = await this.#discovered();
    if (feed === undefined) throw new ServerError('The issuer has no revocation feed.');
    const url = new URL(feed);
    url.searchParams.set('audience', this.#o.audience);
    if (o.after !== undefined) url.searchParams.set('after', o.after);
    const isHeld = o.waitSeconds > 0;
    const { body } = await this.#answered('revocation feed', url.href, {
      method: 'GET',
      headers: {
        authorization: this.#authorization,
        ...(isHeld ? { prefer: `wait=${o.waitSeconds}` } : {}),
      },
      timeoutMs: responseMs + o.waitSeconds * 1_000,
      signal: o.signal,
      isBackground: isHeld,
    });
    if (!isFeedPage(body)) throw new ServerError('The page of the revocation feed is malformed.');
    return body;
  }

  close(): void {
    this.#http.close();
  }

  /** Metadata is requested again after ten minutes; until then, and while that fails, it stays valid. */
  async #discovered(): Promise<Endpoints> {
    const known = this.#endpoints;
    const now = this.#o.monotonic();
    if (known && now - known.at < metadataMaxAgeMs) return known.found;
    const next = { at: now, found: this.#discover() };
    this.#endpoints = next;
    try {
      return await next.found;
    } catch (error) {
      if (this.#endpoints === next) this.#endpoints = known;
      if (known) return known.found;
      throw error;
    }
  }

  async #discover(): Promise<Endpoints> {
    const { issuer } = this.#o;
    const { origin, pathname } = new URL(issuer);
    // RFC 8414 §3.1
    const address = `${origin}/.well-known/oauth-authorization-server${pathname === '/' ? '' : pathname}`;
    const { body } = await this.#answered('metadata', address, { method: 'GET' });
    const metadata = (body ?? {}) as Record<string, unknown>;
    // RFC 8414 §3.3
    if (metadata.issuer !== issuer)
      throw new ServerError(`The metadata is of another issuer than ${issuer}: ${String(metadata.issuer)}.`);
    const endpoint = (name: string): string | undefined => endpointOf(metadata[name], issuer);
    const [keys, introspection] = [endpoint('jwks_uri'), endpoint('introspection_endpoint')];
    if (keys === undefined || introspection === undefined)
      throw new ServerError('The metadata has no jwks_uri or introspection_endpoint.');
    return { keys, introspection, feed: endpoint('revocation_feed_endpoint') };
  }

  async #answered(
    name: string,
    url: string,
    request: Omit<Parameters<HttpClient['request']>[1], 'timeoutMs'> & { timeoutMs?: number },
  ): Promise<HttpResponse> {
    let response: HttpResponse;
    try {
      response = await this.#http.request(url, { timeoutMs: responseMs, ...request });
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new ServerError(`The ${name} cannot be read: ${reason}`, undefined, cause);
    }
    if (response.status === 200) return response;
    const { error_description: description } = (response.body ?? {}) as { error_description?: unknown };
    const detail = typeof description === 'string' ? `: ${description}` : '';
    throw new ServerError(`The ${name} cannot be read: status ${response.status}${detail}`, response);
  }
}

/** Credentials and keys must not be sent unencrypted unless the issuer itself is. */
function endpointOf(value: unknown, issuer: string): string | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const { protocol } = new URL(value);
  return protocol === 'https:' || protocol === new URL(issuer).protocol ? value : undefined;
}
