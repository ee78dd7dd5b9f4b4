import { type Redis, readValid, type SealedValues, ServiceUnavailable } from '@ostiary/service';
import { randomSecret } from '../../tenancy/index.ts';
import { DigestNames, type SealedStoreOptions } from '../../tenancy/keys/data/sealed-store.ts';
import type { UsedValues } from '../../tenancy/keys/data/used-values.ts';
import {
  isPushedRequestUri,
  type PushedRequest,
  type PushedRequests,
  pushedRequestUri,
  type WaitingRequest,
} from '../domain/pushed-request.ts';

interface KeptRequest {
  clientId: string;
  clientEpoch: number;
  parameters: [string, readonly string[]][];
  /** Default false. */
  signed?: true;
}

/**
 * Period in which a request is known as used, in milliseconds. Longer than the lifetimes of the request and of an
 * interaction that begins with it.
 */
const markMs = 2 * 3_600_000;

/**
 * Stores sealed pushed authorization requests in Redis under the keyed digest of their request_uri. The mark of a
 * used request is in `UsedValues`, where write access to Redis cannot remove it.
 */
export class RedisPushedRequests implements PushedRequests {
  readonly #redis: Redis;
  readonly #values: SealedValues;
  readonly #names: DigestNames;
  readonly #used: UsedValues;
  readonly #lifetime: number;

  constructor(
    o: SealedStoreOptions & {
      used: UsedValues;
      /** Seconds. */
      lifetime: number;
    },
  ) {
    this.#redis = o.redis;
    this.#values = o.values;
    this.#names = new DigestNames(o, 'pushed_request');
    this.#used = o.used;
    this.#lifetime = o.lifetime;
  }

  async push(
    tenant: string,
    clientId: string,
    { clientEpoch, parameters, signed }: PushedRequest,
  ): Promise<{ requestUri: string; expiresIn: number }> {
    const requestUri = pushedRequestUri(randomSecret());
    const key = this.#names.current(tenant, requestUri);
    const kept: KeptRequest = {
      clientId,
      clientEpoch,
      parameters: [...parameters],
      ...(signed ? { signed } : {}),
    };
    const place = { purpose: 'pushed_request', tenant, key } as const;
    const sealed = this.#values.seal(place, JSON.stringify(kept), this.#lifetime);
    await this.#available(() => this.#redis.set(key, sealed, 'EX', this.#lifetime, 'NX'));
    return { requestUri, expiresIn: this.#lifetime };
  }

  async find(tenant: string, clientId: string, requestUri: string): Promise<WaitingRequest | undefined> {
    if (!isPushedRequestUri(requestUri)) return undefined;
    for (const key of this.#names.all(tenant, requestUri)) {
      const sealed = await this.#available(() => readValid(this.#redis.get(key)));
      if (sealed === null) continue;
      const opened = this.#values.open({ purpose: 'pushed_request', tenant, key }, sealed);
      const kept = opened === undefined ? undefined : (JSON.parse(opened) as KeptRequest);
      if (kept?.clientId !== clientId) return undefined;
      const { clientEpoch, parameters, signed = false } = kept;
      return { clientEpoch, parameters: new Map(parameters), signed, reference: `${tenant}\n${key}` };
    }
    return undefined;
  }

  async use(reference: string): Promise<boolean> {
    const [tenant = '', key = ''] = reference.split('\n');
    // The mark decides in one step. Deleting the request prevents an interaction that would be rejected at its end.
    const isFirst = await this.#used.use('pushed_request', [tenant, key], markMs);
    if (isFirst) await this.#available(() => this.#redis.del(key));
    return isFirst;
  }

  async #available<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new ServiceUnavailable('redis', { cause: error });
    }
  }
}
