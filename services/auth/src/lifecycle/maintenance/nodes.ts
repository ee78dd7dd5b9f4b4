/** Object of the graph with the id. */
export interface FoundThing {
  type: string;
  id: string;
  /** User that the object belongs to, if any. */
  ownerId?: string | null;
}

/** Finds objects of the graph by id, under the conditions with which the graph reads each type. */
export interface Nodes {
  of(tenant: string, ids: readonly string[]): Promise<FoundThing[]>;
}
