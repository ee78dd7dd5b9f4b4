import type { TokenVerifier } from '@ostiary/access';
import type { FoundNode } from '@ostiary/graph';
import type { Tenants } from '../../../tenancy/index.ts';

export interface NodeDependencies {
  verifier: TokenVerifier;
  tenants: Tenants;
  /** Finds objects of the graph by id, under the conditions with which the graph reads each type. */
  nodes(tenant: string, ids: readonly string[]): Promise<FoundNode[]>;
}
