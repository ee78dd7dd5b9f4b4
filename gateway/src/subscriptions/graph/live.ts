import type { RevocationList, TokenVerifier } from '@ostiary/access';
import { NotReady, type ServiceKit } from '@ostiary/service';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { GraphQLSchema } from 'graphql';
import type { AllowedOrigins } from '../domain/allowed-origins.ts';
import type { EventFeed, FeedListeners } from '../domain/event-feed.ts';
import { NetworkConnections } from '../domain/network-connections.ts';
import type { Connections } from './connections.ts';
import { EventStreams } from './event-streams.ts';
import { type HubLimits, hubLimits, LiveHub } from './hub.ts';
import { SubscriptionRules } from './rules.ts';
import { type GraphAccess, SubscribableOperations } from './subscribable-operations.ts';
import { TokenAuthentication } from './token-authentication.ts';
import { WebSockets } from './websocket.ts';

export interface LiveOptions {
  kit: ServiceKit;
  verifier: TokenVerifier;
  revocations: RevocationList;
  publicOrigin: string;
  /** Creates the feed; it is not started yet. */
  feed: (listeners: FeedListeners) => EventFeed;
  introspection: boolean;
  /** Origins whose pages may open WebSockets and event streams. */
  crossOrigin: AllowedOrigins;
  limits?: Partial<HubLimits>;
}

/** The graph's subscriptions, over server-sent events and WebSockets. */
export class Live {
  /** Answers requests for event streams; returns false for any other request. */
  readonly eventStream: (request: FastifyRequest, reply: FastifyReply) => Promise<boolean>;
  readonly #connections: Connections;
  readonly #operations: SubscribableOperations;
  readonly #feed: EventFeed;
  readonly #hub: LiveHub;

  constructor(options: LiveOptions) {
    const { kit, verifier, publicOrigin, revocations, introspection, crossOrigin } = options;
    const limits = { ...hubLimits, ...options.limits };
    const authentication = new TokenAuthentication({ verifier, publicOrigin });
    this.#operations = new SubscribableOperations({ introspection });
    this.#feed = options.feed({
      onEvent: (placed) => this.#hub.publish(placed),
      onGap: () => this.#hub.gap(),
    });
    this.#hub = new LiveHub({
      kit,
      revocations,
      limits,
      verify: (token) => authentication.again(token),
      ask: (hydration, caller) => this.#operations.graph.ask(hydration, caller),
      rules: () => this.#operations.rules,
      feed: () => this.#feed,
    });
    this.#connections = {
      log: kit.log,
      clock: () => kit.clock(),
      hub: this.#hub,
      limits,
      networks: new NetworkConnections(limits.connectionsPerNetwork),
      authentication,
      operations: this.#operations,
      origins: crossOrigin,
      admit: async (caller) => {
        await this.#feed.begun();
        this.#hub.admit(caller);
      },
    };
    const eventStreams = new EventStreams(this.#connections);
    this.eventStream = (request, reply) => eventStreams.serve(request, reply);
    kit.health.check(
      'live',
      async () => {
        if (!this.#feed.connected) throw new NotReady('unreachable');
      },
      { required: false, impairs: 'Subscribers receive no events.' },
    );
  }

  /** Connects the graph that resolves events. */
  connect(graph: GraphAccess): void {
    this.#operations.connect(graph);
  }

  /** Checks a supergraph before it is served. @throws Error when a subscription has no rule that can be checked */
  examine(supergraphSdl: string): void {
    new SubscriptionRules(supergraphSdl);
  }

  /** Sets the schema for new subscriptions. Existing subscriptions keep theirs. */
  schemaChanged(schema: GraphQLSchema, supergraphSdl: string): void {
    this.#operations.schemaChanged(schema, supergraphSdl);
  }

  /** Reads events until the server closes. @returns the WebSockets, which take its upgrade requests */
  attach(app: FastifyInstance): WebSockets {
    const sockets = new WebSockets(this.#connections);
    this.#feed.start();
    app.addHook('preClose', async () => {
      this.#hub.close();
      sockets.close();
    });
    app.addHook('onClose', () => this.#feed.stop());
    return sockets;
  }
}
