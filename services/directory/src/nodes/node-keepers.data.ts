import { askForNodes } from '@ostiary/graph';
import type { HttpPeer } from '@ostiary/service';
import type { NodeKeeper } from './node-keepers.ts';

/** Returns a node source over another service's internal REST surface. */
export const remoteKeeper = (name: string, peer: HttpPeer): NodeKeeper => ({
  name,
  find: (tenant, ids) => askForNodes(peer, name, tenant, ids),
});
