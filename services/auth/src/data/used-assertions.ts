import { createHash } from 'node:crypto';
import { ServiceUnavailable } from '@ostiary/service';
import type { Redis } from 'ioredis';

/** Ids (`jti`) of assertions that were redeemed, remembered until the assertion has expired. */
export class UsedAssertions {
  readonly #redis: Redis;
  readonly #prefix: string;

  constructor(redis: Redis, prefix: string) {
    this.#redis = redis;
    this.#prefix = prefix;
  }

  /**
   * Marks an assertion as used. Of any number of callers, in any number of processes, one gets true.
   * @param milliseconds how long it could still be presented
   * @throws ServiceUnavailable
   */
  async use(tenant: string, issuer: string, jti: string, milliseconds: number): Promise<boolean> {
    const digest = createHash('sha256')
      .update(JSON.stringify([tenant, issuer, jti]))
      .digest('base64url');
    try {
      const answer = await this.#redis.set(
        `${this.#prefix}:auth:assertion:${digest}`,
        '',
        'PX',
        Math.max(1, Math.ceil(milliseconds)),
        'NX',
      );
      return answer === 'OK';
    } catch (error) {
      throw new ServiceUnavailable('redis', { cause: error });
    }
  }
}
