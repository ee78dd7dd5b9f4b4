import type { ApolloServerPlugin } from '@apollo/server';
import {
  createGraphServer,
  type DocumentLimits,
  listSizesIn,
  operationObserver,
  type PersistedQueries,
  type Spend,
} from '@ostiary/graph';
import type { ServiceKit } from '@ostiary/service';
import { parse } from 'graphql';
import { OperationCache } from '../../fast-path/graph/operation-cache.ts';
import { DanglingReferences } from '../../subgraphs/graph/dangling-references.ts';
import type { SubgraphSource } from '../../subgraphs/graph/subgraph-source.ts';
import type { GatewayContext } from './context.ts';
import { Federation } from './federation.ts';
import { reportMissingValues } from './missing-values.ts';
import { requireOperation } from './required-operation.ts';
import type { Candidate } from './served-graph.ts';

export interface GraphServersOptions {
  kit: ServiceKit;
  publicOrigin: string;
  /** Whether DPoP-bound tokens are accepted. */
  dpop: boolean;
  introspection: boolean;
  limits: DocumentLimits;
  /** Returns the subgraph of this name. @throws when there is none */
  source: (name: string) => SubgraphSource;
  /** Charges the caller for an operation. */
  spend: Spend<GatewayContext>;
  /** Undefined: clients cannot register queries. */
  persistedQueries?: PersistedQueries | undefined;
}

/** Creates one server for each successive supergraph. Metrics and caches are shared between them. */
export class GraphServers {
  readonly #options: GraphServersOptions;
  readonly #danglingReferences = new DanglingReferences();
  readonly #observer: ReturnType<typeof operationObserver<GatewayContext>>;
  readonly #plugins: readonly ApolloServerPlugin<GatewayContext>[];

  constructor(options: GraphServersOptions) {
    this.#options = options;
    const { kit, publicOrigin: realm, dpop } = options;
    this.#observer = operationObserver({ kit, realm, dpop }, (context: GatewayContext) => context);
    this.#plugins = [
      reportMissingValues(this.#danglingReferences),
      requireOperation(),
      this.#observer.plugin,
    ];
  }

  /** Returns a server that is not started. */
  over(supergraphSdl: string): Candidate {
    const { kit, introspection, limits, source, spend, persistedQueries } = this.#options;
    const danglingReferences = this.#danglingReferences;
    const federation = new Federation({
      supergraphSdl,
      source,
      danglingReferences,
      introspection,
      log: kit.log,
    });
    // The schema for clients lacks the directives.
    const listSizes = listSizesIn(parse(supergraphSdl, { noLocation: true }));
    const known = new OperationCache<GatewayContext>({
      plans: federation.plans,
      costed: () => ({ schema: federation.schema(), listSizes }),
      limit: limits.cost,
      spend,
      onAnswered: this.#observer.answered,
    });
    const server = createGraphServer<GatewayContext>({
      source: { gateway: federation.gateway },
      introspection,
      kit,
      limits,
      listSizes,
      persistedQueries,
      spend,
      // Its check requires a header of Apollo's own. `refuseCrossSite` reads the browsers' fetch metadata instead,
      // and the endpoint accepts only JSON by POST.
      csrfPrevention: false,
      plugins: [...this.#plugins, known.plugin],
    });
    return { server, schema: () => federation.schema(), known };
  }
}
