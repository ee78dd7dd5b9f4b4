import { platformTenant, serviceAudience } from '@ostiary/access';
import type { ClientStore } from '../clients/index.ts';
import type { AccessTokens } from '../oauth/index.ts';
import type { ServiceTokens } from './dependencies.ts';

interface MintedServiceTokenOptions {
  clients: Pick<ClientStore, 'find'>;
  accessTokens: Pick<AccessTokens, 'issue'>;
  /** Milliseconds. */
  clock: () => number;
}

/** This service calls others with tokens it issues to itself, each used for most of its life. */
export class MintedServiceTokens implements ServiceTokens {
  readonly #o: MintedServiceTokenOptions;
  readonly #minted = new Map<string, { token: string; from: number; until: number }>();

  constructor(o: MintedServiceTokenOptions) {
    this.#o = o;
  }

  async tokenFor(service: 'directory' | 'provisioning', refused?: string): Promise<string> {
    const { clients, accessTokens, clock } = this.#o;
    const known = this.#minted.get(service);
    // One that is refused when it is only just there is refused for another reason than its key.
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
