import { platformTenant, serviceAudience } from '@ostiary/access';
import type { ClientStore } from '../../clients/index.ts';
import type { AccessTokens } from './access-token.ts';

interface MintedServiceTokenOptions {
  clients: Pick<ClientStore, 'find'>;
  accessTokens: Pick<AccessTokens, 'issue'>;
  /** Wall clock in milliseconds. */
  clock: () => number;
}

/** Issues service tokens to this service itself. Each is used for most of its lifetime. */
export class MintedServiceTokens {
  readonly #o: MintedServiceTokenOptions;
  readonly #minted = new Map<string, { token: string; from: number; until: number }>();

  constructor(o: MintedServiceTokenOptions) {
    this.#o = o;
  }

  /** @param refused a token that the other service rejected; it is not returned again */
  async tokenFor(service: 'directory' | 'provisioning', refused?: string): Promise<string> {
    const { clients, accessTokens, clock } = this.#o;
    const known = this.#minted.get(service);
    // A token that is rejected within 1 s of its issue is rejected for another reason than its key, so it is not
    // replaced.
    const isRefused = known?.token === refused && clock() - (known?.from ?? 0) >= 1_000;
    if (known && !isRefused && clock() < known.until) return known.token;
    const client = await clients.find(platformTenant, 'auth');
    if (!client) throw new Error('the platform client of this service is missing');
    const { token, expiresIn } = await accessTokens.issue(platformTenant, {
      client,
      scopes: [],
      resources: [serviceAudience(service)],
    });
    const from = clock();
    this.#minted.set(service, { token, from, until: from + expiresIn * 800 });
    return token;
  }
}
