import type { TokenVerifier } from '@ostiary/access';
import type { Tenants } from '../../tenants/index.ts';
import type { Nodes } from '../domain/nodes.ts';

export interface NodeDependencies {
  verifier: TokenVerifier;
  tenants: Pick<Tenants, 'find'>;
  nodes: Nodes;
}
