import { askForNodes } from '@ostiary/graph';
import type { HttpPeer } from '@ostiary/service';
import type { NodeKeeper } from '../domain/node-keepers.ts';

/** Another service's internal REST surface, as far as it says what an id is of. */
export const remoteKeeper = (name: string, peer: HttpPeer): NodeKeeper => ({
  name,
  find: (tenant, ids) => askForNodes(peer, name, tenant, ids),
});
