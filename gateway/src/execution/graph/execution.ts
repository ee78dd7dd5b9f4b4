import type { ApolloServer } from '@apollo/server';
import {
  createGraphServer,
  type DocumentLimits,
  type HeaderSink,
  listSizesIn,
  type OperationObserver,
  type PersistedQueries,
  type Spend,
} from '@ostiary/graph';
import type { ServiceKit } from '@ostiary/service';
import { type ExecutionResult, type GraphQLSchema, parse } from 'graphql';
import { DanglingReferences } from '../../subgraphs/graph/dangling-references.ts';
import type { SubgraphSource } from '../../subgraphs/graph/subgraph-source.ts';
import type { GatewayContext } from './context.ts';
import { FastPath } from './fast-path.ts';
import { reportMissingValues } from './missing-values.ts';
import { type AskedOperation, OperationCache } from './operation-cache.ts';
import { QueryPlan } from './query-plan.ts';
import { requireOperation } from './required-operation.ts';
import { ResponseNames } from './response-names.ts';
import type { PlannedOperation, Send } from './strategy.ts';

export interface ExecutionOptions {
  kit: ServiceKit;
  supergraphSdl: string;
  /** Whether introspection is enabled, and messages may name parts of the schema. */
  introspection: boolean;
  limits: DocumentLimits;
  /** Returns the subgraph of this name. @throws when there is none */
  source: (name: string) => SubgraphSource;
  /** Charges the caller for an operation. */
  spend: Spend<GatewayContext>;
  /** Its metrics are shared by the executions of successive supergraphs. */
  observer: OperationObserver<GatewayContext>;
  /** Undefined: clients cannot register queries. */
  persistedQueries: PersistedQueries | undefined;
}

/** A request to execute an operation, and the form of its response. */
export interface GraphRequest<R> {
  /** Undefined for a request that only Apollo Server can read. */
  readonly operation: AskedOperation | undefined;
  readonly context: GatewayContext;
  /** Receives the headers of a response without errors. */
  readonly headers: HeaderSink;
  /** Returns the response with this data and without errors. */
  respond(data: Record<string, unknown>): R;
  /** Returns the response of Apollo Server, which parses and validates the operation. */
  byServer(server: ApolloServer<GatewayContext>): Promise<R>;
}

/**
 * Executes operations over one supergraph, and is the only place that chooses between the two strategies:
 *
 * 1. A text that was parsed, validated and answered before is executed on the fast path, without Apollo Server.
 * 2. Any other text is parsed and validated by Apollo Server. It is then executed on the fast path if the query plan
 *    of its document is cached and supported.
 * 3. All other operations, and those that the fast path abandons, are executed by the query plan of the Apollo
 *    gateway, which reuses the subgraph responses that the fast path received.
 */
export class Execution {
  readonly fastPath: FastPath;
  readonly queryPlan: QueryPlan;
  readonly #operations: OperationCache;
  readonly #observer: OperationObserver<GatewayContext>;
  readonly #server: ApolloServer<GatewayContext>;

  constructor(options: ExecutionOptions) {
    const { kit, supergraphSdl, introspection, limits, spend, persistedQueries, source, observer } = options;
    const danglingReferences = new DanglingReferences();
    // The schema for clients lacks the directives.
    const listSizes = listSizesIn(parse(supergraphSdl, { noLocation: true }));
    const names = new ResponseNames(supergraphSdl);
    const schema = (): GraphQLSchema => this.schema();
    const send: Send = ({ subgraph, query, operationName }, variables, { authorization }) =>
      source(subgraph).execute({
        query,
        variables,
        authorization,
        ...(operationName ? { operationName } : {}),
      });
    this.fastPath = new FastPath({ schema, names, send });
    this.queryPlan = new QueryPlan({
      supergraphSdl,
      names,
      introspection,
      source,
      danglingReferences,
      log: kit.log,
      send: (operation, variables, context) => {
        const received = this.fastPath.received(operation, variables, context);
        return received ? Promise.resolve(received) : send(operation, variables, context);
      },
      onPlan: (document, operationName, plan) => this.fastPath.learn(document, operationName, plan),
    });
    this.#operations = new OperationCache({
      isSupported: (document, operationName) => this.fastPath.supports(document, operationName),
      schema,
      listSizes,
      limit: limits.cost,
      spend,
    });
    this.#observer = observer;
    this.#server = createGraphServer<GatewayContext>({
      source: { gateway: this.queryPlan.gateway((operation) => this.#executeValid(operation)) },
      introspection,
      kit,
      limits,
      listSizes,
      persistedQueries,
      spend,
      // Its check requires a header of Apollo's own. `refuseCrossSite` reads the browsers' fetch metadata instead,
      // and the endpoint accepts only JSON by POST.
      csrfPrevention: false,
      plugins: [
        reportMissingValues(danglingReferences),
        requireOperation(),
        observer.plugin,
        this.#operations.plugin,
      ],
    });
  }

  /** @throws Error when the supergraph cannot be served */
  start(): Promise<void> {
    return this.#server.start();
  }

  stop(): Promise<void> {
    return this.#server.stop();
  }

  /** Returns the schema for clients. @throws before the start */
  schema(): GraphQLSchema {
    return this.queryPlan.schema();
  }

  async execute<R>({ operation, context, headers, respond, byServer }: GraphRequest<R>): Promise<R> {
    const { startedAt = performance.now() } = context;
    const known = operation && (await this.#operations.admitted(operation, context, headers));
    const result = known && (await this.fastPath.execute(known.operation));
    if (!result) return byServer(this.#server);
    const { node } = known;
    this.#observer.answered(context, { operation: node, operationName: node.name?.value ?? null }, startedAt);
    return respond(result.data);
  }

  /** Executes an operation that Apollo Server has validated. */
  async #executeValid(operation: PlannedOperation): Promise<ExecutionResult> {
    return (await this.fastPath.execute(operation)) ?? this.queryPlan.execute(operation);
  }
}
