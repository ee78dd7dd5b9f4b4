import { askForNodes, type FoundNode } from '@ostiary/graph';
import type { HttpPeer } from '@ostiary/service';

/** Another service with nodes of the graph. */
export interface OwningService {
  name: string;
  /** @throws when the service does not answer */
  find(tenant: string, ids: readonly string[]): Promise<FoundNode[]>;
}

/** Returns the nodes of a service through its internal REST surface. */
export const owningServiceAt = (name: string, peer: HttpPeer): OwningService => ({
  name,
  find: (tenant, ids) => askForNodes(peer, name, tenant, ids),
});
