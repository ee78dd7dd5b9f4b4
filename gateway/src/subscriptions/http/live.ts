import type { IncomingMessage } from 'node:http';
import {
  type AccessError,
  graphResource,
  invalidRequest,
  missingToken,
  type Possession,
  type Principal,
  type RevocationList,
  resourceMetadataUrl,
  type TokenVerifier,
} from '@ostiary/access';
import { type DocumentLimits, graphPrincipal, listSizesIn } from '@ostiary/graph';
import { type Logger, type ServiceKit, ServiceUnavailable, type Signatures, uuidv7 } from '@ostiary/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphQLError, type GraphQLSchema, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import type { CrossOrigin } from '../../cors/http/cross-origin.ts';
import { NetworkPlaces } from '../domain/network-connections.ts';
import { failure } from '../graph/ending.ts';
import { type Caller, type HubLimits, hubLimits, LiveHub } from '../graph/hub.ts';
import {
  type Hydration,
  type HydrationResult,
  LiveOperation,
  type OperationSchema,
  type SubscriptionRequest,
} from '../graph/operation.ts';
import { SubscriptionRules } from '../graph/rules.ts';
import { LiveFeed } from '../jobs/event-feed.ts';
import { eventStreams } from './event-streams.ts';
import { webSockets } from './websocket.ts';

/** How a client presents its token. */
export interface Presented {
  /** As in the Authorization header: `Bearer …` or `DPoP …`. */
  readonly authorization: string;
  /** The tenant whose own address was asked; undefined at the address for all. */
  readonly addressed: string | undefined;
  /** The DPoP proof, for a GET of that address, the request that opens the connection. */
  readonly proof: string | undefined;
  /** Where the connection comes from. */
  readonly address: string;
  /** Takes the nonce for the client's next proof. */
  readonly offerNonce?: (nonce: string) => void;
}

/** With whose rights an event is put together. */
export interface LiveCaller {
  readonly principal: Principal;
  readonly authorization: string;
  readonly requestId: string;
}

export interface LiveOptions {
  kit: ServiceKit;
  verifier: TokenVerifier;
  revocations: RevocationList;
  publicOrigin: string;
  redisUrl: string;
  /** REDIS_PREFIX. */
  redisPrefix: string;
  /** By STREAM_KEY. */
  signatures: Signatures;
  introspection: boolean;
  /** Pages of which origins may open WebSockets, and event streams. */
  crossOrigin: CrossOrigin;
  limits?: Partial<HubLimits>;
}

/** What the graph offers to whoever shows events. */
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
const authorizationPattern = /^(Bearer|DPoP) +([A-Za-z0-9\-._~+/]+=*)$/i;
const longestToken = 8_192;

/** Tells operations apart. @throws GraphQLError */
function keyOf({ query, operationName, variables }: SubscriptionRequest): string {
  try {
    return JSON.stringify([query, operationName, variables]);
  } catch {
    throw failure('BAD_REQUEST', '"variables" is nested too deeply.');
  }
}

/** The graph's subscriptions, over server-sent events and WebSockets. */
export class Live {
  readonly hub: LiveHub;
  readonly limits: HubLimits;
  readonly places: NetworkPlaces;
  readonly log: Logger;
  /** Answers requests for event streams where operations are sent; false when a request isn't one. */
  readonly eventStream: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;
  readonly #options: LiveOptions;
  readonly #feed: LiveFeed;
  readonly #operations = new LRUCache<string, LiveOperation>({ max: rememberedOperations });
  #schema: OperationSchema | undefined;
  #rules: SubscriptionRules | undefined;
  #graph: GraphAccess | undefined;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.log = options.kit.log;
    this.limits = { ...hubLimits, ...options.limits };
    this.places = new NetworkPlaces(this.limits.connectionsPerNetwork);
    this.#feed = new LiveFeed({
      redisUrl: options.redisUrl,
      prefix: options.redisPrefix,
      signatures: options.signatures,
      log: options.kit.log,
      onEvent: (placed) => this.hub.publish(placed),
      onGap: () => this.hub.gap(),
    });
    this.hub = new LiveHub({
      kit: options.kit,
      revocations: options.revocations,
      limits: this.limits,
      verify: (token) => this.#verify(token, 'vouched'),
      ask: (hydration, caller) => this.#graphAccess.ask(hydration, caller),
      rules: () => this.#subscriptionRules,
      feed: () => this.#feed,
    });
    this.eventStream = eventStreams(this);
    options.kit.health.check(
      'live',
      async () => {
        if (!this.#feed.connected) throw new Error('events are not read');
      },
      { required: false },
    );
  }

  /** Unix ms. */
  get clock(): () => number {
    return this.#options.kit.clock;
  }

  /** The schema in use. @throws ServiceUnavailable before there is one */
  get schema(): OperationSchema {
    if (!this.#schema) throw new ServiceUnavailable('supergraph');
    return this.#schema;
  }

  get #subscriptionRules(): SubscriptionRules {
    if (!this.#rules) throw new ServiceUnavailable('supergraph');
    return this.#rules;
  }

  get #graphAccess(): GraphAccess {
    if (!this.#graph) throw new ServiceUnavailable('supergraph');
    return this.#graph;
  }

  /** Whom to ask about what events are about. */
  connect(graph: GraphAccess): void {
    this.#graph = graph;
  }

  /** Looks at a supergraph before it is served. @throws Error when a subscription has no rule that can be checked */
  examine(supergraphSdl: string): void {
    new SubscriptionRules(supergraphSdl);
  }

  /** Takes another schema for what is subscribed to from now on; what is subscribed to already stays as it is. */
  schemaChanged(schema: GraphQLSchema, supergraphSdl: string): void {
    this.#rules = new SubscriptionRules(supergraphSdl);
    const { limits } = this.#graphAccess;
    const listSizes = listSizesIn(parse(supergraphSdl, { noLocation: true }));
    this.#schema = { schema, listSizes, limits, introspection: this.#options.introspection };
    this.#operations.clear();
  }

  /**
   * Serves WebSockets on the server, and reads events until it closes.
   * @param addressOf where a request comes from, as far as trusted proxies tell
   */
  attach(app: FastifyInstance, addressOf: (request: IncomingMessage) => string): void {
    const sockets = webSockets(this);
    const { server } = app as unknown as {
      server: NodeJS.EventEmitter & { shouldUpgradeCallback?: unknown };
    };
    // Anything else that asks for an upgrade (h2c, say) is answered as if it hadn't.
    server.shouldUpgradeCallback = (request: { headers: { upgrade?: string } }): boolean =>
      request.headers.upgrade?.toLowerCase() === 'websocket';
    server.on('upgrade', (request, socket, head) => {
      const address = addressOf(request);
      void sockets.upgrade(request, socket, head, { requestId: uuidv7(), address });
    });
    this.#feed.start();
    app.addHook('preClose', async () => {
      this.hub.close();
      sockets.close();
    });
    app.addHook('onClose', () => this.#feed.stop());
  }

  /** Admits a connection, in a process that was just started as soon as events are read. @throws GraphQLError */
  async admit(caller: Caller): Promise<void> {
    await this.#feed.begun();
    this.hub.admit(caller);
  }

  /** An operation as it is executed, once the graph has admitted it. @throws GraphQLError */
  async admitted<R extends SubscriptionRequest>(
    sent: R,
    by: { principal: Principal; address: string },
  ): Promise<R> {
    const admitted = await this.#graphAccess.admit(sent, by);
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
    // Only small ones: what is remembered is bounded by its number.
    if (key.length <= 8_192) this.#operations.set(key, operation);
    return operation;
  }

  /** Where a client wants to go on, if it says so in the operation. */
  lastEventId(extensions: unknown): string | undefined {
    const value = (extensions as { lastEventId?: unknown } | null | undefined)?.lastEventId;
    return typeof value === 'string' ? value : undefined;
  }

  /** Verifies the token with which a WebSocket is opened. @throws AccessError, ServiceUnavailable */
  async authenticate({
    authorization,
    addressed,
    proof,
    address,
    offerNonce,
  }: Presented): Promise<Principal> {
    const match = authorizationPattern.exec(authorization);
    const token = match?.[2];
    if (!token || token.length > longestToken) throw invalidRequest('The access token is malformed.');
    const possession: Possession = {
      token,
      scheme: match?.[1]?.toLowerCase() === 'dpop' ? 'DPoP' : 'Bearer',
      proof,
      address,
      method: 'GET',
      path: new URL(graphResource(this.#options.publicOrigin, addressed)).pathname,
      offerNonce: (nonce) => offerNonce?.(nonce),
    };
    return this.#verify(token, possession, addressed);
  }

  /** Pages of which origins may connect. */
  get crossOrigin(): CrossOrigin {
    return this.#options.crossOrigin;
  }

  /** Says in an answer that a token is needed. */
  challenge(reply: FastifyReply, addressed: string | undefined): void {
    reply.headers(this.challengeFor(missingToken(), addressed));
  }

  /** @param addressed the tenant whose own address was asked */
  challengeFor(error: AccessError, addressed: string | undefined): Record<string, string> {
    const { publicOrigin, verifier } = this.#options;
    return {
      'www-authenticate': error.wwwAuthenticate(publicOrigin, {
        dpop: verifier.dpop ?? false,
        resourceMetadata: resourceMetadataUrl(graphResource(publicOrigin, addressed)),
      }),
    };
  }

  #verify(token: string, possession: Possession, addressed?: string): Promise<Principal> {
    const { verifier, publicOrigin } = this.#options;
    return graphPrincipal(verifier, token, { publicOrigin, addressed, possession });
  }
}
