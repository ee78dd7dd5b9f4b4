import { type Logger, networkOf, type Redis, TooManyRequests } from '@ostiary/service';
import { Rates } from '@ostiary/service/rates';

/** Who sends a proof. */
export interface ProofSource {
  /** The client's address. */
  address: string;
  /**
   * Whether something else has shown who it is: a valid access token, or the client's own credentials. Anybody can make a key
   * and prove that they have it.
   */
  isKnown: boolean;
}

/**
 * Takes one proof out of what its network may show. Each leaves a mark for minutes, whoever made it, so without an end one
 * machine could fill the memory that everybody's codes and sign-ins need.
 * @throws TooManyRequests
 */
export type ProofAllowance = (source: ProofSource) => Promise<void>;

/** How many times as many come from a network of those who hold a token or authenticate: each of their requests has one. */
const knownShare = 50;

/** @param o.perMinute proofs that one network may show without anything else that says who it is */
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
