import { randomUUID } from 'node:crypto';
import { composeServices } from '@apollo/composition';
import { createIssuer, type Issuer, publicOrigin } from '@ostiary/access/testing';
import { type LiveEvent, markLiveStart, publishLive } from '@ostiary/events/live';
import { type GraphContext, subgraphPlugin, withScopesDirective } from '@ostiary/graph';
import {
  createHttp,
  createKit,
  createRedis,
  type Redis,
  redisReady,
  type ServiceKit,
  uuidv7,
} from '@ostiary/service';
import { testStreamSignatures } from '@ostiary/service/testing';
import type { FastifyInstance } from 'fastify';
import { parse } from 'graphql';
import { createClient as createSseClient } from 'graphql-sse';
import { type Client, createClient as createWsClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { createGateway } from '../../src/app.ts';
import type { GraphGuards } from '../../src/composition/guards.ts';
import { noWebOrigins, type WebOrigins } from '../../src/cors/domain/web-origins.ts';
import { CrossOrigin } from '../../src/cors/http/cross-origin.ts';
import type { ServedGraph } from '../../src/federation/graph/served-graph.ts';
import { Live, type LiveOptions } from '../../src/subscriptions/graph/live.ts';
import { LiveFeed } from '../../src/subscriptions/jobs/event-feed.ts';
import type { ServiceName } from '../../src/upstreams/domain/upstream.ts';

const federation =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@composeDirective"])';

const typeDefs: Record<ServiceName, string> = {
  directory: `${federation}
    scalar DateTime
    type Query {
      user(id: ID!): User @scopes(any: ["users:read"])
      me: User @scopes(user: true)
      group(id: ID!): Group @scopes(any: ["groups:read"])
    }
    type Subscription {
      userChanged(ids: [ID!], kinds: [UserChangeKind!]): UserChange @scopes(any: ["users:read"], user: true)
      groupChanged(ids: [ID!]): GroupChange @scopes(any: ["groups:read"])
    }
    type UserChange @scopes(inherit: true) { id: ID! kind: UserChangeKind! userId: ID! version: Int! occurredAt: DateTime! user: User }
    enum UserChangeKind { CREATED UPDATED DEACTIVATED REACTIVATED DELETED }
    type GroupChange @scopes(inherit: true) { id: ID! kind: String! groupId: ID! version: Int! occurredAt: DateTime! group: Group }
    type Group @key(fields: "id") @scopes(any: ["groups:read"]) { id: ID! @scopes(inherit: true) displayName: String! }
    type User @key(fields: "id") @scopes(any: ["users:read"], owner: "id") { id: ID! name(upper: Boolean): String! tenant: String! big: String }`,
  auth: `${federation}
    scalar DateTime
    type Query { nothing: String @scopes(user: true) }
    type Subscription { sessionRevoked(userId: ID): SessionRevocation @scopes(any: ["sessions:read"], user: true) }
    type SessionRevocation @scopes(inherit: true) { id: ID! sessionId: ID! userId: ID! occurredAt: DateTime! user: User }
    type User @key(fields: "id") { id: ID! @scopes(inherit: true) sessions: [Session!] @scopes(any: ["sessions:read"], owner: "id") }
    type Session @scopes(inherit: true) { id: ID! }`,
  provisioning: `${federation}
    scalar DateTime
    type Query { provisioningLogEntry(id: ID!): Entry @scopes(any: ["provisioning:read"]) }
    type Subscription { provisioningActivity(source: ID, resourceId: ID, failed: Boolean = false): ProvisioningActivity @scopes(any: ["provisioning:read"]) }
    type ProvisioningActivity @scopes(inherit: true) { id: ID! occurredAt: DateTime! sourceId: ID! resourceType: String resourceId: ID status: Int! entry: Entry user: User }
    type Entry @scopes(inherit: true) { id: ID! method: String! }
    type User @key(fields: "id") { id: ID! @scopes(inherit: true) source: String @scopes(any: ["provisioning:read"], owner: "id") }`,
};

/** What the subgraphs know: who is in which tenant. */
export const people: Record<string, Record<string, string>> = {
  demo: { alice: 'Alice', bob: 'Bob' },
  rival: { mallory: 'Mallory', alice: 'The other Alice' },
};

const personOf = (id: string, { principal }: GraphContext) => {
  const name = people[principal?.tenant ?? '']?.[id];
  return name ? { id, name, tenant: principal?.tenant } : null;
};

/** Counts what is asked of the directory, and may keep it from answering. */
export interface Directory {
  asked: number;
  /** What its answers wait for. */
  held: Promise<void> | undefined;
}

const resolversOf = (directory: Directory) => ({
  directory: {
    Query: {
      async user(_: unknown, { id }: { id: string }, context: GraphContext) {
        directory.asked += 1;
        await directory.held;
        return personOf(id, context);
      },
      me: (_: unknown, __: unknown, context: GraphContext) =>
        personOf(context.principal?.subject ?? '', context),
      group: (_: unknown, { id }: { id: string }) => ({ id, displayName: `Group ${id}` }),
    },
    User: {
      __resolveReference: ({ id }: { id: string }, context: GraphContext) => personOf(id, context),
      name: ({ name }: { name: string }, { upper }: { upper?: boolean }) =>
        upper ? name.toUpperCase() : name,
      big: () => 'x'.repeat(1_000_000),
    },
  },
  auth: { User: { sessions: ({ id }: { id: string }) => [{ id: `session of ${id}` }] } },
  provisioning: {
    Query: { provisioningLogEntry: (_: unknown, { id }: { id: string }) => ({ id, method: 'PATCH' }) },
    User: { source: () => 'Entra ID' },
  },
});

export function supergraph(): string {
  const { supergraphSdl, errors } = composeServices(
    Object.entries(typeDefs).map(([name, sdl]) => ({
      name,
      url: `http://${name}.invalid`,
      typeDefs: parse(withScopesDirective(sdl)),
    })),
  );
  if (!supergraphSdl) throw new Error(errors?.map(String).join('\n') ?? 'no supergraph');
  return supergraphSdl;
}

export const redisUrl = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

export interface Gateway {
  app: FastifyInstance;
  live: Live;
  kit: ServiceKit;
  url: string;
  close(): Promise<void>;
}

export interface LiveSystem {
  issuer: Issuer;
  prefix: string;
  redis: Redis;
  directory: Directory;
  /** A gateway; `events: false` doesn't wait until it reads events. */
  gateway(
    options?: Partial<LiveOptions> & {
      port?: number;
      /** Where it reads events; as the system unless said. */
      redisUrl?: string;
      events?: boolean;
      guards?: GraphGuards;
      webOrigins?: WebOrigins;
      trustedProxies?: readonly string[];
      onGraph?: (graph: ServedGraph) => void;
    },
  ): Promise<Gateway>;
  /** Publishes an event as a service does. */
  tell(event: Partial<LiveEvent> & Pick<LiveEvent, 'type'>): Promise<LiveEvent>;
  close(): Promise<void>;
}

/** Real subgraphs over HTTP, a real Redis, and as many gateways as are asked for. */
export async function startLiveSystem(url = redisUrl): Promise<LiveSystem> {
  const issuer = await createIssuer();
  const directory: Directory = { asked: 0, held: undefined };
  const prefix = `live-${randomUUID()}`;
  const redis = createRedis(url, { name: 'test', log: createKit({ name: 'test', logLevel: 'silent' }).log });
  await redisReady(redis);
  // As every service does that writes to the stream.
  await markLiveStart(redis, prefix, 'test');
  const closing: (() => Promise<unknown>)[] = [];
  const origins = {} as Record<ServiceName, string>;
  for (const name of ['auth', 'directory', 'provisioning'] as const) {
    const kit = createKit({ name, logLevel: 'silent' });
    const app = createHttp(kit);
    await app.register(
      subgraphPlugin({
        name,
        typeDefs: typeDefs[name],
        resolvers: resolversOf(directory)[name],
        loaders: () => ({}),
        verifier: issuer.verifier,
        publicOrigin,
        kit,
      }),
    );
    origins[name] = await app.listen({ host: '127.0.0.1', port: 0 });
    closing.push(() => app.close());
  }
  const supergraphSdl = supergraph();

  return {
    issuer,
    prefix,
    redis,
    directory,
    async gateway({
      port = 0,
      events = true,
      guards,
      webOrigins = noWebOrigins,
      trustedProxies,
      onGraph,
      redisUrl: feedUrl = url,
      ...options
    } = {}) {
      const crossOrigin = new CrossOrigin({ publicOrigin, webOrigins });
      const kit = createKit({ name: 'gateway', logLevel: process.env.TEST_LOG ?? 'silent' });
      const live = new Live({
        kit,
        verifier: issuer.verifier,
        revocations: issuer.revocations,
        publicOrigin,
        feed: (listeners) =>
          new LiveFeed({
            redisUrl: feedUrl,
            prefix,
            signatures: testStreamSignatures,
            log: kit.log,
            ...listeners,
          }),
        introspection: false,
        crossOrigin,
        ...options,
      });
      const app = await createGateway({
        kit,
        verifier: issuer.verifier,
        publicOrigin,
        origins,
        supergraphSdl,
        introspection: false,
        scimBodyLimit: 1_048_576,
        subgraphTimeoutMs: 15_000,
        live,
        crossOrigin,
        ...(trustedProxies ? { trustedProxies } : {}),
        ...(guards ? { guards } : {}),
        ...(onGraph ? { onGraph } : {}),
      });
      const address = await app.listen({ host: '127.0.0.1', port });
      await until(async () => {
        const state = (await (await fetch(`${address}/readyz`)).json()) as {
          dependencies: Record<string, { status: string }>;
        };
        return !events || state.dependencies.live?.status === 'up';
      });
      let open = true;
      const close = async (): Promise<void> => {
        if (open) await app.close();
        open = false;
      };
      closing.unshift(close);
      return { app, live, kit, url: address, close };
    },
    async tell(event) {
      const complete: LiveEvent = {
        id: uuidv7(),
        tenant: 'demo',
        subject: 'alice',
        version: 1,
        occurredAt: new Date().toISOString(),
        ...event,
      };
      await publishLive(redis, { prefix, signatures: testStreamSignatures }, [complete]);
      return complete;
    },
    async close() {
      for (const close of closing) await close();
      redis.disconnect();
    },
  };
}

/** Waits until something is so. */
export async function until(holds: () => boolean | Promise<boolean>, withinMs = 20_000): Promise<void> {
  const deadline = Date.now() + withinMs;
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('it did not come about');
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export interface Result {
  data?: Record<string, Record<string, unknown>> | null;
  errors?: { message: string; path?: unknown[]; extensions?: Record<string, unknown> }[];
  extensions?: { eventId?: string };
}

/** What a subscriber has been told so far. */
export interface Subscriber {
  results: Result[];
  /** Resolves with the result of this index. */
  result(index: number): Promise<Result>;
  /** How it ended: 'complete', or the error. */
  ended: Promise<unknown>;
  isEnded(): boolean;
  stop(): void;
}

interface SubscribeOptions {
  query?: string;
  documentId?: string;
  variables?: Record<string, unknown>;
  extensions?: Record<string, unknown>;
}

function subscriber(
  start: (sink: { next(value: unknown): void; error(error: unknown): void; complete(): void }) => () => void,
): Subscriber {
  const results: Result[] = [];
  const waiting = new Set<() => void>();
  let over = false;
  let stop = (): void => {};
  const ended = new Promise<unknown>((resolve) => {
    const end = (how: unknown): void => {
      over = true;
      resolve(how);
      for (const wake of waiting) wake();
    };
    stop = start({
      next: (value) => {
        results.push(value as Result);
        for (const wake of waiting) wake();
      },
      error: end,
      complete: () => end('complete'),
    });
  });
  return {
    results,
    ended,
    isEnded: () => over,
    stop: () => stop(),
    async result(index) {
      const patience = 12_000;
      const deadline = Date.now() + patience;
      const timer = setTimeout(() => {
        for (const wake of waiting) wake();
      }, patience + 10);
      while (results.length <= index && !over && Date.now() < deadline) {
        await new Promise<void>((resolve) => waiting.add(resolve));
      }
      clearTimeout(timer);
      const found = results[index];
      if (!found) throw new Error(`result ${index} never came (${results.length} did, ended: ${over})`);
      return found;
    },
  };
}

/** Subscribes with the client of graphql-sse. */
export function subscribeSse(
  url: string,
  token: string,
  options: SubscribeOptions,
  o: { lastEventId?: string; retryAttempts?: number; path?: string; headers?: Record<string, string> } = {},
): Subscriber {
  const client = createSseClient({
    url: `${url}${o.path ?? '/graphql'}`,
    headers: {
      authorization: `Bearer ${token}`,
      ...(o.lastEventId ? { 'last-event-id': o.lastEventId } : {}),
      ...o.headers,
    },
    retryAttempts: o.retryAttempts ?? 0,
  });
  const it = subscriber((sink) => client.subscribe(options as { query: string }, sink as never));
  return {
    ...it,
    stop: () => {
      it.stop();
      client.dispose();
    },
  };
}

export interface SocketClient {
  client: Client;
  subscribe(options: SubscribeOptions): Subscriber;
  /** Code and reason of the close frame. */
  closed: Promise<{ code: number; reason: string }>;
  acknowledged: Promise<Record<string, unknown> | undefined>;
  /** The socket itself. */
  socket: Promise<WebSocket>;
}

/** Connects with the client of graphql-ws. */
export function connectWs(
  url: string,
  connectionParams: Record<string, unknown>,
  headers: Record<string, string> = {},
  path = '/graphql',
): SocketClient {
  let onClosed: (value: { code: number; reason: string }) => void;
  let onAcknowledged: (value: Record<string, unknown> | undefined) => void;
  const closed = new Promise<{ code: number; reason: string }>((resolve) => {
    onClosed = resolve;
  });
  const acknowledged = new Promise<Record<string, unknown> | undefined>((resolve) => {
    onAcknowledged = resolve;
  });
  let onSocket: (value: WebSocket) => void;
  const socket = new Promise<WebSocket>((resolve) => {
    onSocket = resolve;
  });
  class Socket extends WebSocket {
    constructor(address: string, protocols: string) {
      super(address, protocols, { headers });
    }
  }
  const client = createWsClient({
    url: `${url.replace(/^http/, 'ws')}${path}`,
    webSocketImpl: Socket,
    connectionParams,
    retryAttempts: 0,
    lazy: false,
    onNonLazyError: () => {},
    on: {
      opened: (opened) => onSocket(opened as WebSocket),
      connected: (_socket, payload) => onAcknowledged(payload as Record<string, unknown>),
      closed: (event) => onClosed(event as { code: number; reason: string }),
    },
  });
  return {
    client,
    closed,
    acknowledged,
    socket,
    subscribe: (options) =>
      subscriber((sink) => client.subscribe(options as { query: string }, sink as never)),
  };
}

/** How many subscriptions a gateway has. */
export async function subscriptionsAt({ kit }: Gateway): Promise<number> {
  const text = await kit.metrics.metrics();
  return Number(/^live_subscriptions\{[^}]*\} (\d+)/m.exec(text)?.[1] ?? -1);
}
