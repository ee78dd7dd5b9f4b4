import { networkOf, TooManyRequests } from '@ostiary/service';
import type { Client } from '../../clients/index.ts';
import { type Attempts, counterKey, countInTurn, requestDocuments } from '../../platform/index.ts';

/**
 * Counts a request before its document is fetched, because any caller with a client id can cause a fetch.
 * @throws TooManyRequests; ServiceUnavailable if it cannot be counted
 */
export type RequestDocumentLimit = (source: { client: Client; address: string }) => Promise<void>;

/** @param perMinute maximum per network */
export const createRequestDocumentLimit =
  (attempts: Attempts, perMinute: number): RequestDocumentLimit =>
  async ({ client: { tenant, clientId }, address }) => {
    const { waitMs } = await countInTurn(attempts, {
      own: [
        {
          key: counterKey('request_uri', 'network', networkOf(address)),
          limit: requestDocuments.network(perMinute),
        },
      ],
      shared: [
        {
          key: counterKey('request_uri', 'client', tenant, clientId),
          limit: requestDocuments.client(perMinute),
        },
        { key: counterKey('request_uri', 'tenant', tenant), limit: requestDocuments.tenant(perMinute) },
      ],
    });
    if (waitMs > 0) throw new TooManyRequests(Math.ceil(waitMs / 1_000));
  };
