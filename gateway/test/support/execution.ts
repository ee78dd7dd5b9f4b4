import { hash, randomUUID } from 'node:crypto';
import { documentLimits, operationObserver } from '@ostiary/graph';
import { createKit } from '@ostiary/service';
import { parse } from 'graphql';
import type { GatewayContext } from '../../src/execution/graph/context.ts';
import { Execution } from '../../src/execution/graph/execution.ts';
import type { PlannedOperation, Strategy } from '../../src/execution/graph/strategy.ts';
import type {
  SubgraphRequest,
  SubgraphResponse,
  SubgraphSource,
} from '../../src/subgraphs/graph/subgraph-source.ts';

/** Returns a started execution over simulated subgraphs. */
export async function executionOver(
  supergraphSdl: string,
  answerOf: (name: string, request: SubgraphRequest) => Promise<SubgraphResponse>,
): Promise<Execution> {
  const kit = createKit({ name: 'gateway', logLevel: 'silent' });
  const execution = new Execution({
    kit,
    supergraphSdl,
    observer: operationObserver(
      { kit, realm: 'https://id.example.com', dpop: false },
      (context: GatewayContext) => context,
    ),
    introspection: true,
    limits: documentLimits,
    source: (name) =>
      ({ execute: (request: SubgraphRequest) => answerOf(name, request) }) as unknown as SubgraphSource,
    spend: async () => undefined,
    persistedQueries: undefined,
  });
  await execution.start();
  return execution;
}

interface Asked {
  query: string;
  variables: object;
  operationName?: string | undefined;
}

/**
 * Executes an operation with each strategy: first by its query plan, then on the fast path, with the query plan where
 * the fast path does not support it.
 * @param observe executes, and returns the compared form of the result
 */
export async function bothWays<T>(
  { queryPlan, fastPath }: Execution,
  { query, variables, operationName }: Asked,
  observe: (execute: () => Promise<unknown>) => Promise<T>,
): Promise<{ planned: T; known: T; isFast: boolean }> {
  const document = parse(query);
  // The text alone is not unique: the same one is sent with different documents.
  const digest = hash('sha256', query + randomUUID());
  const operation = (): PlannedOperation => ({
    document,
    operationName,
    variables: variables as Record<string, unknown>,
    digest,
    context: { attempt: {} } as GatewayContext,
  });
  const executed = async (
    strategies: readonly Strategy<PlannedOperation>[],
    asked: PlannedOperation,
    onResult?: (strategy: Strategy<PlannedOperation>) => void,
  ): Promise<unknown> => {
    for (const strategy of strategies) {
      const result = await strategy.execute(asked);
      if (!result) continue;
      onResult?.(strategy);
      return result;
    }
    return undefined;
  };
  let isFast = false;
  const planned = await observe(() => executed([queryPlan], operation()));
  const known = await observe(() =>
    executed([fastPath, queryPlan], operation(), (strategy) => {
      isFast = strategy === fastPath;
    }),
  );
  return { planned, known, isFast };
}
