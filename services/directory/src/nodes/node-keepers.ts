/** The type of an id at another service. */
export interface KeptNode {
  id: string;
  /** The name of its type in the graph. */
  type: string;
  /** The user to which it belongs. */
  ownerId?: string | null;
}

/** Another service with nodes of the graph. */
export interface NodeOwner {
  name: string;
  /** @throws when the service does not answer */
  find(tenant: string, ids: readonly string[]): Promise<KeptNode[]>;
}
