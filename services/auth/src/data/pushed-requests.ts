import { type SealedValues, ServiceUnavailable } from '@ostiary/service';
import type { Redis } from 'ioredis';
import {
  isPushedRequestUri,
  type PushedRequest,
  type PushedRequests,
  pushedRequestUri,
} from '../domain/pushed-request.ts';
import { randomSecret } from '../domain/secret.ts';
import { DigestNames, type SealedStoreOptions } from './sealed-store.ts';

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

/** What is sealed. */
interface KeptRequest {
  clientId: string;
  clientEpoch: number;
  parameters: [string, readonly string[]][];
}

/** Pushed authorization requests in Redis, sealed, under the keyed digest of their request_uri. */
export class RedisPushedRequests implements PushedRequests {
  readonly #redis: Redis & PushedCommands;
  readonly #values: SealedValues;
  readonly #names: DigestNames;
  readonly #lifetime: number;

  constructor(
    o: SealedStoreOptions & {
      /** Seconds. */
      lifetime: number;
    },
  ) {
    this.#redis = o.redis as Redis & PushedCommands;
    this.#values = o.values;
    this.#names = new DigestNames(o, 'pushed_request');
    this.#lifetime = o.lifetime;
    o.redis.defineCommand('takePushedRequest', { numberOfKeys: 1, lua: takeScript });
  }

  async push(
    tenant: string,
    clientId: string,
    { clientEpoch, parameters }: PushedRequest,
  ): Promise<{ requestUri: string; expiresIn: number }> {
    const requestUri = pushedRequestUri(randomSecret());
    const key = this.#names.current(tenant, requestUri);
    const kept: KeptRequest = { clientId, clientEpoch, parameters: [...parameters] };
    const sealed = this.#values.seal(
      { purpose: 'pushed_request', tenant, key },
      JSON.stringify(kept),
      this.#lifetime,
    );
    await this.#available(() => this.#redis.set(key, owner(clientId) + sealed, 'EX', this.#lifetime, 'NX'));
    return { requestUri, expiresIn: this.#lifetime };
  }

  async take(tenant: string, clientId: string, requestUri: string): Promise<PushedRequest | undefined> {
    if (!isPushedRequestUri(requestUri)) return undefined;
    for (const key of this.#names.all(tenant, requestUri)) {
      const taken = await this.#available(() => this.#redis.takePushedRequest(key, owner(clientId)));
      if (taken === null) continue;
      const opened = this.#values.open({ purpose: 'pushed_request', tenant, key }, taken);
      const kept = opened === undefined ? undefined : (JSON.parse(opened) as KeptRequest);
      // Whose it is says the content; what is in front of it only keeps others from taking it.
      if (kept?.clientId !== clientId) return undefined;
      return { clientEpoch: kept.clientEpoch, parameters: new Map(kept.parameters) };
    }
    return undefined;
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
