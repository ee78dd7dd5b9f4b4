import type { Transaction } from '@ostiary/service';

/** Of which type of the graph an id is. */
export interface GraphNode {
  type: string;
  id: string;
}

export interface GraphNodes {
  /** What the graph shows of these ids of a tenant. */
  find(sql: Transaction, tenant: string, ids: readonly string[]): Promise<GraphNode[]>;
}
