import type { Transaction } from '@ostiary/service';

/** An id with its type in the graph. */
export interface GraphNode {
  type: string;
  id: string;
}

export interface GraphNodes {
  /** Returns the graph's types of these ids of a tenant. */
  find(sql: Transaction, tenant: string, ids: readonly string[]): Promise<GraphNode[]>;
}
