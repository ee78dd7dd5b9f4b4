import { type HttpPeer, ServiceUnavailable } from '@ostiary/service';
import { createLocalJWKSet, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';
import { invalidToken } from '../errors.ts';

/** Source of a tenant's keys. `refresh` requests a newer copy than the previous one. */
export interface KeySource {
  keys(tenant: string, refresh: boolean): Promise<JWTVerifyGetKey>;
}

interface CachedKeys {
  at: number;
  keys: JWTVerifyGetKey | undefined;
}

const maxAge = 600_000;
const cooldown = 5_000;

/**
 * Keys fetched from the authorization server and cached. An unknown key triggers a request at most every five
 * seconds per tenant, so that invented key ids and tenants do not load the server. During an outage, cached
 * keys stay valid.
 */
export class RemoteKeys implements KeySource {
  readonly #peer: HttpPeer;
  readonly #clock: () => number;
  // Sized with weight one each, because `max` would allocate the capacity now. Beyond it, tenants used in
  // turn would each be fetched again.
  readonly #cache = new LRUCache<string, CachedKeys>({ maxSize: 20_000, sizeCalculation: () => 1 });
  readonly #fetching = new Map<string, Promise<CachedKeys>>();

  constructor(peer: HttpPeer, clock: () => number) {
    this.#peer = peer;
    this.#clock = clock;
  }

  /**
   * @throws AccessError invalid_token for an unknown tenant; ServiceUnavailable if no key could be fetched
   */
  async keys(tenant: string, refresh: boolean): Promise<JWTVerifyGetKey> {
    const cached = this.#cache.get(tenant);
    const age = cached ? this.#clock() - cached.at : Number.POSITIVE_INFINITY;
    const wanted = refresh || age > maxAge || cached?.keys === undefined;
    if (cached && !(wanted && age > cooldown)) return found(cached);
    try {
      return found(await this.#fetch(tenant));
    } catch (error) {
      if (cached?.keys && error instanceof ServiceUnavailable) return cached.keys;
      throw error;
    }
  }

  /** Discards a tenant's keys, including a pending request for them. */
  forget(tenant: string): void {
    this.#cache.delete(tenant);
    this.#fetching.delete(tenant);
  }

  #fetch(tenant: string): Promise<CachedKeys> {
    const fetching = this.#fetching.get(tenant);
    if (fetching) return fetching;
    const isLatest = (): boolean => this.#fetching.get(tenant) === started;
    const started = this.#ask(tenant)
      .then((entry) => {
        if (isLatest()) this.#cache.set(tenant, entry);
        return entry;
      })
      .finally(() => {
        if (isLatest()) this.#fetching.delete(tenant);
      });
    this.#fetching.set(tenant, started);
    return started;
  }

  async #ask(tenant: string): Promise<CachedKeys> {
    const answer = await this.#peer.request<JSONWebKeySet>({ method: 'GET', path: `/t/${tenant}/jwks` });
    if (answer.status !== 200 && answer.status !== 404) throw new ServiceUnavailable('auth');
    return {
      at: this.#clock(),
      keys: answer.status === 200 ? createLocalJWKSet(answer.body) : undefined,
    };
  }
}

function found(entry: CachedKeys): JWTVerifyGetKey {
  if (!entry.keys) throw invalidToken();
  return entry.keys;
}
