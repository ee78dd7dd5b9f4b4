import { createHash } from 'node:crypto';
import { networkOf, TooManyRequests } from '@ostiary/service';
import type { Client } from '../../clients/index.ts';
import { type Attempts, countInTurn, requestDocuments } from '../../platform/index.ts';

/**
 * Counts a request before its document is fetched, because any caller with a client id can cause a fetch.
 * @throws TooManyRequests; ServiceUnavailable if it cannot be counted
 */
export type RequestDocumentLimit = (source: { client: Client; address: string }) => Promise<void>;

/** @param perMinute maximum per network */
export const createRequestDocumentLimit =
  (attempts: Attempts, perMinute: number): RequestDocumentLimit =>
  async ({ client: { tenant, clientId }, address }) => {
    const named = (...parts: string[]): string =>
      `request_uri:${createHash('sha256').update(JSON.stringify(parts)).digest('base64url')}`;
    const { waitMs } = await countInTurn(attempts, {
      own: [{ key: named('network', networkOf(address)), limit: requestDocuments.network(perMinute) }],
      shared: [
        { key: named('client', tenant, clientId), limit: requestDocuments.client(perMinute) },
        { key: named('tenant', tenant), limit: requestDocuments.tenant(perMinute) },
      ],
    });
    if (waitMs > 0) throw new TooManyRequests(Math.ceil(waitMs / 1_000));
  };
