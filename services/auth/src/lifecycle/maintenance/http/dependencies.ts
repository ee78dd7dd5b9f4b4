import type { TokenVerifier } from '@ostiary/access';
import type { Tenants } from '../../../tenancy/index.ts';
import type { Nodes } from '../nodes.ts';

export interface NodeDependencies {
  verifier: TokenVerifier;
  tenants: Tenants;
  nodes: Nodes;
}
