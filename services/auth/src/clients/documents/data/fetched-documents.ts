import { type FetchedDocument, OutgoingFetchError, type SafeFetch, TooManyRequests } from '@ostiary/service';
import { LRUCache } from 'lru-cache';
import { OutgoingPlaces } from '../../data/outgoing-places.ts';
import { type ClientId, clientKey } from '../../domain/client.ts';
import { type ClientDocument, maxDocumentBytes, readDocument, UnusableDocument } from '../domain/document.ts';
import type { DocumentRequest, DocumentSource } from '../domain/document-clients.ts';
import type { SourceLimit } from '../domain/source-limit.ts';

/**
 * Maximum number of simultaneous fetches of one process, for stored clients and for others each: in total, of one
 * tenant, and of one client.
 */
const places = { most: 32, maxOfTenant: 8, maxOfClient: 1, peaceMs: 1_000 } as const;
/** Timeout of a fetch, in milliseconds. A user waits for it. */
const timeoutMs = 3_000;

/** Lifetimes in the cache in milliseconds: minimum, maximum, default, and of an error. */
const minLifetime = 60_000;
const maxLifetime = 86_400_000;
const defaultLifetime = 600_000;
const errorLifetime = 10_000;
/** Minimum age of a cached document that is fetched again before its lifetime ends, in milliseconds. */
const minRefreshAge = 10_000;

interface Known {
  found: ClientDocument | UnusableDocument;
  /** Unix milliseconds. */
  fetchedAt: number;
}

/**
 * Fetches client metadata documents by the rules of outgoing requests. A document is fetched once at a time, and cached
 * for the lifetime that its server states, within bounds; an error is cached briefly. Each tenant has its own entries,
 * so that no tenant observes or affects those of another. Stored clients have their own places and no limit by source,
 * so that requests with invented ids do not delay the changes of their documents, such as a replaced key.
 */
export class FetchedDocuments implements DocumentSource {
  readonly #o: { fetch: SafeFetch; limit: SourceLimit; clock: () => number };
  readonly #places: { ofStored: OutgoingPlaces; ofOthers: OutgoingPlaces };
  readonly #known: LRUCache<string, Known>;
  readonly #fetching = new Map<string, Promise<Known>>();

  constructor(o: { fetch: SafeFetch; limit: SourceLimit; clock: () => number }) {
    this.#o = o;
    const newPlaces = () => new OutgoingPlaces({ ...places, clock: o.clock });
    this.#places = { ofStored: newPlaces(), ofOthers: newPlaces() };
    this.#known = new LRUCache({ max: 2_000, ttlResolution: 0, perf: { now: o.clock } });
  }

  async get(
    client: ClientId,
    { refresh = false, ...source }: DocumentRequest,
  ): Promise<{ document: ClientDocument; isNew: boolean }> {
    const key = clientKey(client);
    const known = this.#known.get(key);
    const isUsable = known && !(refresh && this.#o.clock() - known.fetchedAt >= minRefreshAge);
    const { found } = isUsable ? known : await this.#shared(key, client, source);
    if (found instanceof UnusableDocument) throw found;
    return { document: found, isNew: !isUsable };
  }

  #shared(key: string, client: ClientId, source: DocumentRequest): Promise<Known> {
    const underWay = this.#fetching.get(key);
    if (underWay) return underWay;
    const fetching = this.#fetched(key, client, source).finally(() => this.#fetching.delete(key));
    this.#fetching.set(key, fetching);
    return fetching;
  }

  async #fetched(key: string, client: ClientId, { address, isStored }: DocumentRequest): Promise<Known> {
    if (!isStored) await this.#o.limit({ tenant: client.tenant, address });
    const place = this.#places[isStored ? 'ofStored' : 'ofOthers'].take(key, client);
    if (!place) throw new TooManyRequests(1);
    try {
      const response = await this.#o.fetch(client.clientId, {
        accept: 'application/json',
        maxBytes: maxDocumentBytes,
        timeoutMs,
        signal: place.signal,
      });
      return this.#keep(key, readDocument(client.clientId, bodyOf(response)), lifetimeOf(response));
    } catch (error) {
      if (!(error instanceof OutgoingFetchError) && !(error instanceof UnusableDocument)) throw error;
      const found = new UnusableDocument(error.message);
      // A cached document is valid until its lifetime ends, although a refresh fails.
      return this.#known.has(key)
        ? { found, fetchedAt: this.#o.clock() }
        : this.#keep(key, found, errorLifetime);
    } finally {
      place.leave();
    }
  }

  #keep(key: string, found: ClientDocument | UnusableDocument, ttl: number): Known {
    const known = { found, fetchedAt: this.#o.clock() };
    this.#known.set(key, known, { ttl });
    return known;
  }
}

function bodyOf({ body, contentType }: FetchedDocument): Buffer {
  if (/^application\/(?:[\w.-]+\+)?json$/.test(contentType)) return body;
  throw new UnusableDocument('the document has another media type than application/json');
}

const lifetimeOf = ({ maxAge }: FetchedDocument): number =>
  Math.min(Math.max(maxAge === undefined ? defaultLifetime : maxAge * 1_000, minLifetime), maxLifetime);
