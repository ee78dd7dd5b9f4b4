import { ApolloGateway, type GatewayConfig } from '@apollo/gateway';
import type { ApolloServerOptions, BaseContext } from '@apollo/server';
import { variableValues } from '@ostiary/graph';
import type { Logger } from '@ostiary/service';
import {
  type DocumentNode,
  type ExecutionResult,
  execute,
  type GraphQLSchema,
  getOperationAST,
} from 'graphql';
import type { DanglingReferences } from '../../subgraphs/graph/dangling-references.ts';
import type { SubgraphResponse, SubgraphSource } from '../../subgraphs/graph/subgraph-source.ts';
import type { GatewayContext } from './context.ts';
import { withoutIntrospection } from './introspection.ts';
import type { PlanNode } from './plan-steps.ts';
import type { ResponseNames } from './response-names.ts';
import type { PlannedOperation, Send, Strategy } from './strategy.ts';

// The only module that imports @apollo/gateway, which is under the Elastic License 2.0. A different query planner
// would replace this file only.

export interface QueryPlanOptions {
  supergraphSdl: string;
  names: ResponseNames;
  /** Whether messages may name parts of the schema. */
  introspection: boolean;
  /** Returns the subgraph of this name. @throws when there is none */
  source: (name: string) => SubgraphSource;
  send: Send;
  /** Called with the plan of each executed operation. */
  onPlan: (document: DocumentNode, operationName: string | undefined, plan: PlanNode | undefined) => void;
  /** Records references to deleted objects. */
  danglingReferences: DanglingReferences;
  log: Logger;
}

type ApolloGatewayOption = NonNullable<ApolloServerOptions<BaseContext>['gateway']>;
type Executor = NonNullable<Awaited<ReturnType<ApolloGatewayOption['load']>>['executor']>;
type ApolloRequest = Parameters<Executor>[0];
type SubgraphCall = Parameters<ReturnType<NonNullable<GatewayConfig['buildService']>>['process']>[0];

/** Executes any operation by its query plan, with the planner and the executor of @apollo/gateway. */
export class QueryPlan implements Strategy<PlannedOperation> {
  readonly #options: QueryPlanOptions;
  readonly #planner: ApolloGateway;
  readonly #logger: ReturnType<typeof libraryLogger>;
  #executor: Executor | undefined;
  #schema: GraphQLSchema | undefined;

  constructor(options: QueryPlanOptions) {
    this.#options = options;
    this.#logger = libraryLogger(options.log);
    this.#planner = this.#createPlanner();
    this.#planner.onSchemaLoadOrUpdate(({ apiSchema }) => {
      this.#schema = apiSchema;
    });
  }

  /** Returns Apollo Server's `gateway` option. @param execute executes the operations that it has validated */
  gateway(execute: (operation: PlannedOperation) => Promise<ExecutionResult>): ApolloGatewayOption {
    return {
      onSchemaLoadOrUpdate: (listener) => this.#planner.onSchemaLoadOrUpdate(listener),
      stop: () => this.#planner.stop(),
      load: async ({ apollo }) => {
        this.#executor = (await this.#planner.load({ apollo })).executor as Executor;
        return {
          executor: ({ document, request: { operationName, variables }, queryHash: digest, context }) =>
            execute({ document, operationName, variables, digest, context: context as GatewayContext }),
        };
      },
    };
  }

  /** Returns the schema for clients. @throws before the supergraph was loaded */
  schema(): GraphQLSchema {
    if (!this.#schema) throw new Error('The supergraph is not loaded.');
    return this.#schema;
  }

  #createPlanner(): ApolloGateway {
    // Otherwise the constructor sets up a meter that reports to Apollo.
    process.env.APOLLO_TELEMETRY_DISABLED = '1';
    const { source, supergraphSdl, onPlan } = this.#options;
    return new ApolloGateway({
      // Another supergraph gets another gateway (see ServedGraph), so that an operation never meets two of them.
      supergraphSdl: async () => ({ supergraphSdl }),
      buildService: ({ name }) => {
        // Rejects a supergraph with an unknown subgraph.
        source(name);
        return { process: (call) => this.#fetch(name, call) };
      },
      experimental_didResolveQueryPlan: ({ queryPlan, requestContext }) => {
        const { document, request } = requestContext;
        onPlan(document, request.operationName, queryPlan.node as PlanNode | undefined);
      },
      __exposeQueryPlanExperimental: false,
      telemetry: { includeDocument: false, recordExceptions: false },
      logger: this.#logger,
    });
  }

  async execute(operation: PlannedOperation): Promise<ExecutionResult> {
    const { document, operationName, variables = {} } = operation;
    const schema = this.schema();
    // The planner would return an unlimited number of errors about variables.
    const checked = variableValues(
      schema,
      getOperationAST(document, operationName)?.variableDefinitions ?? [],
      variables,
      { suggest: this.#options.introspection },
    );
    if ('mistakes' in checked) return { errors: checked.mistakes };
    const divided = withoutIntrospection(document, operationName);
    if (!divided) return this.#plan(operation);
    const { introspection, rest } = divided;
    const own = await execute({ schema, document: introspection, variableValues: variables });
    if (!rest || !own.data) return own;
    const others = await this.#plan({ ...operation, document: rest });
    return others.data ? { ...others, data: { ...others.data, ...own.data } } : others;
  }

  /**
   * Executes by the planner, which keeps plans by the digest of the client's text. That text determines the renamed
   * document.
   */
  async #plan({
    document,
    operationName,
    variables,
    digest,
    context,
  }: PlannedOperation): Promise<ExecutionResult> {
    if (!this.#executor) throw new Error('The supergraph is not loaded.');
    const renamed = this.#options.names.of(document);
    const planned = renamed?.document ?? document;
    // The properties that the executor reads.
    const request = {
      document: planned,
      request: { operationName, variables },
      operationName: getOperationAST(planned, operationName)?.name?.value ?? null,
      queryHash: digest,
      context,
      schema: this.schema(),
      metrics: {},
      logger: this.#logger,
    };
    const result = await this.#executor(request as unknown as ApolloRequest);
    return renamed ? renamed.result(result, operationName) : result;
  }

  /** Answers one fetch of a plan. */
  async #fetch(subgraph: string, call: SubgraphCall): Promise<SubgraphResponse> {
    const { query = '', variables = {}, operationName } = call.request;
    const context = call.context as GatewayContext;
    const { names, send, danglingReferences } = this.#options;
    const response = await send({ subgraph, query, operationName }, variables, context);
    // Outside of a plan there is no path, and so no reference.
    if ('pathInIncomingRequest' in call) {
      const { document, request } = call.incomingRequestContext;
      const place = call.pathInIncomingRequest;
      const renamed = place && names.of(document);
      danglingReferences.note(
        context,
        renamed ? renamed.path(place, request.operationName) : place,
        response,
      );
    }
    return response;
  }
}

function libraryLogger(log: Logger) {
  return {
    debug: (message?: unknown) => log.trace({ event: 'federation.library' }, String(message)),
    info: (message?: unknown) => log.debug({ event: 'federation.library' }, String(message)),
    warn: (message?: unknown) => log.warn({ event: 'federation.library' }, String(message)),
    error: (message?: unknown) => log.error({ event: 'federation.library' }, String(message)),
  };
}
