import { ApolloGateway } from '@apollo/gateway';
import type { ApolloServerOptions, BaseContext } from '@apollo/server';
import type { Logger } from '@ostiary/service';
import type { GraphQLSchema } from 'graphql';
import type { SubgraphSource } from './subgraph-source.ts';

// The only module that knows @apollo/gateway: it is under the Elastic License 2.0, everything around it is not, and
// whoever needs another query planner replaces this file.

/** What the planner passes from an operation to the subgraphs. */
export interface FederationContext extends BaseContext {
  readonly authorization: string | undefined;
}

export interface FederationOptions {
  supergraphSdl: string;
  /** The subgraph of this name. @throws when there is none */
  source: (name: string) => SubgraphSource;
  log: Logger;
}

export interface Federation {
  /** For Apollo Server's `gateway` option. */
  readonly gateway: NonNullable<ApolloServerOptions<BaseContext>['gateway']>;
  /** The schema clients see. @throws before the supergraph was loaded */
  readonly schema: () => GraphQLSchema;
}

/** A federated schema over subgraphs, planned by @apollo/gateway and fetched by our own data sources. */
export function createFederation(options: FederationOptions): Federation {
  // Otherwise the constructor sets up a meter that reports to Apollo.
  process.env.APOLLO_TELEMETRY_DISABLED = '1';
  const { log } = options;
  const gateway = new ApolloGateway({
    // Another supergraph is another gateway (see ServedGraph), so that an operation never meets two of them.
    supergraphSdl: async () => ({ supergraphSdl: options.supergraphSdl }),
    buildService: ({ name }) => {
      const source = options.source(name);
      return {
        process: (call) => {
          const { query, variables, operationName } = call.request;
          return source.execute({
            query: query ?? '',
            authorization: (call.context as FederationContext).authorization,
            ...(variables ? { variables } : {}),
            ...(operationName ? { operationName } : {}),
          });
        },
      };
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
  let loaded: GraphQLSchema | undefined;
  gateway.onSchemaLoadOrUpdate(({ apiSchema }) => {
    loaded = apiSchema;
  });
  return {
    gateway,
    schema: () => {
      if (!loaded) throw new Error('The supergraph is not loaded.');
      return loaded;
    },
  };
}
