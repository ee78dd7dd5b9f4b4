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
import type { Attempted } from '../domain/attempt.ts';
import { Fallback } from '../domain/fallback.ts';
import { type Complete, shapeOf } from './completion.ts';
import { type Fetch, type PlanNode, type Step, stepsOf } from './plan-steps.ts';
import { collect } from './step-execution.ts';

/** An operation as the planner's executor receives it. */
export interface PlannedRequest {
  document: DocumentNode;
  operationName: string | undefined;
  variables: Readonly<Record<string, unknown>> | undefined;
  context: Attempted;
}

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

export interface PlanCacheOptions {
  schema: () => GraphQLSchema;
  send: (fetch: Fetch, variables: Record<string, unknown>, context: Attempted) => Promise<SubgraphResponse>;
}

/**
 * Queries whose plan is known and supported, executed without the planner. The planner traverses the whole operation
 * for each request, which costs more than the rest. A plan is kept as long as its document. As soon as a response is
 * unsupported (an error, a missing value), the planner executes the operation and reuses the responses already
 * received: no subgraph is requested twice, and the client gets the planner's result. Keys have the order of the
 * GraphQL specification; the planner's order differs where a fragment on the same type is repeated.
 */
export class PlanCache {
  readonly #options: PlanCacheOptions;
  /** By operation name; undefined where only the planner can execute it. */
  readonly #known = new WeakMap<DocumentNode, Map<string, Known | undefined>>();
  readonly #exchanges = new WeakMap<object, Exchange[]>();

  constructor(options: PlanCacheOptions) {
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

  /** Reports whether an operation has a known plan that the fast path supports. */
  knows(document: DocumentNode, operationName: string | undefined): boolean {
    return this.#known.get(document)?.get(operationName ?? '') !== undefined;
  }

  /** @returns undefined where the planner has to execute the operation */
  async answer(request: PlannedRequest): Promise<{ data: Record<string, unknown> } | undefined> {
    const { document, operationName, variables, context } = request;
    const known = this.#known.get(document)?.get(operationName ?? '');
    if (!known || this.#exchanges.has(context.attempt ?? context)) return undefined;
    if (known.variables.length > 0) {
      const checked = variableValues(this.#options.schema(), known.variables, variables ?? {}, {
        suggest: false,
      });
      if ('mistakes' in checked) return undefined;
    }
    const exchanges: Exchange[] = [];
    try {
      const data = await collect(known.step, variables, async (fetch, sent) => {
        const response = await this.#options.send(fetch, sent, context);
        exchanges.push({ fetch, variables: sent, response });
        return response;
      });
      return { data: known.shape(data) as Record<string, unknown> };
    } catch (error) {
      if (!(error instanceof Fallback)) throw error;
      this.#exchanges.set(context.attempt ?? context, exchanges);
      return undefined;
    }
  }

  /** Returns the response that a subgraph already gave to the same request of the same operation. */
  answered(
    context: Attempted,
    subgraph: string,
    { query, variables }: { query: string; variables: object },
  ): SubgraphResponse | undefined {
    const exchanges = this.#exchanges.get(context.attempt ?? context) ?? [];
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
