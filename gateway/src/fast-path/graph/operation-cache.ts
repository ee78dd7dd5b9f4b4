import type { ApolloServerPlugin } from '@apollo/server';
import { type CostedOperation, costOf, type HeaderSink, type Spend } from '@ostiary/graph';
import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { AskedOperation } from '../domain/asked-operation.ts';
import type { Attempted } from '../domain/attempt.ts';
import type { PlanCache } from './plan-cache.ts';

/** What an operation carries with it, as far as the fast path knows. */
export interface FastPathContext extends Attempted {
  /** When work on it began (`performance.now()`). */
  readonly startedAt?: number;
}

interface Operation {
  node: OperationDefinitionNode;
  /** Undefined where it depends on the variables. */
  cost: number | undefined;
}

interface Text {
  document: DocumentNode;
  /** By the name that is asked for; '' for the only one. */
  operations: Map<string, Operation>;
}

export interface OperationCacheOptions<C extends FastPathContext> {
  plans: Pick<PlanCache, 'answer' | 'knows'>;
  /** What an operation's cost depends on besides itself. */
  costed: () => Pick<CostedOperation, 'schema' | 'listSizes'>;
  /** Most that an operation may cost. */
  limit: number;
  spend: Spend<C>;
  /** Called with what was answered here, and the time it began (`performance.now()`). */
  onAnswered: (
    context: C,
    operation: { operation: OperationDefinitionNode; operationName: string | null },
    startedAt: number,
  ) => void;
}

/** Characters of texts that are remembered; their documents take some twenty times as much memory. */
const mostCharacters = 2_000_000;

/**
 * Texts that Apollo Server has parsed, validated and executed by a plan of the fast path before. The same text asked for again needs
 * none of that: what is left is its cost, the caller's budget and the plan. As soon as a precondition fails (a variable of the
 * wrong type, a budget used up, an error in an answer), Apollo Server does it all, charges nothing a second time and asks no subgraph again.
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

  /** Learns from what Apollo Server answers. */
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
