import { type FetchedDocument, OutgoingFetchError, type SafeFetch, TooManyRequests } from '@ostiary/service';
import { LRUCache } from 'lru-cache';
import { OutgoingPlaces } from '../../data/outgoing-places.ts';
import { type ClientId, clientKey } from '../../domain/client.ts';
import { type ClientDocument, maxDocumentBytes, readDocument, UnusableDocument } from '../domain/document.ts';
import type { DocumentSource } from '../domain/document-clients.ts';
import type { SourceLimit } from '../domain/source-limit.ts';

/** Maximum number of simultaneous fetches of one process: in total, of one tenant, and of one client. */
const places = { most: 32, maxOfTenant: 8, maxOfClient: 1, peaceMs: 1_000 } as const;
/** Timeout of a fetch, in milliseconds. A user waits for it. */
const timeoutMs = 3_000;

/** Lifetimes in the cache in milliseconds: minimum, maximum, default, and of an error. */
const minLifetime = 60_000;
const maxLifetime = 86_400_000;
const defaultLifetime = 600_000;
const errorLifetime = 10_000;

/**
 * Fetches client metadata documents by the rules of outgoing requests. A document is fetched once at a time, and cached
 * for the lifetime that its server states, within bounds; an error is cached briefly. Each tenant has its own entries,
 * so that no tenant observes or affects those of another.
 */
export class FetchedDocuments implements DocumentSource {
  readonly #fetch: SafeFetch;
  readonly #limit: SourceLimit;
  readonly #places: OutgoingPlaces;
  readonly #known: LRUCache<string, ClientDocument | UnusableDocument>;
  readonly #fetching = new Map<string, Promise<ClientDocument | UnusableDocument>>();

  constructor(o: { fetch: SafeFetch; limit: SourceLimit; clock: () => number }) {
    this.#fetch = o.fetch;
    this.#limit = o.limit;
    this.#places = new OutgoingPlaces({ ...places, clock: o.clock });
    this.#known = new LRUCache({ max: 2_000, ttlResolution: 0, perf: { now: o.clock } });
  }

  async get(client: ClientId, o: { address: string; refresh?: boolean }): Promise<ClientDocument> {
    const { address, refresh = false } = o;
    const key = clientKey(client);
    const found = (refresh ? undefined : this.#known.get(key)) ?? (await this.#shared(key, client, address));
    if (found instanceof UnusableDocument) throw found;
    return found;
  }

  #shared(key: string, client: ClientId, address: string): Promise<ClientDocument | UnusableDocument> {
    const underWay = this.#fetching.get(key);
    if (underWay) return underWay;
    const fetching = this.#fetched(key, client, address).finally(() => this.#fetching.delete(key));
    this.#fetching.set(key, fetching);
    return fetching;
  }

  async #fetched(key: string, client: ClientId, address: string): Promise<ClientDocument | UnusableDocument> {
    await this.#limit({ tenant: client.tenant, address });
    const place = this.#places.take(key, client);
    if (!place) throw new TooManyRequests(1);
    try {
      const response = await this.#fetch(client.clientId, {
        accept: 'application/json',
        maxBytes: maxDocumentBytes,
        timeoutMs,
        signal: place.signal,
      });
      return this.#keep(key, readDocument(client.clientId, bodyOf(response)), lifetimeOf(response));
    } catch (error) {
      if (!(error instanceof OutgoingFetchError) && !(error instanceof UnusableDocument)) throw error;
      return this.#keep(key, new UnusableDocument(error.message), errorLifetime);
    } finally {
      place.leave();
    }
  }

  #keep<T extends ClientDocument | UnusableDocument>(key: string, found: T, ttl: number): T {
    this.#known.set(key, found, { ttl });
    return found;
  }
}

function bodyOf({ body, contentType }: FetchedDocument): Buffer {
  if (/^application\/(?:[\w.-]+\+)?json$/.test(contentType)) return body;
  throw new UnusableDocument('the document has another media type than application/json');
}

const lifetimeOf = ({ maxAge }: FetchedDocument): number =>
  Math.min(Math.max(maxAge === undefined ? defaultLifetime : maxAge * 1_000, minLifetime), maxLifetime);
