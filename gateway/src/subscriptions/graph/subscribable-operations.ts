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

/** Caller with whose rights an event is resolved. */
export interface LiveCaller {
  readonly principal: Principal;
  readonly authorization: string;
  readonly requestId: string;
}

/** The graph's interface to subscriptions. */
export interface GraphAccess {
  limits: DocumentLimits;
  ask: (hydration: Hydration, caller: LiveCaller) => Promise<HydrationResult>;
  /** Decides whether an operation is executed for this caller; returns it with its text. */
  admit: <R extends SubscriptionRequest>(
    sent: R,
    by: { principal: Principal; address: string },
  ) => Promise<R | GraphQLError>;
}

/** Maximum number of cached operations. The cache saves parsing when many clients reconnect at the same time. */
const rememberedOperations = 500;
/** Maximum length of a cached operation in characters: the cache is limited by number only. */
const maxRememberedLength = 8_192;

/** Returns the cache key of an operation. @throws GraphQLError */
function keyOf({ query, operationName, variables }: SubscriptionRequest): string {
  try {
    return JSON.stringify([query, operationName, variables]);
  } catch {
    throw failure('BAD_REQUEST', '"variables" is nested too deeply.');
  }
}

/** The operations that can be subscribed to in the served supergraph. */
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

  /** The rules of the subscriptions. @throws ServiceUnavailable before there is a schema */
  get rules(): SubscriptionRules {
    if (!this.#rules) throw new ServiceUnavailable('supergraph');
    return this.#rules;
  }

  /** The connected graph. @throws ServiceUnavailable before there is one */
  get graph(): GraphAccess {
    if (!this.#graph) throw new ServiceUnavailable('supergraph');
    return this.#graph;
  }

  /** Connects the graph that resolves events. */
  connect(graph: GraphAccess): void {
    this.#graph = graph;
  }

  /** Sets the schema for new subscriptions. Existing subscriptions keep theirs. */
  schemaChanged(schema: GraphQLSchema, supergraphSdl: string): void {
    this.#rules = new SubscriptionRules(supergraphSdl);
    const { limits } = this.graph;
    const listSizes = listSizesIn(parse(supergraphSdl, { noLocation: true }));
    this.#schema = { schema, listSizes, limits, introspection: this.#introspection };
    this.#operations.clear();
  }

  /** Returns an operation in the form in which it is executed, after the graph has admitted it. @throws GraphQLError */
  async admitted<R extends SubscriptionRequest>(
    sent: R,
    by: { principal: Principal; address: string },
  ): Promise<R> {
    const admitted = await this.graph.admit(sent, by);
    if (!(admitted instanceof GraphQLError)) return admitted;
    // The HTTP status is no part of an error over a live connection.
    const { http: _, ...extensions } = admitted.extensions;
    throw new GraphQLError(admitted.message, { extensions });
  }

  /** Returns an operation that can be subscribed to. @throws GraphQLError, InvalidOperation */
  operation(request: SubscriptionRequest): LiveOperation {
    const key = keyOf(request);
    const known = this.#operations.get(key);
    if (known) return known;
    const operation = new LiveOperation(request, this.schema);
    if (key.length <= maxRememberedLength) this.#operations.set(key, operation);
    return operation;
  }

  /** Returns the position to resume from that the operation states. */
  lastEventId(extensions: unknown): string | undefined {
    const value = (extensions as { lastEventId?: unknown } | null | undefined)?.lastEventId;
    return typeof value === 'string' ? value : undefined;
  }
}
