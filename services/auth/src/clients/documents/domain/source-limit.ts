import { createHash } from 'node:crypto';
import { networkOf, TooManyRequests } from '@ostiary/service';
import { type AttemptLimit, type Attempts, countInTurn } from '../../../platform/index.ts';

/**
 * Counts a request of an unauthenticated caller by its network and tenant.
 * @throws TooManyRequests; ServiceUnavailable if it cannot be counted
 */
export type SourceLimit = (source: { tenant: string; address: string }) => Promise<void>;

/** @param kind of the counted requests; requests of different kinds are counted separately */
export const createSourceLimit =
  (attempts: Attempts, kind: string, limits: { network: AttemptLimit; tenant: AttemptLimit }): SourceLimit =>
  async ({ tenant, address }) => {
    const named = (...parts: string[]): string =>
      `${kind}:${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;
    const { waitMs } = await countInTurn(attempts, {
      own: [{ key: named('network', networkOf(address)), limit: limits.network }],
      shared: [{ key: named('tenant', tenant), limit: limits.tenant }],
    });
    if (waitMs > 0) throw new TooManyRequests(Math.ceil(waitMs / 1_000));
  };
