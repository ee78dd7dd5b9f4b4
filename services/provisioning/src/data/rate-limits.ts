import type { Logger, Redis } from '@ostiary/service';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import { type Allowance, type RateLimits, windowSeconds } from '../domain/rate.ts';

export interface SharedRateLimitsOptions {
  redis: Redis;
  prefix: string;
  log: Logger;
  /** Milliseconds that Redis gets to answer before the process counts by itself. */
  timeoutMs?: number;
}

/** A share of a window that this process took from the common count and gives out by itself. */
interface Lease {
  left: number;
  /** What the common count had left when the share was taken. */
  beyond: number;
  endsAt: number;
}

/** The share is this part of the allowance: small allowances are counted one by one, large ones seldom ask Redis. */
const shares = 1000;
const mostLimiters = 1000;
const mostLeases = 10_000;

/**
 * Windows of a minute, counted in Redis for all processes. Without Redis each process counts by itself, so that SCIM
 * goes on and no process lets through more than the allowance.
 */
export class SharedRateLimits implements RateLimits {
  readonly #options: SharedRateLimitsOptions;
  readonly #shared = new Map<number, RateLimiterAbstract>();
  readonly #own = new Map<number, RateLimiterAbstract>();
  readonly #leases = new Map<string, Lease>();
  #alone = false;

  constructor(options: SharedRateLimitsOptions) {
    this.#options = options;
  }

  async take(key: string, limit: number, cost: number): Promise<Allowance> {
    const wanted = Math.min(cost, limit);
    const name = `${limit}:${key}`;
    const lease = this.#leases.get(name);
    if (lease && lease.endsAt > performance.now() && lease.left >= wanted) {
      lease.left -= wanted;
      return {
        allowed: true,
        limit,
        remaining: lease.left + lease.beyond,
        resetSeconds: secondsUntil(lease.endsAt),
      };
    }
    const share = Math.max(wanted, Math.floor(limit / shares));
    const taken = await this.#consume(key, limit, share);
    const endsAt = performance.now() + taken.result.msBeforeNext;
    if (!taken.allowed) return { allowed: false, limit, remaining: 0, resetSeconds: secondsUntil(endsAt) };
    const beyond = Math.max(0, taken.result.remainingPoints);
    const known = this.#leases.get(name);
    const left = share - wanted + (known && known.endsAt > performance.now() ? known.left : 0);
    if (share > wanted) this.#remember(name, { left, beyond, endsAt });
    return { allowed: true, limit, remaining: left + beyond, resetSeconds: secondsUntil(endsAt) };
  }

  async #consume(
    key: string,
    limit: number,
    points: number,
  ): Promise<{ allowed: boolean; result: RateLimiterRes }> {
    try {
      const result = await within(
        this.#options.timeoutMs ?? 250,
        consumeFrom(this.#limiter(limit), key, points, limit),
      );
      this.#alone = false;
      return result;
    } catch (error) {
      if (!this.#alone) this.#options.log.warn({ err: error }, 'rates are counted by this process alone');
      this.#alone = true;
      const own = limiterIn(
        this.#own,
        limit,
        () => new RateLimiterMemory({ points: limit, duration: windowSeconds }),
      );
      return consumeFrom(own, key, points, limit);
    }
  }

  #limiter(limit: number): RateLimiterAbstract {
    return limiterIn(
      this.#shared,
      limit,
      () =>
        new RateLimiterRedis({
          storeClient: this.#options.redis,
          keyPrefix: `{${this.#options.prefix}}:scim-rate`,
          points: limit,
          duration: windowSeconds,
          rejectIfRedisNotReady: true,
          // Who has used it all up doesn't reach Redis again before the window ends.
          inMemoryBlockOnConsumed: limit + 1,
        }),
    );
  }

  #remember(name: string, lease: Lease): void {
    if (this.#leases.size >= mostLeases) this.#leases.clear();
    this.#leases.set(name, lease);
  }
}

function limiterIn(
  limiters: Map<number, RateLimiterAbstract>,
  limit: number,
  make: () => RateLimiterAbstract,
): RateLimiterAbstract {
  let limiter = limiters.get(limit);
  if (!limiter) {
    if (limiters.size >= mostLimiters) limiters.clear();
    limiter = make();
    limiters.set(limit, limiter);
  }
  return limiter;
}

/**
 * The library counts what it refuses as well. Who asks for several at once, and can't have them, isn't to lose what is
 * left: so it looks first. Of some that look at the same time, one may still be counted for nothing.
 */
async function consumeFrom(
  limiter: RateLimiterAbstract,
  key: string,
  points: number,
  limit: number,
): Promise<{ allowed: boolean; result: RateLimiterRes }> {
  const known = points > 1 ? await limiter.get(key) : null;
  if (known && known.consumedPoints + points > limit) return { allowed: false, result: known };
  return outcomeOf(limiter.consume(key, points));
}

/** The library rejects with the result when there isn't enough left, and with an Error when it couldn't count. */
async function outcomeOf(
  consuming: Promise<RateLimiterRes>,
): Promise<{ allowed: boolean; result: RateLimiterRes }> {
  try {
    return { allowed: true, result: await consuming };
  } catch (error) {
    if (error instanceof RateLimiterRes) return { allowed: false, result: error };
    throw error;
  }
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`Redis did not answer within ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

const secondsUntil = (at: number): number => Math.max(1, Math.ceil((at - performance.now()) / 1000));
