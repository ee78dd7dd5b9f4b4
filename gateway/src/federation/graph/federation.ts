import { ApolloGateway, type GatewayConfig } from '@apollo/gateway';
import type { ApolloServerOptions, BaseContext } from '@apollo/server';
import { variableValues } from '@ostiary/graph';
import type { Logger } from '@ostiary/service';
import { execute, type GraphQLSchema, getOperationAST } from 'graphql';
import { PlanCache } from '../../fast-path/graph/plan-cache.ts';
import type { PlanNode } from '../../fast-path/graph/plan-steps.ts';
import type { Attempted } from '../../fast-path/index.ts';
import type { DanglingReferences } from '../../subgraphs/graph/dangling-references.ts';
import type { SubgraphResponse, SubgraphSource } from '../../subgraphs/graph/subgraph-source.ts';
import { withoutIntrospection } from './introspection.ts';
import { ResponseNames } from './response-names.ts';

// The only module that imports @apollo/gateway, which is under the Elastic License 2.0. A different query planner
// would replace this file only.

/** The context that the planner passes from an operation to the subgraphs. */
export interface FederationContext extends BaseContext, Attempted {
  readonly authorization: string | undefined;
}

export interface FederationOptions {
  supergraphSdl: string;
  /** Returns the subgraph of this name. @throws when there is none */
  source: (name: string) => SubgraphSource;
  /** Records references to deleted objects. */
  danglingReferences: DanglingReferences;
  /** Whether messages may name parts of the schema. */
  introspection: boolean;
  log: Logger;
}

type ApolloGatewayOption = NonNullable<ApolloServerOptions<BaseContext>['gateway']>;
type Planned = Parameters<Awaited<ReturnType<ApolloGatewayOption['load']>>['executor'] & object>[0];
type Executor = NonNullable<Awaited<ReturnType<ApolloGatewayOption['load']>>['executor']>;
type SubgraphCall = Parameters<ReturnType<NonNullable<GatewayConfig['buildService']>>['process']>[0];

/** A federated schema over subgraphs, planned by @apollo/gateway and fetched by this gateway's own data sources. */
export class Federation {
  /** Executes queries whose plan is known without the planner. */
  readonly plans: Pick<PlanCache, 'answer' | 'knows'> = {
    knows: (document, operationName) =>
      this.#plans.knows(this.#names.of(document)?.document ?? document, operationName),
    answer: async (request) => {
      const renamed = this.#names.of(request.document);
      if (!renamed) return this.#plans.answer(request);
      const answer = await this.#plans.answer({ ...request, document: renamed.document });
      return answer && renamed.result(answer, request.operationName);
    },
  };
  /** For Apollo Server's `gateway` option. */
  readonly gateway: ApolloGatewayOption = {
    onSchemaLoadOrUpdate: (listener) => this.#planner.onSchemaLoadOrUpdate(listener),
    stop: () => this.#planner.stop(),
    load: async ({ apollo }) => {
      const { executor } = await this.#planner.load({ apollo });
      return { executor: (requestContext) => this.#execute(requestContext, executor as Executor) };
    },
  };
  readonly #options: FederationOptions;
  readonly #sources = new Map<string, SubgraphSource>();
  readonly #names: ResponseNames;
  readonly #plans: PlanCache;
  readonly #planner: ApolloGateway;
  #schema: GraphQLSchema | undefined;

  constructor(options: FederationOptions) {
    this.#options = options;
    this.#names = new ResponseNames(options.supergraphSdl);
    this.#plans = new PlanCache({
      schema: () => this.schema(),
      send: ({ subgraph, query, operationName }, variables, context) =>
        this.#ask(subgraph, { query, variables, operationName }, context as FederationContext),
    });
    this.#planner = this.#createPlanner();
    this.#planner.onSchemaLoadOrUpdate(({ apiSchema }) => {
      this.#schema = apiSchema;
    });
  }

  /** Returns the schema for clients. @throws before the supergraph was loaded */
  schema(): GraphQLSchema {
    if (!this.#schema) throw new Error('The supergraph is not loaded.');
    return this.#schema;
  }

  #createPlanner(): ApolloGateway {
    // Otherwise the constructor sets up a meter that reports to Apollo.
    process.env.APOLLO_TELEMETRY_DISABLED = '1';
    const { log, source, supergraphSdl } = this.#options;
    return new ApolloGateway({
      // Another supergraph gets another gateway (see ServedGraph), so that an operation never meets two of them.
      supergraphSdl: async () => ({ supergraphSdl }),
      buildService: ({ name }) => {
        this.#sources.set(name, source(name));
        return { process: (call) => this.#fetch(name, call) };
      },
      experimental_didResolveQueryPlan: ({ queryPlan, requestContext }) => {
        const { document, request } = requestContext;
        this.#plans.learn(document, request.operationName, queryPlan.node as PlanNode | undefined);
      },
      __exposeQueryPlanExperimental: false,
      telemetry: { includeDocument: false, recordExceptions: false },
      logger: {
        debug: (message) => log.trace({ event: 'federation.library' }, String(message)),
        info: (message) => log.debug({ event: 'federation.library' }, String(message)),
        warn: (message) => log.warn({ event: 'federation.library' }, String(message)),
        error: (message) => log.error({ event: 'federation.library' }, String(message)),
      },
    });
  }

  async #execute(requestContext: Planned, executor: Executor): ReturnType<Executor> {
    const { document, request, context } = requestContext;
    const { operationName, variables } = request;
    const answer = await this.plans.answer({ document, operationName, variables, context });
    if (answer) return answer;
    // The planner would return an unlimited number of errors about variables.
    const checked = variableValues(
      this.schema(),
      getOperationAST(document, operationName)?.variableDefinitions ?? [],
      variables ?? {},
      { suggest: this.#options.introspection },
    );
    if ('mistakes' in checked) return { errors: checked.mistakes };
    const divided = withoutIntrospection(document, operationName);
    if (!divided) return this.#plan(requestContext, executor);
    const { introspection, rest } = divided;
    const own = await execute({
      schema: this.schema(),
      document: introspection,
      variableValues: variables ?? {},
    });
    if (!rest || !own.data) return own;
    const others = await this.#plan({ ...requestContext, document: rest }, executor);
    return others.data ? { ...others, data: { ...others.data, ...own.data } } : others;
  }

  /**
   * Executes by the planner, which keeps plans by the digest of the client's text. That text determines the renamed
   * document.
   */
  async #plan(requestContext: Planned, executor: Executor): ReturnType<Executor> {
    const { document, request } = requestContext;
    const renamed = this.#names.of(document);
    if (!renamed) return executor(requestContext);
    const result = await executor({ ...requestContext, document: renamed.document });
    return renamed.result(result, request.operationName);
  }

  /** Answers one fetch of a plan that the planner executes. */
  async #fetch(subgraph: string, call: SubgraphCall): Promise<SubgraphResponse> {
    const { query = '', variables = {}, operationName } = call.request;
    const operation = call.context as FederationContext;
    const response =
      this.#plans.answered(operation, subgraph, { query, variables }) ??
      (await this.#ask(subgraph, { query, variables, operationName }, operation));
    // Outside of a plan there is no path, and so no reference.
    if ('pathInIncomingRequest' in call) {
      const { document, request } = call.incomingRequestContext;
      const place = call.pathInIncomingRequest;
      const renamed = place && this.#names.of(document);
      this.#options.danglingReferences.note(
        operation,
        renamed ? renamed.path(place, request.operationName) : place,
        response,
      );
    }
    return response;
  }

  #ask(
    subgraph: string,
    request: { query: string; variables?: Record<string, unknown>; operationName?: string | undefined },
    { authorization }: FederationContext,
  ): Promise<SubgraphResponse> {
    const source = this.#sources.get(subgraph);
    if (!source) throw new Error(`There is no subgraph ${subgraph}.`);
    const { operationName, ...rest } = request;
    return source.execute({ ...rest, authorization, ...(operationName ? { operationName } : {}) });
  }
}
