/** What another service says an id is of. */
export interface KeptNode {
  id: string;
  /** The name of its type in the graph. */
  type: string;
  /** The user it belongs to. */
  ownerId?: string | null;
}

/** Another service that keeps things with ids. */
export interface NodeKeeper {
  name: string;
  /** @throws when it doesn't say */
  find(tenant: string, ids: readonly string[]): Promise<KeptNode[]>;
}
