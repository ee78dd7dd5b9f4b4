import { networkOf } from '@ostiary/service';
import { type Client, isUnapprovedClientId } from '../../clients/index.ts';
import type { Attempts } from '../../platform/index.ts';
import {
  type Counter,
  counterKey,
  countInTurn,
  maxPushedBytes,
  OAuthError,
  type Parameters,
  pushedRequests,
  slowDown,
} from '../../platform/index.ts';

/**
 * Counts a pushed request before it is stored, which limits waiting requests per network, client and tenant.
 * @throws OAuthError slow_down (429) with the delay; ServiceUnavailable if it cannot be counted
 */
export type PushedRequestLimit = (source: { client: Client; address: string }) => Promise<void>;

/** @param perMinute maximum per network for a client without authentication */
export const createPushedRequestLimit =
  (attempts: Attempts, perMinute: number): PushedRequestLimit =>
  async ({ client, address }) => {
    const ofClient: Counter = {
      key: counterKey('pushed', client.tenant, client.clientId),
      limit: pushedRequests.client(perMinute),
    };
    const ofTenant: Counter = {
      key: counterKey('pushed', client.tenant),
      limit: pushedRequests.tenant(perMinute),
    };
    // Anyone can invent ids of unapproved clients, so all of them count as one.
    const isUnapproved = isUnapprovedClientId(client.clientId);
    const unproven = isUnapproved ? 'unapproved' : client.clientId;
    const turn = await countInTurn(
      attempts,
      client.type === 'public' || isUnapproved
        ? {
            own: [
              {
                key: counterKey('pushed', client.tenant, unproven, networkOf(address)),
                limit: pushedRequests.unproven(perMinute),
              },
            ],
            shared: [ofClient, ofTenant],
          }
        : { own: [ofClient], shared: [ofTenant] },
    );
    if (turn.waitMs > 0) throw slowDown(turn.waitMs);
  };

/** RFC 9126 §2.3: a request that is too large gets 413. @throws OAuthError */
export function checkPushedSize(parameters: Parameters): void {
  let bytes = 0;
  for (const [name, values] of parameters) {
    for (const value of values) bytes += Buffer.byteLength(name) + Buffer.byteLength(value) + 2;
  }
  if (bytes <= maxPushedBytes) return;
  throw new OAuthError('invalid_request', `A pushed request must have at most ${maxPushedBytes} bytes.`, {
    statusCode: 413,
  });
}
