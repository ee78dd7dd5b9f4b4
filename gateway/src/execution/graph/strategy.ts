import type { DocumentNode, ExecutionResult } from 'graphql';
import type { SubgraphResponse } from '../../subgraphs/graph/subgraph-source.ts';
import type { GatewayContext } from './context.ts';

/** An operation that was validated against the schema. */
export interface ValidOperation {
  readonly document: DocumentNode;
  readonly operationName: string | undefined;
  readonly variables: Readonly<Record<string, unknown>> | undefined;
  readonly context: GatewayContext;
}

/** An operation for the planner. */
export interface PlannedOperation extends ValidOperation {
  /** Digest of the client's text: query plans are cached by it. */
  readonly digest: string;
}

/** A way to execute operations over the subgraphs. `Execution` chooses between the two. */
export interface Strategy<Operation extends ValidOperation> {
  /** @returns undefined for an operation or a subgraph response that this strategy does not support */
  execute(operation: Operation): Promise<ExecutionResult | undefined>;
}

/** The request of a query plan to one subgraph. */
export interface SubgraphOperation {
  readonly subgraph: string;
  readonly query: string;
  readonly operationName: string | undefined;
}

/** Sends a request to its subgraph. Never rejects. */
export type Send = (
  operation: SubgraphOperation,
  variables: Record<string, unknown>,
  context: GatewayContext,
) => Promise<SubgraphResponse>;
