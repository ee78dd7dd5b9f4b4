import { variableValues } from '@ostiary/graph';
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  getOperationAST,
  Kind,
  OperationTypeNode,
  type VariableDefinitionNode,
} from 'graphql';
import type { SubgraphResponse } from '../../subgraphs/graph/subgraph-source.ts';
import { Fallback } from '../fallback.ts';
import { type Complete, shapeOf } from './completion.ts';
import type { GatewayContext } from './context.ts';
import { type Fetch, type PlanNode, type Step, stepsOf } from './plan-steps.ts';
import type { ResponseNames } from './response-names.ts';
import { collect } from './step-execution.ts';
import type { Send, Strategy, SubgraphOperation, ValidOperation } from './strategy.ts';

interface Known {
  step: Step;
  shape: Complete;
  variables: readonly VariableDefinitionNode[];
}

interface Exchange {
  fetch: Fetch;
  variables: object;
  response: SubgraphResponse;
}

export interface FastPathOptions {
  schema: () => GraphQLSchema;
  names: ResponseNames;
  send: Send;
}

/**
 * Executes queries whose plan is cached and supported, without the executor of the Apollo gateway. That executor
 * traverses the whole operation for each request, which costs more than the rest. A plan is kept as long as its
 * document. As soon as a response is unsupported (an error, a missing value), the query plan executes the operation
 * and reuses the responses already received: no subgraph is requested twice. Keys have the order of the GraphQL
 * specification; the planner's order differs where a fragment on the same type is repeated.
 */
export class FastPath implements Strategy<ValidOperation> {
  readonly #options: FastPathOptions;
  /** By operation name; undefined where only the query plan can execute it. */
  readonly #known = new WeakMap<DocumentNode, Map<string, Known | undefined>>();
  readonly #exchanges = new WeakMap<object, Exchange[]>();

  constructor(options: FastPathOptions) {
    this.#options = options;
  }

  /** Records the plan of a document. */
  learn(document: DocumentNode, operationName: string | undefined, plan: PlanNode | undefined): void {
    const operations = this.#known.get(document) ?? new Map<string, Known | undefined>();
    const name = operationName ?? '';
    if (operations.has(name)) return;
    operations.set(name, this.#compiled(document, operationName, plan));
    this.#known.set(document, operations);
  }

  #compiled(
    document: DocumentNode,
    operationName: string | undefined,
    plan: PlanNode | undefined,
  ): Known | undefined {
    const operation = getOperationAST(document, operationName);
    if (operation?.operation !== OperationTypeNode.QUERY || (operation.directives ?? []).length > 0) {
      return undefined;
    }
    const fragments = document.definitions.filter(
      (definition): definition is FragmentDefinitionNode => definition.kind === Kind.FRAGMENT_DEFINITION,
    );
    const schema = this.#options.schema();
    try {
      return {
        step: stepsOf(plan, schema),
        shape: shapeOf(schema, operation, new Map(fragments.map((node) => [node.name.value, node]))),
        variables: operation.variableDefinitions ?? [],
      };
    } catch (error) {
      if (error instanceof Fallback) return undefined;
      throw error;
    }
  }

  /** Reports whether the plan of an operation is cached and supported. */
  supports(document: DocumentNode, operationName: string | undefined): boolean {
    const planned = this.#options.names.of(document)?.document ?? document;
    return this.#known.get(planned)?.get(operationName ?? '') !== undefined;
  }

  async execute(operation: ValidOperation): Promise<{ data: Record<string, unknown> } | undefined> {
    const { document, operationName, variables, context } = operation;
    const { schema, names, send } = this.#options;
    const renamed = names.of(document);
    const known = this.#known.get(renamed?.document ?? document)?.get(operationName ?? '');
    if (!known || this.#exchanges.has(context.attempt)) return undefined;
    if (known.variables.length > 0) {
      const checked = variableValues(schema(), known.variables, variables ?? {}, { suggest: false });
      if ('mistakes' in checked) return undefined;
    }
    const exchanges: Exchange[] = [];
    try {
      const collected = await collect(known.step, variables, async (fetch, sent) => {
        const response = await send(fetch, sent, context);
        exchanges.push({ fetch, variables: sent, response });
        return response;
      });
      const answer = { data: known.shape(collected) as Record<string, unknown> };
      return renamed ? renamed.result(answer, operationName) : answer;
    } catch (error) {
      if (!(error instanceof Fallback)) throw error;
      this.#exchanges.set(context.attempt, exchanges);
      return undefined;
    }
  }

  /** Returns the response that a subgraph already gave to the same request of the same operation. */
  received(
    { subgraph, query }: SubgraphOperation,
    variables: object,
    { attempt }: GatewayContext,
  ): SubgraphResponse | undefined {
    const exchanges = this.#exchanges.get(attempt) ?? [];
    const index = exchanges.findIndex(
      ({ fetch, variables: sent }) =>
        fetch.subgraph === subgraph &&
        fetch.query === query &&
        JSON.stringify(sent) === JSON.stringify(variables),
    );
    const [exchange] = index === -1 ? [] : exchanges.splice(index, 1);
    if (!exchange) return undefined;
    const { response } = exchange;
    // Its data may have been extended since.
    return response.text === undefined ? response : (JSON.parse(response.text) as SubgraphResponse);
  }
}
