import type { TokenVerifier } from '@ostiary/access';
import type { Tenants } from '../../../tenancy/index.ts';

/** Object of the graph with the id. */
export interface FoundThing {
  type: string;
  id: string;
  /** User that the object belongs to, if any. */
  ownerId?: string | null;
}

export interface NodeDependencies {
  verifier: TokenVerifier;
  tenants: Tenants;
  /** Finds objects of the graph by id, under the conditions with which the graph reads each type. */
  nodes(tenant: string, ids: readonly string[]): Promise<FoundThing[]>;
}
