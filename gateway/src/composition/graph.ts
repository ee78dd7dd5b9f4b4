import type { TokenVerifier } from '@ostiary/access';
import { operationObserver } from '@ostiary/graph';
import type { ServiceKit } from '@ostiary/service';
import type { GraphQLSchema } from 'graphql';
import type { TrustedDocuments } from '../admission/graph/trusted-documents.ts';
import type { GatewayContext } from '../execution/graph/context.ts';
import { Execution } from '../execution/graph/execution.ts';
import { ServedGraph } from '../execution/graph/served-graph.ts';
import { SubgraphSources } from '../subgraphs/graph/subgraph-sources.ts';
import type { Live } from '../subscriptions/graph/live.ts';
import type { ServiceName, Upstreams } from '../upstreams/domain/upstream.ts';
import type { AppliedGuards, GraphGuards } from './guards.ts';

export interface GraphOptions {
  kit: ServiceKit;
  verifier: TokenVerifier;
  publicOrigin: string;
  supergraphSdl: string;
  introspection: boolean;
  /** Timeout in milliseconds of all subgraphs, or of each. */
  subgraphTimeoutMs: number | Readonly<Record<ServiceName, number>>;
  /** Tokens of this process for the services, with which it vouches for verified proofs of possession. */
  voucherFor?: (service: ServiceName) => () => Promise<string>;
  /** Subscriptions, default none. */
  live?: Live;
  /** Limits on the operations of clients. */
  guards?: GraphGuards;
}

/** Loads the graph with its first supergraph. @throws Error when that cannot be served */
export async function loadGraph(
  options: GraphOptions,
  upstreams: Upstreams,
  { admission, limits, persistedQueries }: AppliedGuards,
): Promise<ServedGraph> {
  const { kit, verifier, publicOrigin, introspection, live, guards } = options;
  const sources = new SubgraphSources({
    kit,
    upstreams,
    timeoutMs: options.subgraphTimeoutMs,
    voucherFor: options.voucherFor,
  });
  const observer = operationObserver(
    { kit, realm: publicOrigin, dpop: verifier.dpop ?? false },
    (context: GatewayContext) => context,
  );
  const documents = guards?.documents;
  const graph = new ServedGraph({
    kit,
    build: (supergraphSdl) => {
      live?.examine(supergraphSdl);
      return new Execution({
        kit,
        supergraphSdl,
        introspection,
        limits,
        source: (name) => sources.of(name),
        spend: admission.spend,
        observer,
        persistedQueries,
      });
    },
    ...(documents ? { objections: (schema) => objectionsOf(documents, schema, kit) } : {}),
  });
  await graph.load(options.supergraphSdl);
  return graph;
}

/** Returns the objections to a schema. Missing parts for the console are only logged; its pages report them. */
function objectionsOf(documents: TrustedDocuments, schema: GraphQLSchema, { log }: ServiceKit): string[] {
  const misfits = documents.optionalProblemsWith(schema);
  if (misfits.length > 0)
    log.warn(
      { event: 'console.operations_invalid', misfits },
      'Operations of the console do not match the supergraph',
    );
  return documents.problemsWith(schema);
}
