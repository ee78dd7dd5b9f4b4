import type { Principal } from '@ostiary/access';
import { type DocumentLimits, listSizesIn } from '@ostiary/graph';
import { ServiceUnavailable } from '@ostiary/service';
import { GraphQLError, type GraphQLSchema, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import { failure } from './ending.ts';
import {
  type Hydration,
  type HydrationResult,
  LiveOperation,
  type OperationSchema,
  type SubscriptionRequest,
} from './operation.ts';
import { SubscriptionRules } from './rules.ts';

/** With whose rights an event is put together. */
export interface LiveCaller {
  readonly principal: Principal;
  readonly authorization: string;
  readonly requestId: string;
}

/** What the graph offers to subscriptions. */
export interface GraphAccess {
  limits: DocumentLimits;
  ask: (hydration: Hydration, caller: LiveCaller) => Promise<HydrationResult>;
  /** Decides whether an operation is one that is executed for this caller; gives it with its text. */
  admit: <R extends SubscriptionRequest>(
    sent: R,
    by: { principal: Principal; address: string },
  ) => Promise<R | GraphQLError>;
}

/** Operations whose meaning is remembered, so that many clients that come back at once don't cost as many parses. */
const rememberedOperations = 500;
/** Longer ones aren't remembered: what is remembered is bounded by its number. */
const longestRemembered = 8_192;

/** Identifies an operation. @throws GraphQLError */
function keyOf({ query, operationName, variables }: SubscriptionRequest): string {
  try {
    return JSON.stringify([query, operationName, variables]);
  } catch {
    throw failure('BAD_REQUEST', '"variables" is nested too deeply.');
  }
}

/** What can be subscribed to, by the supergraph that is served. */
export class SubscribableOperations {
  readonly #introspection: boolean;
  readonly #operations = new LRUCache<string, LiveOperation>({ max: rememberedOperations });
  #schema: OperationSchema | undefined;
  #rules: SubscriptionRules | undefined;
  #graph: GraphAccess | undefined;

  constructor({ introspection }: { introspection: boolean }) {
    this.#introspection = introspection;
  }

  /** The schema in use. @throws ServiceUnavailable before there is one */
  get schema(): OperationSchema {
    if (!this.#schema) throw new ServiceUnavailable('supergraph');
    return this.#schema;
  }

  /** Who may subscribe to what. @throws ServiceUnavailable before there is a schema */
  get rules(): SubscriptionRules {
    if (!this.#rules) throw new ServiceUnavailable('supergraph');
    return this.#rules;
  }

  /** The graph behind them. @throws ServiceUnavailable before there is one */
  get graph(): GraphAccess {
    if (!this.#graph) throw new ServiceUnavailable('supergraph');
    return this.#graph;
  }

  /** Connects the graph that events are put together by. */
  connect(graph: GraphAccess): void {
    this.#graph = graph;
  }

  /** Takes another schema for what is subscribed to from now on; what is subscribed to already stays as it is. */
  schemaChanged(schema: GraphQLSchema, supergraphSdl: string): void {
    this.#rules = new SubscriptionRules(supergraphSdl);
    const { limits } = this.graph;
    const listSizes = listSizesIn(parse(supergraphSdl, { noLocation: true }));
    this.#schema = { schema, listSizes, limits, introspection: this.#introspection };
    this.#operations.clear();
  }

  /** An operation as it is executed, once the graph has admitted it. @throws GraphQLError */
  async admitted<R extends SubscriptionRequest>(
    sent: R,
    by: { principal: Principal; address: string },
  ): Promise<R> {
    const admitted = await this.graph.admit(sent, by);
    if (!(admitted instanceof GraphQLError)) return admitted;
    // How it would be answered over HTTP is no part of the error.
    const { http: _, ...extensions } = admitted.extensions;
    throw new GraphQLError(admitted.message, { extensions });
  }

  /** An operation that can be subscribed to. @throws GraphQLError, InvalidOperation */
  operation(request: SubscriptionRequest): LiveOperation {
    const key = keyOf(request);
    const known = this.#operations.get(key);
    if (known) return known;
    const operation = new LiveOperation(request, this.schema);
    if (key.length <= longestRemembered) this.#operations.set(key, operation);
    return operation;
  }

  /** Where a client wants to go on, if it says so in the operation. */
  lastEventId(extensions: unknown): string | undefined {
    const value = (extensions as { lastEventId?: unknown } | null | undefined)?.lastEventId;
    return typeof value === 'string' ? value : undefined;
  }
}
