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

/**
 * Who may fetch now what clients have published. Never more than a few at a time: whoever may register clients could have us ask half the
 * web. And whose servers let us wait, together with however many others, keep nobody else waiting for more than a moment: when all
 * places are taken, a tenant that has none gets that of the oldest fetch of those who have most.
 * @param o `peaceMs`: how long a document is waited for in peace; after that another tenant that has none under way may need the
 * place more. `clock`: milliseconds
 */
export function createOutgoingPlaces(o: {
  most: number;
  mostOfTenant: number;
  mostOfClient: number;
  peaceMs: number;
  clock: () => number;
}) {
  const fetching = new Map<string, Fetching>();
  const countOf = (tenant: string, clientId?: string): number =>
    [...fetching.values()].filter(
      (other) => other.tenant === tenant && (clientId === undefined || other.clientId === clientId),
    ).length;

  function makeRoom(): boolean {
    const waited = [...fetching].filter(([, { since }]) => o.clock() - since >= o.peaceMs);
    // The map is in the order in which they began; the sort keeps it among equals.
    const [longest] = waited.toSorted(([, a], [, b]) => countOf(b.tenant) - countOf(a.tenant));
    if (!longest) return false;
    const [key, { giveUp }] = longest;
    fetching.delete(key);
    giveUp.abort();
    return true;
  }

  return {
    /** A place for one document; undefined when it is being fetched, or has to wait. */
    take(key: string, { tenant, clientId }: Whose): OutgoingPlace | undefined {
      const ofTenant = countOf(tenant);
      if (fetching.has(key) || ofTenant >= o.mostOfTenant || countOf(tenant, clientId) >= o.mostOfClient) {
        return undefined;
      }
      if (fetching.size >= o.most && (ofTenant > 0 || !makeRoom())) return undefined;
      const giveUp = new AbortController();
      const own: Fetching = { tenant, clientId, since: o.clock(), giveUp };
      fetching.set(key, own);
      return {
        signal: giveUp.signal,
        leave: () => {
          // Its place may be another's by now, even for the same document.
          if (fetching.get(key) === own) fetching.delete(key);
        },
      };
    },
  };
}

export type OutgoingPlaces = ReturnType<typeof createOutgoingPlaces>;
