import type { TokenVerifier } from '@ostiary/access';
import type { Tenants } from '../../tenants/index.ts';
import type { Nodes } from '../domain/nodes.ts';

/** Dependencies of the internal routes. */
export interface NodeDependencies {
  verifier: TokenVerifier;
  tenants: Pick<Tenants, 'find'>;
  nodes: Nodes;
}
