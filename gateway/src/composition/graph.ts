import type { TokenVerifier } from '@ostiary/access';
import type { ServiceKit } from '@ostiary/service';
import type { GraphQLSchema } from 'graphql';
import type { TrustedDocuments } from '../admission/graph/index.ts';
import { GraphServers, ServedGraph } from '../federation/graph/index.ts';
import { SubgraphSources } from '../subgraphs/graph/index.ts';
import type { Live } from '../subscriptions/graph/index.ts';
import type { ServiceName, Upstreams } from '../upstreams/index.ts';
import type { AppliedGuards, GraphGuards } from './guards.ts';

export interface GraphOptions {
  kit: ServiceKit;
  verifier: TokenVerifier;
  publicOrigin: string;
  supergraphSdl: string;
  introspection: boolean;
  /** Milliseconds a subgraph may take, or each of them. */
  subgraphTimeoutMs: number | Readonly<Record<ServiceName, number>>;
  /** This process's own tokens for the services behind it, with which it vouches for proofs of possession it has checked. */
  voucherFor?: (service: ServiceName) => () => Promise<string>;
  /** Subscriptions; without it there are none. */
  live?: Live;
  /** What clients of the graph may ask for, and how much of it. */
  guards?: GraphGuards;
}

/** The graph over its first supergraph. @throws Error when that can't be served */
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
  const servers = new GraphServers({
    kit,
    publicOrigin,
    dpop: verifier.dpop ?? false,
    introspection,
    limits,
    source: (name) => sources.of(name),
    spend: admission.spend,
    persistedQueries,
  });
  const documents = guards?.documents;
  const graph = new ServedGraph({
    kit,
    build: (supergraphSdl) => {
      live?.examine(supergraphSdl);
      return servers.over(supergraphSdl);
    },
    ...(documents ? { objections: (schema) => objectionsOf(documents, schema, kit) } : {}),
  });
  await graph.load(options.supergraphSdl);
  return graph;
}

/** What speaks against a schema. Pages of the console that it lacks something for say so themselves, and the log does. */
function objectionsOf(
  documents: TrustedDocuments,
  schema: GraphQLSchema,
  { log }: Pick<ServiceKit, 'log'>,
): string[] {
  const misfits = documents.optionalProblemsWith(schema);
  if (misfits.length > 0)
    log.warn(
      { event: 'console.operations_invalid', misfits },
      'Operations of the console do not match the supergraph',
    );
  return documents.problemsWith(schema);
}
