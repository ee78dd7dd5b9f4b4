import { askForNodes } from '@ostiary/graph';
import type { HttpPeer } from '@ostiary/service';
import type { NodeOwner } from './node-keepers.ts';

/** Returns a node source over another service's internal REST surface. */
export const remoteOwner = (name: string, peer: HttpPeer): NodeOwner => ({
  name,
  find: (tenant, ids) => askForNodes(peer, name, tenant, ids),
});
