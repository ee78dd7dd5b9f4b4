import { type HttpPeer, ServiceUnavailable } from '@ostiary/service';
import { invalidToken, SigningKeys } from '@ostiary/verifier/core';
import type { JSONWebKeySet, JWTVerifyGetKey } from 'jose';
import { LRUCache } from 'lru-cache';

/** Source of a tenant's keys. `refresh` requests a newer copy than the previous one. */
export interface KeySource {
  keys(tenant: string, refresh: boolean): Promise<JWTVerifyGetKey>;
}

/** Keys of all tenants, fetched from the authorization server and cached. */
export class RemoteKeys implements KeySource {
  readonly #peer: HttpPeer;
  readonly #clock: () => number;
  // Sized with weight one each, because `max` would allocate the capacity now. Beyond it, tenants used in
  // turn would each be fetched again.
  readonly #tenants = new LRUCache<string, SigningKeys>({ maxSize: 20_000, sizeCalculation: () => 1 });

  constructor(peer: HttpPeer, clock: () => number) {
    this.#peer = peer;
    this.#clock = clock;
  }

  /**
   * @throws AccessError invalid_token for an unknown tenant; ServiceUnavailable if no key could be fetched
   */
  async keys(tenant: string, refresh: boolean): Promise<JWTVerifyGetKey> {
    const keys = await this.#of(tenant).keys(refresh);
    if (!keys) throw invalidToken();
    return keys;
  }

  /** Discards a tenant's keys, including a pending request for them. */
  forget(tenant: string): void {
    this.#tenants.delete(tenant);
  }

  #of(tenant: string): SigningKeys {
    const known = this.#tenants.get(tenant);
    if (known) return known;
    const keys = new SigningKeys({ fetch: () => this.#ask(tenant), clock: this.#clock });
    this.#tenants.set(tenant, keys);
    return keys;
  }

  async #ask(tenant: string): Promise<JSONWebKeySet | undefined> {
    const answer = await this.#peer.request<JSONWebKeySet>({ method: 'GET', path: `/t/${tenant}/jwks` });
    if (answer.status !== 200 && answer.status !== 404) throw new ServiceUnavailable('auth');
    return answer.status === 200 ? answer.body : undefined;
  }
}
