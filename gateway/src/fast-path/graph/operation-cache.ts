import type { ApolloServerPlugin } from '@apollo/server';
import { type CostedOperation, costOf, type HeaderSink, type Spend } from '@ostiary/graph';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { AskedOperation } from '../domain/asked-operation.ts';
import type { Attempted } from '../domain/attempt.ts';
import type { PlanCache } from './plan-cache.ts';

/** The part of an operation's context that the fast path uses. */
export interface FastPathContext extends Attempted {
  /** Start of the execution (`performance.now()`). */
  readonly startedAt?: number;
}

interface Operation {
  node: OperationDefinitionNode;
  /** Undefined where it depends on the variables. */
  cost: number | undefined;
}

interface Text {
  document: DocumentNode;
  /** By operation name; '' for the only operation. */
  operations: Map<string, Operation>;
}

export interface OperationCacheOptions<C extends FastPathContext> {
  plans: Pick<PlanCache, 'answer' | 'knows'>;
  /** Inputs of the cost, besides the operation. */
  costed: () => Pick<CostedOperation, 'schema' | 'listSizes'>;
  /** Maximum cost of an operation. */
  limit: number;
  spend: Spend<C>;
  /** Called for each operation answered here, with its start (`performance.now()`). */
  onAnswered: (
    context: C,
    operation: { operation: OperationDefinitionNode; operationName: string | null },
    startedAt: number,
  ) => void;
}

/** Maximum number of cached characters. The parsed documents take about twenty times as much memory. */
const mostCharacters = 2_000_000;

/**
 * Texts that Apollo Server has parsed, validated and executed by a plan of the fast path before. A repeated text
 * needs only its cost, the caller's budget and the plan. As soon as a precondition fails (a variable of the wrong
 * type, an exhausted budget, an error in a response), Apollo Server executes the operation. It then charges nothing a
 * second time and repeats no request to a subgraph.
 */
export class OperationCache<C extends FastPathContext> {
  readonly #options: OperationCacheOptions<C>;
  readonly #texts = new LRUCache<string, Text>({
    maxSize: mostCharacters,
    sizeCalculation: (_, query) => query.length,
  });

  constructor(options: OperationCacheOptions<C>) {
    this.#options = options;
  }

  /** Records the operations that Apollo Server executes. */
  readonly plugin: ApolloServerPlugin<C> = {
    requestDidStart: async () => ({
      willSendResponse: async ({ source, document, operation, request, errors }) => {
        const { operationName } = request;
        if (!source || !document || !operation || errors) return;
        if (this.#options.plans.knows(document, operationName))
          this.#learn(source, document, operationName ?? '', operation);
      },
    }),
  };

  #learn(query: string, document: DocumentNode, name: string, node: OperationDefinitionNode): void {
    const known = this.#texts.get(query);
    const text = known?.document === document ? known : { document, operations: new Map() };
    const isFixed = (node.variableDefinitions ?? []).length === 0;
    const cost = isFixed ? this.#costOf(document, node, undefined) : undefined;
    text.operations.set(name, { node, cost });
    if (text !== known) this.#texts.set(query, text);
  }

  #costOf(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: AskedOperation['variables'],
  ): number {
    return costOf({ ...this.#options.costed(), document, operation, variables });
  }

  /** @returns undefined where Apollo Server has to answer, with the same context */
  async answer(
    { query, operationName, variables }: AskedOperation,
    context: C,
    headers: HeaderSink,
  ): Promise<{ data: Record<string, unknown> } | undefined> {
    const text = this.#texts.get(query);
    const operation = text?.operations.get(operationName ?? '');
    if (!text || !operation) return undefined;
    const { startedAt = performance.now() } = context;
    const { document } = text;
    const { node } = operation;
    const { plans, limit, spend, onAnswered } = this.#options;
    const cost = operation.cost ?? this.#costOf(document, node, variables);
    if (cost > limit) return undefined;
    try {
      await spend(cost, context, headers);
    } catch {
      return undefined;
    }
    const answer = await plans.answer({ document, operationName, variables, context });
    if (answer) onAnswered(context, { operation: node, operationName: node.name?.value ?? null }, startedAt);
    return answer;
  }
}
