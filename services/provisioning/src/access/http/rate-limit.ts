import { ScimError } from '@ostiary/scim';
import { Rates, type RatesOptions, windowSeconds } from '@ostiary/service/rates';
import type { FastifyReply } from 'fastify';
import { type Caller, ownerOf } from '../domain/caller.ts';

export interface RateRule {
  rates: Rates;
  /** Requests in a minute for callers without a limit of their own. */
  requestsPerMinute: number;
}

/** Where requests are counted: small allowances one by one, large ones seldom ask Redis. */
export const scimRates = (options: Omit<RatesOptions, 'name' | 'leases'>): Rates =>
  new Rates({ ...options, name: 'scim-rate', leases: 1000 });

/** Thrown with 429: how many seconds to wait is in the answer's Retry-After. */
export class TooManyRequests extends ScimError {
  readonly retryAfter: number;

  constructor(retryAfter: number) {
    super(429, `Too many requests: try again in ${retryAfter} seconds.`);
    this.retryAfter = retryAfter;
  }
}

/**
 * Counts requests, or the operations of a Bulk, against the caller's allowance, and says how it stands
 * (draft-ietf-httpapi-ratelimit-headers). What costs more than the allowance costs the whole of it.
 * @param counted how many of them have been counted already
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
