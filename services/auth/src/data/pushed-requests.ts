import { ServiceUnavailable } from '@ostiary/service';
import type { Redis } from 'ioredis';
import {
  isPushedRequestUri,
  type PushedRequest,
  type PushedRequests,
  pushedRequestUri,
  type WaitingRequest,
} from '../domain/pushed-request.ts';
import { deriveKey, keyedDigest, randomSecret } from '../domain/secret.ts';
import type { UsedValues } from './used-values.ts';

interface Kept {
  clientEpoch: number;
  parameters: [string, string[]][];
}

/** Milliseconds for which it is known that one was used: longer than the request and an interaction begun with it last together. */
const markMs = 2 * 3_600_000;

/** Pushed authorization requests in Redis, under the keyed digest of their request_uri. */
export class RedisPushedRequests implements PushedRequests {
  readonly #redis: Redis;
  readonly #prefix: string;
  readonly #key: Buffer;
  readonly #used: UsedValues;
  readonly #lifetime: number;

  constructor(o: {
    redis: Redis;
    prefix: string;
    encryptionKey: Buffer;
    used: UsedValues;
    /** Seconds. */
    lifetime: number;
  }) {
    this.#redis = o.redis;
    this.#used = o.used;
    this.#prefix = o.prefix;
    this.#key = deriveKey(o.encryptionKey, 'pushed-request');
    this.#lifetime = o.lifetime;
  }

  async push(
    tenant: string,
    clientId: string,
    { clientEpoch, parameters }: PushedRequest,
  ): Promise<{ requestUri: string; expiresIn: number }> {
    const requestUri = pushedRequestUri(randomSecret());
    const value = owner(clientId) + JSON.stringify({ clientEpoch, parameters: [...parameters] });
    await this.#available(() =>
      this.#redis.set(this.#name(this.#reference(tenant, requestUri)), value, 'EX', this.#lifetime, 'NX'),
    );
    return { requestUri, expiresIn: this.#lifetime };
  }

  async find(tenant: string, clientId: string, requestUri: string): Promise<WaitingRequest | undefined> {
    if (!isPushedRequestUri(requestUri)) return undefined;
    const reference = this.#reference(tenant, requestUri);
    const value = await this.#available(() => this.#redis.get(this.#name(reference)));
    if (value === null || !value.startsWith(owner(clientId))) return undefined;
    const kept = JSON.parse(value.slice(owner(clientId).length)) as Kept;
    return { clientEpoch: kept.clientEpoch, parameters: new Map(kept.parameters), reference };
  }

  async use(reference: string): Promise<boolean> {
    // The mark decides, in one step; without the request nobody begins anew only to be refused in the end.
    const isFirst = await this.#used.use('pushed_request', [reference], markMs);
    if (isFirst) await this.#available(() => this.#redis.del(this.#name(reference)));
    return isFirst;
  }

  #reference(tenant: string, requestUri: string): string {
    return keyedDigest(this.#key, `${tenant}\0${requestUri}`).toString('base64url');
  }

  #name(reference: string): string {
    return `${this.#prefix}:auth:pushed_request:${reference}`;
  }

  async #available<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw new ServiceUnavailable('redis', { cause: error });
    }
  }
}

/** No client id holds a line break. */
const owner = (clientId: string): string => `${clientId}\n`;
