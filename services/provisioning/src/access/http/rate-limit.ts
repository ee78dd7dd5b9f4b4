import { ScimError } from '@ostiary/scim';
import { Rates, type RatesOptions, windowSeconds } from '@ostiary/service/rates';
import type { FastifyReply } from 'fastify';
import { type Caller, ownerOf } from '../domain/caller.ts';

export interface RateRule {
  rates: Rates;
  /** Requests per minute for callers without a limit of their own. */
  requestsPerMinute: number;
}

/** Creates the counters of requests: small allowances are counted one by one, large ones are leased from Redis. */
export const scimRates = (options: Omit<RatesOptions, 'name' | 'leases'>): Rates =>
  new Rates({ ...options, name: 'scim-rate', leases: 1000 });

/** Thrown with 429; Retry-After has the seconds to wait. */
export class TooManyRequests extends ScimError {
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super(429, `Too many requests: try again in ${retryAfter} seconds.`);
    this.retryAfter = retryAfter;
  }
}

/**
 * Counts requests, or the operations of a Bulk, against the caller's allowance, and sets its headers
 * (draft-ietf-httpapi-ratelimit-headers). A cost above the allowance uses up all of it.
 * @param counted number that was counted already
 * @throws TooManyRequests
 */
export async function countRequests(
  reply: FastifyReply,
  caller: Caller,
  { rates, requestsPerMinute }: RateRule,
  cost: number,
  counted = 0,
): Promise<void> {
  const limit = Math.min(caller.limits.requestsPerMinute ?? requestsPerMinute, requestsPerMinute);
  const left = Math.min(cost, limit) - counted;
  if (left < 1) return;
  const allowance = await rates.take(`${caller.tenant}:${ownerOf(caller)}`, limit, left);
  reply.header('ratelimit-policy', `"scim";q=${limit};w=${windowSeconds}`);
  reply.header('ratelimit', `"scim";r=${allowance.remaining};t=${allowance.resetSeconds}`);
  if (!allowance.allowed) throw new TooManyRequests(allowance.resetSeconds);
}
