import { ApolloGateway } from '@apollo/gateway';
import type { ApolloServerOptions, BaseContext } from '@apollo/server';
import { variableValues } from '@ostiary/graph';
import type { Logger } from '@ostiary/service';
import { type GraphQLSchema, getOperationAST } from 'graphql';
import { type Attempted, KnownPlans } from '../../fast-path/graph/plan-cache.ts';
import type { PlanNode } from '../../fast-path/graph/plan-steps.ts';
import type { ReferencesGone } from '../../subgraphs/graph/dangling-references.ts';
import type { SubgraphResponse, SubgraphSource } from '../../subgraphs/graph/subgraph-source.ts';
import { ResponseNames } from './response-names.ts';

// The only module that knows @apollo/gateway: it is under the Elastic License 2.0, everything around it is not, and
// whoever needs another query planner replaces this file.

/** What the planner passes from an operation to the subgraphs. */
export interface FederationContext extends BaseContext, Attempted {
  readonly authorization: string | undefined;
}

export interface FederationOptions {
  supergraphSdl: string;
  /** The subgraph of this name. @throws when there is none */
  source: (name: string) => SubgraphSource;
  /** Is told of references that lead nowhere. */
  referencesGone: ReferencesGone;
  /** Whether messages may name what is in the schema. */
  introspection: boolean;
  log: Logger;
}

export interface Federation {
  /** For Apollo Server's `gateway` option. */
  readonly gateway: NonNullable<ApolloServerOptions<BaseContext>['gateway']>;
  /** The schema clients see. @throws before the supergraph was loaded */
  readonly schema: () => GraphQLSchema;
  readonly plans: Pick<KnownPlans, 'answer' | 'knows'>;
}

/** A federated schema over subgraphs, planned by @apollo/gateway and fetched by our own data sources. */
export function createFederation(options: FederationOptions): Federation {
  // Otherwise the constructor sets up a meter that reports to Apollo.
  process.env.APOLLO_TELEMETRY_DISABLED = '1';
  const { log } = options;
  const sources = new Map<string, SubgraphSource>();
  const names = new ResponseNames(options.supergraphSdl);
  let loaded: GraphQLSchema | undefined;
  const schema = (): GraphQLSchema => {
    if (!loaded) throw new Error('The supergraph is not loaded.');
    return loaded;
  };
  const ask = (
    subgraph: string,
    request: { query: string; variables?: Record<string, unknown>; operationName?: string | undefined },
    { authorization }: FederationContext,
  ): Promise<SubgraphResponse> => {
    const source = sources.get(subgraph);
    if (!source) throw new Error(`There is no subgraph ${subgraph}.`);
    const { operationName, ...rest } = request;
    return source.execute({ ...rest, authorization, ...(operationName ? { operationName } : {}) });
  };
  const plans = new KnownPlans({
    schema,
    send: ({ subgraph, query, operationName }, variables, context) =>
      ask(subgraph, { query, variables, operationName }, context as FederationContext),
  });
  const knownPlans: Federation['plans'] = {
    knows: (document, operationName) => plans.knows(names.of(document)?.document ?? document, operationName),
    async answer(request) {
      const renamed = names.of(request.document);
      if (!renamed) return plans.answer(request);
      const answer = await plans.answer({ ...request, document: renamed.document });
      return answer && renamed.result(answer, request.operationName);
    },
  };
  const gateway = new ApolloGateway({
    // Another supergraph is another gateway (see ServedGraph), so that an operation never meets two of them.
    supergraphSdl: async () => ({ supergraphSdl: options.supergraphSdl }),
    buildService: ({ name }) => {
      sources.set(name, options.source(name));
      return {
        process: async (call) => {
          const { query = '', variables = {}, operationName } = call.request;
          const operation = call.context as FederationContext;
          const response =
            plans.answered(operation, name, { query, variables }) ??
            (await ask(name, { query, variables, operationName }, operation));
          // Outside of a plan there is no such place, and nothing refers to anything.
          if ('pathInIncomingRequest' in call) {
            const { document, request } = call.incomingRequestContext;
            const place = call.pathInIncomingRequest;
            const renamed = place && names.of(document);
            options.referencesGone.note(
              operation,
              renamed ? renamed.path(place, request.operationName) : place,
              response,
            );
          }
          return response;
        },
      };
    },
    experimental_didResolveQueryPlan: ({ queryPlan, requestContext }) => {
      const { document, request } = requestContext;
      plans.learn(document, request.operationName, queryPlan.node as PlanNode | undefined);
    },
    __exposeQueryPlanExperimental: false,
    telemetry: { includeDocument: false, recordExceptions: false },
    logger: {
      debug: (message) => log.trace(String(message)),
      info: (message) => log.debug(String(message)),
      warn: (message) => log.warn(String(message)),
      error: (message) => log.error(String(message)),
    },
  });
  gateway.onSchemaLoadOrUpdate(({ apiSchema }) => {
    loaded = apiSchema;
  });
  return {
    gateway: {
      onSchemaLoadOrUpdate: (listener) => gateway.onSchemaLoadOrUpdate(listener),
      stop: () => gateway.stop(),
      async load({ apollo }) {
        const { executor } = await gateway.load({ apollo });
        return {
          executor: async (requestContext) => {
            const { document, request, context } = requestContext;
            const { operationName, variables } = request;
            const answer = await knownPlans.answer({ document, operationName, variables, context });
            if (answer) return answer;
            // The planner's own errors about variables have no bound.
            const checked = variableValues(
              schema(),
              getOperationAST(document, operationName)?.variableDefinitions ?? [],
              variables ?? {},
              { suggest: options.introspection },
            );
            if ('mistakes' in checked) return { errors: checked.mistakes };
            const renamed = names.of(document);
            if (!renamed) return executor(requestContext);
            // The planner keeps plans by the digest of the client's text, which settles what the names are as well.
            const result = await executor({ ...requestContext, document: renamed.document });
            return renamed.result(result, operationName);
          },
        };
      },
    },
    schema,
    plans: knownPlans,
  };
}
