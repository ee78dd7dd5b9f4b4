import { createHash } from 'node:crypto';
import { networkOf, TooManyRequests } from '@ostiary/service';
import { type Attempts, countInTurn, requestDocuments } from '../../../platform/index.ts';

/**
 * Counts a request before its document is fetched, because any caller can cause a fetch.
 * @throws TooManyRequests; ServiceUnavailable if it cannot be counted
 */
export type DocumentLimit = (source: { tenant: string; address: string }) => Promise<void>;

/** @param perMinute maximum per network */
export const createDocumentLimit =
  (attempts: Attempts, perMinute: number): DocumentLimit =>
  async ({ tenant, address }) => {
    const named = (...parts: string[]): string =>
      `client_document:${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;
    const { waitMs } = await countInTurn(attempts, {
      own: [{ key: named('network', networkOf(address)), limit: requestDocuments.network(perMinute) }],
      shared: [{ key: named('tenant', tenant), limit: requestDocuments.tenant(perMinute) }],
    });
    if (waitMs > 0) throw new TooManyRequests(Math.ceil(waitMs / 1_000));
  };
