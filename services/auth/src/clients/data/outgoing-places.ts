/** The right to fetch one document, until it is given up for another tenant's. */
export interface OutgoingPlace {
  /** Aborted when it is. */
  signal: AbortSignal;
  leave(): void;
}

/** Whose a document is. */
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
  mostOfTenant: number;
  mostOfClient: number;
  /**
   * Milliseconds for which a document is waited for in peace; after that another tenant that has none under way may need the place
   * more.
   */
  peaceMs: number;
  /** Milliseconds. */
  clock: () => number;
}

/**
 * Who may fetch now what clients have published. Never more than a few at a time: anyone who may register clients could have us ask half
 * the web. And servers that let us wait, together with however many others, keep nobody else waiting for more than a moment: when all
 * places are taken, a tenant that has none gets that of the oldest fetch of those who have most.
 */
export class OutgoingPlaces {
  readonly #limits: OutgoingPlaceLimits;
  /** In the order in which they began. */
  readonly #fetching = new Map<string, Fetching>();

  constructor(limits: OutgoingPlaceLimits) {
    this.#limits = limits;
  }

  /** A place for one document; undefined when it is being fetched, or has to wait. */
  take(key: string, { tenant, clientId }: Whose): OutgoingPlace | undefined {
    const { most, mostOfTenant, mostOfClient, clock } = this.#limits;
    const fetching = this.#fetching;
    const ofTenant = this.#countOf(tenant);
    if (fetching.has(key) || ofTenant >= mostOfTenant || this.#countOf(tenant, clientId) >= mostOfClient) {
      return undefined;
    }
    if (fetching.size >= most && (ofTenant > 0 || !this.#makeRoom())) return undefined;
    const giveUp = new AbortController();
    const own: Fetching = { tenant, clientId, since: clock(), giveUp };
    fetching.set(key, own);
    return {
      signal: giveUp.signal,
      leave: () => {
        // Its place may be another's by now, even for the same document.
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
    // The sort keeps the order in which they began among equals.
    const [longest] = waited.toSorted(([, a], [, b]) => this.#countOf(b.tenant) - this.#countOf(a.tenant));
    if (!longest) return false;
    const [key, { giveUp }] = longest;
    this.#fetching.delete(key);
    giveUp.abort();
    return true;
  }
}
