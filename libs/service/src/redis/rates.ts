import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterRedis,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { Logger } from '../kit/log.ts';
import { timeLimit } from '../time/time-limit.ts';
import type { Redis } from './connection.ts';
import { keyValidation } from './key-validation.ts';

export interface RatesOptions {
  /** What is counted, in the keys: `scim-rate`, say. */
  name: string;
  /** The count all processes share. Without it each process counts by itself. */
  redis?: Redis | undefined;
  /** REDIS_PREFIX. */
  prefix: string;
  log: Logger;
  /**
   * Into how many leases an allowance is cut, so that not every request waits for Redis: allowances smaller than this
   * are counted one by one.
   */
  leases: number;
  /** Milliseconds that Redis gets to answer before the process counts by itself. */
  timeoutMs?: number;
}

/** How a caller's allowance stands. */
export interface Allowance {
  allowed: boolean;
  /** Points in a window. */
  limit: number;
  remaining: number;
  /** Seconds until the window ends and the whole allowance is there again, at least 1. */
  resetSeconds: number;
}

/** Points that this process took from the common count at once and gives out by itself. */
interface Lease {
  left: number;
  /** What the common count had left when the lease was taken. */
  beyond: number;
  endsAt: number;
}

interface Outcome {
  /** Points that were taken; 0 when there weren't enough. */
  taken: number;
  result: RateLimiterRes;
}

/** Length of a window. */
export const windowSeconds = 60;

/** The library's own script, for a key that may be anything: no window is longer than it should be. ARGV: points, seconds */
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
const mostLimiters = 1000;
const mostLeases = 20_000;

/**
 * Allowances of points a minute, counted in Redis for all processes. A process takes them in leases: of each allowance
 * at most one of them goes unused in each process. When Redis doesn't answer, each process counts by itself: service
 * goes on, and no process lets through more than the allowance.
 */
export class Rates {
  readonly #options: RatesOptions;
  readonly #shared = new Map<number, RateLimiterAbstract>();
  readonly #own = new Map<number, RateLimiterAbstract>();
  readonly #leases = new Map<string, Lease>();
  /** Leases that are being taken, and what came of it for whoever takes them. */
  readonly #awaited = new Map<string, Promise<{ wanted: number; allowance: Allowance }>>();
  #alone = false;

  constructor(options: RatesOptions) {
    this.#options = options;
  }

  /**
   * Takes `cost` points out of the allowance of `key`, or none at all when there are fewer left. A cost beyond the limit
   * counts as the limit: it takes a window of its own. Never throws and never waits long.
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
    // Many that come at once share a lease, rather than each holding one.
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
    // Another request may have taken a lease meanwhile.
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
    if (this.#leases.size >= mostLeases) this.#leases.clear();
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
          // Who has used it all up doesn't reach Redis again before the window ends.
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
    if (limiters.size >= mostLimiters) limiters.clear();
    limiter = make();
    limiters.set(limit, limiter);
  }
  return limiter;
}

/**
 * Takes a share, or what is left when that is enough. The library counts what it refuses as well. Who asks for several
 * at once, and can't have them, isn't to lose what is left: so it looks first. Of some that look at the same time, one
 * may still be counted for nothing.
 */
async function consumeFrom(
  limiter: RateLimiterAbstract,
  key: string,
  limit: number,
  wanted: number,
  share: number,
): Promise<Outcome> {
  const found = share > 1 ? await limiter.get(key) : null;
  // What isn't a count of this window is for the script that counts to take away.
  const isSound = found !== null && found.consumedPoints >= 0 && isWithinWindow(found.msBeforeNext);
  const known = isSound ? found : null;
  const left = known ? limit - known.consumedPoints : share;
  if (known && left < wanted) return { taken: 0, result: known };
  const points = Math.min(share, left);
  try {
    return { taken: points, result: await limiter.consume(key, points) };
  } catch (error) {
    // The library rejects with the result when there isn't enough left, and with an Error when it couldn't count.
    if (error instanceof RateLimiterRes) return { taken: 0, result: error };
    throw error;
  }
}

const isWithinWindow = (ms: number): boolean => ms >= 0 && ms <= windowSeconds * 1_000;

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const inTime = timeLimit(ms, () => late.reject(new Error(`Redis did not answer within ${ms} ms`)));
  try {
    return await Promise.race([work, late.promise]);
  } finally {
    inTime();
  }
}

const secondsUntil = (at: number): number => Math.max(1, Math.ceil((at - performance.now()) / 1000));
