import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Logger } from '../kit/log.ts';
import { within } from '../time/time-limit.ts';
import type { Redis } from './connection.ts';
import { keyValidation } from './key-validation.ts';

export interface RatesOptions {
  /** Name of the counter in keys, such as `scim-rate`. */
  name: string;
  /** Shared counter of all processes. Without it each process counts separately. */
  redis?: Redis | undefined;
  /** REDIS_PREFIX. */
  prefix: string;
  log: Logger;
  /**
   * Number of leases per allowance, so that not every request waits for Redis. Smaller allowances are counted
   * one by one.
   */
  leases: number;
  /** Timeout of Redis in milliseconds, after which the process counts separately. */
  timeoutMs?: number;
}

/** State of a caller's allowance. */
export interface Allowance {
  allowed: boolean;
  /** Points per window. */
  limit: number;
  remaining: number;
  /** Seconds until the window ends and the allowance is restored, at least 1. */
  resetSeconds: number;
}

/** Points taken from the shared counter in one step for local use. */
interface Lease {
  left: number;
  /** Points left in the shared counter when the lease was taken. */
  beyond: number;
  endsAt: number;
}

interface Outcome {
  /** Points taken; 0 if there were not enough. */
  taken: number;
  result: RateLimiterRes;
}

/** Length of a window in seconds. */
export const windowSeconds = 60;

/**
 * The library's script, for a key of any content; no window is longer than configured. ARGV: points, seconds
 */
const countScript = `${keyValidation}
only(KEYS[1], 'string')
lasts(KEYS[1], ARGV[2] * 1000)
redis.call('SET', KEYS[1], 0, 'EX', ARGV[2], 'NX')
local consumed = redis.pcall('INCRBY', KEYS[1], ARGV[1])
if type(consumed) == 'table' then
  redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
  consumed = tonumber(ARGV[1])
end
return {consumed, redis.call('PTTL', KEYS[1])}`;

const redisTimeoutMs = 250;
const maxLimiters = 1000;
const maxLeases = 20_000;

/**
 * Rate limits in points per minute, counted in Redis for all processes. A process takes points in leases; at
 * most one lease per allowance and process stays unused. If Redis does not respond, each process counts
 * separately: requests are still served, and no process exceeds the allowance.
 */
export class Rates {
  readonly #options: RatesOptions;
  readonly #shared = new Map<number, RateLimiterAbstract>();
  readonly #own = new Map<number, RateLimiterAbstract>();
  readonly #leases = new Map<string, Lease>();
  /** Pending lease requests by key. */
  readonly #awaited = new Map<string, Promise<{ wanted: number; allowance: Allowance }>>();
  #alone = false;

  constructor(options: RatesOptions) {
    this.#options = options;
  }

  /**
   * Takes `cost` points from the allowance of `key`, or none if fewer are left. A cost above the limit counts
   * as the limit and takes a whole window. Never throws, and waits only briefly.
   */
  async take(key: string, limit: number, cost: number): Promise<Allowance> {
    const wanted = Math.min(Math.max(1, Math.ceil(cost)), limit);
    const share = Math.max(wanted, Math.floor(limit / this.#options.leases));
    const name = `${limit}:${key}`;
    const patience = performance.now() + (this.#options.timeoutMs ?? redisTimeoutMs);
    for (;;) {
      const allowance = this.#fromLease(name, limit, wanted);
      if (allowance) return allowance;
      const awaited = this.#awaited.get(name);
      if (!awaited || performance.now() >= patience) break;
      const other = await awaited;
      if (!other.allowance.allowed && other.wanted <= wanted) return other.allowance;
    }
    const taking = this.#take(name, key, limit, wanted, share);
    if (share === wanted) return taking;
    // Concurrent requests share a lease.
    const awaited = taking.then((allowance) => ({ wanted, allowance }));
    this.#awaited.set(name, awaited);
    try {
      return await taking;
    } finally {
      if (this.#awaited.get(name) === awaited) this.#awaited.delete(name);
    }
  }

  async #take(name: string, key: string, limit: number, wanted: number, share: number): Promise<Allowance> {
    const { taken, result } = await this.#consume(key, limit, wanted, share);
    const endsAt = performance.now() + result.msBeforeNext;
    // Another request may have taken a lease in the meantime.
    if (taken === 0) {
      return (
        this.#fromLease(name, limit, wanted) ?? {
          allowed: false,
          limit,
          remaining: 0,
          resetSeconds: secondsUntil(endsAt),
        }
      );
    }
    const left = (this.#leaseOf(name)?.left ?? 0) + taken - wanted;
    const beyond = Math.max(0, result.remainingPoints);
    if (taken > wanted) this.#remember(name, { left, beyond, endsAt });
    return { allowed: true, limit, remaining: left + beyond, resetSeconds: secondsUntil(endsAt) };
  }

  #fromLease(name: string, limit: number, wanted: number): Allowance | undefined {
    const lease = this.#leaseOf(name);
    if (!lease || lease.left < wanted) return undefined;
    lease.left -= wanted;
    return {
      allowed: true,
      limit,
      remaining: lease.left + lease.beyond,
      resetSeconds: secondsUntil(lease.endsAt),
    };
  }

  #leaseOf(name: string): Lease | undefined {
    const lease = this.#leases.get(name);
    if (lease && lease.endsAt <= performance.now()) {
      this.#leases.delete(name);
      return undefined;
    }
    return lease;
  }

  #remember(name: string, lease: Lease): void {
    if (this.#leases.size >= maxLeases) this.#leases.clear();
    this.#leases.set(name, lease);
  }

  async #consume(key: string, limit: number, wanted: number, share: number): Promise<Outcome> {
    const { redis, timeoutMs = redisTimeoutMs, log } = this.#options;
    const from = (limiter: RateLimiterAbstract) => consumeFrom(limiter, key, limit, wanted, share);
    const own = () => from(this.#ownLimiter(limit));
    if (!redis) return own();
    try {
      const outcome = await within(timeoutMs, from(this.#sharedLimiter(limit, redis)));
      this.#alone = false;
      return outcome;
    } catch (error) {
      if (!this.#alone)
        log.warn(
          { event: 'rate_limits.local_only', err: error },
          'Rate limits are counted by this process only; Redis is unavailable',
        );
      this.#alone = true;
      return own();
    }
  }

  #ownLimiter(limit: number): RateLimiterAbstract {
    return limiterIn(
      this.#own,
      limit,
      () => new RateLimiterMemory({ points: limit, duration: windowSeconds }),
    );
  }

  #sharedLimiter(limit: number, redis: Redis): RateLimiterAbstract {
    return limiterIn(
      this.#shared,
      limit,
      () =>
        new RateLimiterRedis({
          storeClient: redis,
          keyPrefix: `{${this.#options.prefix}}:${this.#options.name}`,
          points: limit,
          duration: windowSeconds,
          customIncrTtlLuaScript: countScript,
          rejectIfRedisNotReady: true,
          // An exhausted allowance does not reach Redis again before the window ends.
          inMemoryBlockOnConsumed: limit + 1,
        }),
    );
  }
}

function limiterIn(
  limiters: Map<number, RateLimiterAbstract>,
  limit: number,
  make: () => RateLimiterAbstract,
): RateLimiterAbstract {
  let limiter = limiters.get(limit);
  if (!limiter) {
    if (limiters.size >= maxLimiters) limiters.clear();
    limiter = make();
    limiters.set(limit, limiter);
  }
  return limiter;
}

/**
 * Takes a lease, or the remaining points if they suffice. The library also counts rejected requests, so a
 * request for several points reads the counter first and does not lose the remainder. With concurrent reads,
 * one request may still be counted without effect.
 */
async function consumeFrom(
  limiter: RateLimiterAbstract,
  key: string,
  limit: number,
  wanted: number,
  share: number,
): Promise<Outcome> {
  const found = share > 1 ? await limiter.get(key) : null;
  // A malformed count is deleted by the counting script.
  const isSound = found !== null && found.consumedPoints >= 0 && isWithinWindow(found.msBeforeNext);
  const known = isSound ? found : null;
  const left = known ? limit - known.consumedPoints : share;
  if (known && left < wanted) return { taken: 0, result: known };
  const points = Math.min(share, left);
  try {
    return { taken: points, result: await limiter.consume(key, points) };
  } catch (error) {
    // The library rejects with the result if too few points are left, and with an Error if counting failed.
    if (error instanceof RateLimiterRes) return { taken: 0, result: error };
    throw error;
  }
}

const isWithinWindow = (ms: number): boolean => ms >= 0 && ms <= windowSeconds * 1_000;

const secondsUntil = (at: number): number => Math.max(1, Math.ceil((at - performance.now()) / 1000));
