import type { ApolloServerPlugin } from '@apollo/server';
import { costOf, type HeaderSink, type ListSizes, type Spend } from '@ostiary/graph';
import type { DocumentNode, GraphQLSchema, OperationDefinitionNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { GatewayContext } from './context.ts';
import type { ValidOperation } from './strategy.ts';

/** An operation as its client sent it. */
export interface AskedOperation {
  query: string;
  operationName?: string | undefined;
  variables?: Readonly<Record<string, unknown>> | undefined;
}

interface Known {
  node: OperationDefinitionNode;
  /** Undefined where it depends on the variables. */
  cost: number | undefined;
}

interface Text {
  document: DocumentNode;
  /** By operation name; '' for the only operation. */
  operations: Map<string, Known>;
}

export interface OperationCacheOptions {
  /** Reports whether the fast path can execute an operation. */
  isSupported: (document: DocumentNode, operationName: string | undefined) => boolean;
  schema: () => GraphQLSchema;
  listSizes: ListSizes;
  /** Maximum cost of an operation. */
  limit: number;
  spend: Spend<GatewayContext>;
}

/** Maximum number of cached characters. The parsed documents take about twenty times as much memory. */
const maxCharacters = 2_000_000;

/**
 * Texts that Apollo Server has parsed and validated, and whose result had no errors. A repeated text needs only its
 * cost, the caller's budget and the plan. As soon as a precondition fails (a variable of the wrong type, an exhausted
 * budget, an error in a response), Apollo Server executes the operation. It then charges nothing a second time and
 * repeats no request to a subgraph.
 */
export class OperationCache {
  readonly #options: OperationCacheOptions;
  readonly #texts = new LRUCache<string, Text>({
    maxSize: maxCharacters,
    sizeCalculation: (_, query) => query.length,
  });

  constructor(options: OperationCacheOptions) {
    this.#options = options;
  }

  /** Records the operations that Apollo Server executes. */
  readonly plugin: ApolloServerPlugin<GatewayContext> = {
    requestDidStart: async () => ({
      willSendResponse: async ({ source, document, operation, request, errors }) => {
        const { operationName } = request;
        if (!source || !document || !operation || errors) return;
        if (!this.#options.isSupported(document, operationName)) return;
        const cached = this.#texts.get(source);
        const text = cached?.document === document ? cached : { document, operations: new Map() };
        const isFixed = (operation.variableDefinitions ?? []).length === 0;
        const cost = isFixed ? this.#costOf(document, operation, undefined) : undefined;
        text.operations.set(operationName ?? '', { node: operation, cost });
        if (text !== cached) this.#texts.set(source, text);
      },
    }),
  };

  #costOf(
    document: DocumentNode,
    operation: OperationDefinitionNode,
    variables: AskedOperation['variables'],
  ): number {
    const { schema, listSizes } = this.#options;
    return costOf({ schema: schema(), listSizes, document, operation, variables });
  }

  /**
   * Charges the caller for a known operation within the limit.
   * @returns undefined where Apollo Server has to answer, with the same context
   */
  async admitted(
    { query, operationName, variables }: AskedOperation,
    context: GatewayContext,
    headers: HeaderSink,
  ): Promise<{ operation: ValidOperation; node: OperationDefinitionNode } | undefined> {
    const text = this.#texts.get(query);
    const known = text?.operations.get(operationName ?? '');
    if (!text || !known) return undefined;
    const { document } = text;
    const { node } = known;
    const { limit, spend } = this.#options;
    const cost = known.cost ?? this.#costOf(document, node, variables);
    if (cost > limit) return undefined;
    try {
      await spend(cost, context, headers);
    } catch {
      return undefined;
    }
    return { operation: { document, operationName, variables, context }, node };
  }
}
