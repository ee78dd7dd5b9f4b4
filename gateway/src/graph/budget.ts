import type { Logger, Redis } from '@ostiary/service';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';

export interface BudgetOptions {
  /** Points a caller has in a window. */
  points: number;
  /** The count all gateways share. Without it each process counts by itself. */
  redis?: Redis | undefined;
  prefix: string;
  log: Logger;
  /** Milliseconds that Redis gets to answer before the process counts by itself. */
  timeoutMs?: number;
}

/** How a caller's budget stands after a charge. */
export interface Allowance {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Until the window ends and the budget is whole again. */
  resetSeconds: number;
}

/** Points that this process took from the common count at once and gives out by itself. */
interface Lease {
  left: number;
  /** What the common count had left when the lease was taken. */
  beyond: number;
  endsAt: number;
}

export const windowSeconds = 60;

/** A lease is this part of the budget, so that not every operation waits for Redis. */
const leases = 200;
const mostLeases = 20_000;

/**
 * A budget of points a minute for each caller, counted in Redis for all gateways. A gateway takes it in leases: at
 * most one of them goes unused in each process. When Redis doesn't answer, each process counts by itself: the graph
 * goes on, and no process lets through more than the budget.
 */
export class Budget {
  readonly #options: BudgetOptions;
  readonly #shared: RateLimiterRedis | undefined;
  readonly #own: RateLimiterMemory;
  readonly #leases = new Map<string, Lease>();
  #alone = false;

  constructor(options: BudgetOptions) {
    this.#options = options;
    const window = { points: options.points, duration: windowSeconds };
    this.#own = new RateLimiterMemory(window);
    this.#shared = options.redis
      ? new RateLimiterRedis({
          ...window,
          storeClient: options.redis,
          keyPrefix: `{${options.prefix}}:graph-rate`,
          rejectIfRedisNotReady: true,
          // Who has used it all up doesn't reach Redis again before the window ends.
          inMemoryBlockOnConsumed: options.points + 1,
        })
      : undefined;
  }

  /** Charges `cost` points. A cost beyond the whole budget counts as all of it. */
  async charge(caller: string, cost: number): Promise<Allowance> {
    const limit = this.#options.points;
    const wanted = Math.min(Math.max(1, Math.ceil(cost)), limit);
    const known = this.#leaseOf(caller);
    if (known && known.left >= wanted) {
      known.left -= wanted;
      return {
        allowed: true,
        limit,
        remaining: known.left + known.beyond,
        resetSeconds: until(known.endsAt),
      };
    }
    const share = Math.max(wanted, Math.floor(limit / leases));
    const { allowed, result } = await this.#consume(caller, share);
    const endsAt = performance.now() + result.msBeforeNext;
    if (!allowed) return { allowed, limit, remaining: 0, resetSeconds: until(endsAt) };
    // Looked up again: another operation may have taken a lease meanwhile.
    const left = (this.#leaseOf(caller)?.left ?? 0) + share - wanted;
    const beyond = Math.max(0, result.remainingPoints);
    if (this.#leases.size >= mostLeases) this.#leases.clear();
    this.#leases.set(caller, { left, beyond, endsAt });
    return { allowed, limit, remaining: left + beyond, resetSeconds: until(endsAt) };
  }

  #leaseOf(caller: string): Lease | undefined {
    const lease = this.#leases.get(caller);
    if (lease && lease.endsAt <= performance.now()) {
      this.#leases.delete(caller);
      return undefined;
    }
    return lease;
  }

  async #consume(caller: string, points: number): Promise<{ allowed: boolean; result: RateLimiterRes }> {
    if (!this.#shared) return outcomeOf(this.#own.consume(caller, points));
    try {
      const outcome = await within(
        this.#options.timeoutMs ?? 250,
        outcomeOf(this.#shared.consume(caller, points)),
      );
      this.#alone = false;
      return outcome;
    } catch (error) {
      if (!this.#alone) this.#options.log.warn({ err: error }, 'rates are counted by this process alone');
      this.#alone = true;
      return outcomeOf(this.#own.consume(caller, points));
    }
  }
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

const until = (at: number): number => Math.max(1, Math.ceil((at - performance.now()) / 1000));
