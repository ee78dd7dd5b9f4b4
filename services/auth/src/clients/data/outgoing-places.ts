/** Permission to fetch one document, until it is released or given to another tenant. */
export interface OutgoingPlace {
  /** Aborted when the place is given to another tenant. */
  signal: AbortSignal;
  leave(): void;
}

/** Tenant and client of a document. */
interface Whose {
  tenant: string;
  clientId: string;
}

interface Fetching extends Whose {
  since: number;
  giveUp: AbortController;
}

export interface OutgoingPlaceLimits {
  most: number;
  maxOfTenant: number;
  maxOfClient: number;
  /** Milliseconds after which a fetch may be aborted in favour of a tenant without one. */
  peaceMs: number;
  /** Current time in milliseconds. */
  clock: () => number;
}

/**
 * Limits concurrent fetches of documents that clients publish, so that registered clients cannot make this server send
 * unlimited requests. Slow servers delay other tenants only briefly: when all places are taken, a tenant without a
 * fetch gets the place of the oldest fetch of the tenant with the most.
 */
export class OutgoingPlaces {
  readonly #limits: OutgoingPlaceLimits;
  /** Fetches in order of their start. */
  readonly #fetching = new Map<string, Fetching>();

  constructor(limits: OutgoingPlaceLimits) {
    this.#limits = limits;
  }

  /** Returns a place for one document; undefined when the document is being fetched or a limit is reached. */
  take(key: string, { tenant, clientId }: Whose): OutgoingPlace | undefined {
    const { most, maxOfTenant, maxOfClient, clock } = this.#limits;
    const fetching = this.#fetching;
    const ofTenant = this.#countOf(tenant);
    if (fetching.has(key) || ofTenant >= maxOfTenant || this.#countOf(tenant, clientId) >= maxOfClient) {
      return undefined;
    }
    if (fetching.size >= most && (ofTenant > 0 || !this.#makeRoom())) return undefined;
    const giveUp = new AbortController();
    const own: Fetching = { tenant, clientId, since: clock(), giveUp };
    fetching.set(key, own);
    return {
      signal: giveUp.signal,
      leave: () => {
        // The place may already belong to another fetch, even of the same document.
        if (fetching.get(key) === own) fetching.delete(key);
      },
    };
  }

  #countOf(tenant: string, clientId?: string): number {
    return [...this.#fetching.values()].filter(
      (other) => other.tenant === tenant && (clientId === undefined || other.clientId === clientId),
    ).length;
  }

  #makeRoom(): boolean {
    const { clock, peaceMs } = this.#limits;
    const waited = [...this.#fetching].filter(([, { since }]) => clock() - since >= peaceMs);
    // The sort is stable, so the oldest fetch is first among equals.
    const [longest] = waited.toSorted(([, a], [, b]) => this.#countOf(b.tenant) - this.#countOf(a.tenant));
    if (!longest) return false;
    const [key, { giveUp }] = longest;
    this.#fetching.delete(key);
    giveUp.abort();
    return true;
  }
}
