import { createHash } from 'node:crypto';
import { OutgoingFetchError, type SafeFetch, TooManyRequests } from '@ostiary/service';
import { LRUCache } from 'lru-cache';
import { OutgoingPlaces } from '../../clients/data/outgoing-places.ts';
import { type Client, documentAddressOf } from '../../clients/index.ts';
import { maxPushedBytes, OAuthError } from '../../platform/index.ts';
import type { RequestDocumentSource } from '../domain/request-objects.ts';

/** Maximum number of simultaneous fetches of one process: in total, of one tenant, and of one client. */
const limits = { most: 32, maxOfTenant: 8, maxOfClient: 4, peaceMs: 1_000 } as const;

/** Timeout of a fetch, in milliseconds. A user waits for it. */
const timeoutMs = 3_000;
/** Period in which an address is not fetched again after a failure, in milliseconds. */
const cooldownMs = 5_000;
/** Lifetime in the cache of a document whose address contains its digest, in milliseconds. */
const keptMs = 3_600_000;

/**
 * RFC 9101 §5.2.3, §9.4.1. OpenID Connect Core §6.2 names no type; JWTs use the last two (RFC 7519 §10.3.1, RFC 7515
 * §9.2.1).
 */
const mediaTypes: ReadonlySet<string> = new Set([
  'application/oauth-authz-req+jwt',
  'application/jwt',
  'application/jose',
]);

/**
 * Fetches the request objects at the `request_uri`s of clients (OpenID Connect Core §6.2). The caller is not
 * authenticated, so the number of fetches is limited, an address is fetched once at a time, and a failed address is
 * not fetched again for a while. A document is cached only if its address contains its digest, because it cannot
 * change then.
 */
export class RequestDocuments implements RequestDocumentSource {
  readonly #fetch: SafeFetch;
  /** Fetches in progress, by address. */
  readonly #fetching = new Map<string, Promise<string>>();
  readonly #places: OutgoingPlaces;
  readonly #kept: LRUCache<string, string>;
  readonly #failed: LRUCache<string, true>;

  constructor(fetch: SafeFetch, clock: () => number) {
    this.#fetch = fetch;
    this.#places = new OutgoingPlaces({ ...limits, clock });
    this.#kept = new LRUCache({ max: 500, ttl: keptMs, ttlResolution: 0 });
    this.#failed = new LRUCache({ max: 2_000, ttl: cooldownMs, ttlResolution: 0 });
  }

  /** Returns the cached document. */
  kept(requestUri: string): string | undefined {
    return this.#kept.get(requestUri);
  }

  /**
   * Fetches the document at a registered address of the client.
   * @throws OAuthError invalid_request_uri for every failure, because a difference would disclose the state of the
   * address; TooManyRequests
   */
  async get(client: Client, requestUri: string): Promise<string> {
    const address = documentAddressOf(requestUri);
    if (this.#failed.has(address)) throw notHad('it failed a moment ago');
    const underWay = this.#fetching.get(address);
    if (underWay) return underWay;
    const place = this.#places.take(address, client);
    if (!place) throw new TooManyRequests(1);
    const text = this.#ask(requestUri, address, place.signal).finally(() => {
      place.leave();
      this.#fetching.delete(address);
    });
    this.#fetching.set(address, text);
    return text;
  }

  async #ask(requestUri: string, address: string, signal: AbortSignal): Promise<string> {
    try {
      const { body, contentType } = await this.#fetch(address, {
        accept: [...mediaTypes].join(', '),
        maxBytes: maxPushedBytes,
        timeoutMs,
        signal,
      });
      if (!mediaTypes.has(contentType)) throw new OutgoingFetchError('failed', 'It has another media type.');
      const text = body.toString('latin1').trim();
      const digest = createHash('sha256').update(body).digest('base64url');
      if (requestUri === `${address}#${digest}`) this.#kept.set(requestUri, text);
      return text;
    } catch (error) {
      if (!(error instanceof OutgoingFetchError)) throw error;
      this.#failed.set(address, true);
      throw notHad(error.message);
    }
  }
}

const notHad = (reason: string): OAuthError =>
  new OAuthError('invalid_request_uri', 'The request_uri does not return a request object.', { reason });
