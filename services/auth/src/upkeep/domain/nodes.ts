/** Something that the graph shows, found by its id. */
export interface FoundThing {
  type: string;
  id: string;
  /** The user it belongs to, where it belongs to one. */
  ownerId?: string | null;
}

/** What the graph shows of ids, by the same conditions by which it reads each. */
export interface Nodes {
  of(tenant: string, ids: readonly string[]): Promise<FoundThing[]>;
}
