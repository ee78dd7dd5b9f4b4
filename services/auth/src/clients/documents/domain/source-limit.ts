import { networkOf, TooManyRequests } from '@ostiary/service';
import {
  type AttemptLimit,
  type Attempts,
  counterKey,
  countInTurn,
  newUnapprovedClients,
} from '../../../platform/index.ts';

/**
 * Counts a request of an unauthenticated caller by its network and tenant.
 * @throws TooManyRequests; ServiceUnavailable if it cannot be counted
 */
export type SourceLimit = (source: { tenant: string; address: string }) => Promise<void>;

/** @param kind of the counted requests; requests of different kinds are counted separately */
export const createSourceLimit =
  (attempts: Attempts, kind: string, limits: { network: AttemptLimit; tenant: AttemptLimit }): SourceLimit =>
  async ({ tenant, address }) => {
    const { waitMs } = await countInTurn(attempts, {
      own: [{ key: counterKey(kind, 'network', networkOf(address)), limit: limits.network }],
      shared: [{ key: counterKey(kind, 'tenant', tenant), limit: limits.tenant }],
    });
    if (waitMs > 0) throw new TooManyRequests(Math.ceil(waitMs / 1_000));
  };

/**
 * Counts clients without approval that a user allows for the first time.
 * @throws TooManyRequests; ServiceUnavailable if it cannot be counted
 */
export const createNewClientLimit =
  (attempts: Attempts) =>
  async ({ tenant, subjectId }: { tenant: string; subjectId: string }): Promise<void> => {
    const key = counterKey('unapproved_client', tenant, subjectId);
    const { waitMs } = await countInTurn(attempts, {
      own: [{ key, limit: newUnapprovedClients }],
      shared: [],
    });
    if (waitMs > 0) throw new TooManyRequests(Math.ceil(waitMs / 1_000));
  };
