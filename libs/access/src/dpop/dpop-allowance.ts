import { type Logger, networkOf, type Redis, TooManyRequests } from '@ostiary/service';
import { Rates } from '@ostiary/service/rates';

/** Sender of a proof. */
export interface ProofSource {
  /** The client's address. */
  address: string;
  /**
   * Whether the sender is authenticated otherwise: by a valid access token or client credentials. Any program
   * can create a key and prove its possession.
   */
  isKnown: boolean;
}

/**
 * Takes one proof from the allowance of its network. Each proof leaves a mark for minutes, so without a limit
 * one machine could fill the memory that all codes and sign-ins need.
 * @throws TooManyRequests
 */
export type ProofAllowance = (source: ProofSource) => Promise<void>;

/** Factor of the allowance for authenticated senders of a network, whose every request has a proof. */
const knownShare = 50;

/** @param o.perMinute maximum number of proofs per network without other authentication */
export function proofAllowance(o: {
  redis: Redis;
  /** REDIS_PREFIX. */
  prefix: string;
  log: Logger;
  perMinute: number;
}): ProofAllowance {
  const rates = new Rates({ name: 'dpop-rate', redis: o.redis, prefix: o.prefix, log: o.log, leases: 200 });
  return async ({ address, isKnown }) => {
    const limit = isKnown ? o.perMinute * knownShare : o.perMinute;
    const key = `${isKnown ? 'known' : 'anybody'}:${networkOf(address)}`;
    const { allowed, resetSeconds } = await rates.take(key, limit, 1);
    if (!allowed) throw new TooManyRequests(resetSeconds);
  };
}
