import { ServiceUnavailable } from '@ostiary/service';
import type { Redis } from 'ioredis';
import {
  isPushedRequestUri,
  type PushedRequest,
  type PushedRequests,
  pushedRequestUri,
} from '../domain/pushed-request.ts';
import { deriveKey, keyedDigest, randomSecret } from '../domain/secret.ts';

/** Compares and consumes in one step; another client's attempt leaves it alone. ARGV: client id and separator. */
const takeScript = `
local value = redis.call('GET', KEYS[1])
if not value or string.sub(value, 1, #ARGV[1]) ~= ARGV[1] then return false end
redis.call('DEL', KEYS[1])
return string.sub(value, #ARGV[1] + 1)
`;

interface PushedCommands {
  takePushedRequest(key: string, owner: string): Promise<string | null>;
}

/** Pushed authorization requests in Redis, under the keyed digest of their request_uri. */
export class RedisPushedRequests implements PushedRequests {
  readonly #redis: Redis & PushedCommands;
  readonly #prefix: string;
  readonly #key: Buffer;
  readonly #lifetime: number;

  constructor(o: {
    redis: Redis;
    prefix: string;
    encryptionKey: Buffer;
    /** Seconds. */
    lifetime: number;
  }) {
    this.#redis = o.redis as Redis & PushedCommands;
    this.#prefix = o.prefix;
    this.#key = deriveKey(o.encryptionKey, 'pushed-request');
    this.#lifetime = o.lifetime;
    o.redis.defineCommand('takePushedRequest', { numberOfKeys: 1, lua: takeScript });
  }

  async push(
    tenant: string,
    clientId: string,
    { clientEpoch, parameters }: PushedRequest,
  ): Promise<{ requestUri: string; expiresIn: number }> {
    const requestUri = pushedRequestUri(randomSecret());
    const value = owner(clientId) + JSON.stringify({ clientEpoch, parameters: [...parameters] });
    await this.#available(() =>
      this.#redis.set(this.#name(tenant, requestUri), value, 'EX', this.#lifetime, 'NX'),
    );
    return { requestUri, expiresIn: this.#lifetime };
  }

  async take(tenant: string, clientId: string, requestUri: string): Promise<PushedRequest | undefined> {
    if (!isPushedRequestUri(requestUri)) return undefined;
    const taken = await this.#available(() =>
      this.#redis.takePushedRequest(this.#name(tenant, requestUri), owner(clientId)),
    );
    if (taken === null) return undefined;
    const kept = JSON.parse(taken) as { clientEpoch: number; parameters: [string, string[]][] };
    return { clientEpoch: kept.clientEpoch, parameters: new Map(kept.parameters) };
  }

  #name(tenant: string, requestUri: string): string {
    const digest = keyedDigest(this.#key, `${tenant}\0${requestUri}`).toString('base64url');
    return `${this.#prefix}:auth:pushed_request:${digest}`;
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
