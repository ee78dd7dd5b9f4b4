import type { Logger } from '@ostiary/service';
import { Rates } from '@ostiary/service/rates';
import { slowDown } from '../../../platform/index.ts';

/** Maximum number of digests that this process computes per minute and tenant: about a tenth of a core. */
const digestsPerMinute = 2_000_000;

/**
 * Limits the digests of pages that are not cached, because a client can request many different pages. Each process
 * counts separately, because it protects its own time.
 */
export class DigestAllowance {
  readonly #rates: Rates;
  readonly #perMinute: number;

  constructor(log: Logger, perMinute = digestsPerMinute) {
    this.#rates = new Rates({ name: 'feed-digests', prefix: '', log, leases: 1_000 });
    this.#perMinute = perMinute;
  }

  /** @throws OAuthError slow_down above the limit */
  async take(tenant: string, digests: number): Promise<void> {
    const { allowed, resetSeconds } = await this.#rates.take(tenant, this.#perMinute, digests);
    if (!allowed) throw slowDown(resetSeconds * 1_000);
  }
}
