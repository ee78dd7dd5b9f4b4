import { type Issuer, publicOrigin } from '@ostiary/access/testing';
import { type GraphContext, subgraphPlugin, withScopesDirective } from '@ostiary/graph';
import { createHttp, createKit, type ServiceKit } from '@ostiary/service';
import type { FastifyInstance } from 'fastify';
import { createGateway, type GatewayOptions } from '../../src/app.ts';
import type { ServiceName } from '../../src/upstreams/domain/upstream.ts';
import { composed } from './composed.ts';

const federation =
  'extend schema @link(url: "https://specs.apollo.dev/federation/v2.9", import: ["@key", "@composeDirective", "@external", "@requires"])';

const typeDefs: Record<ServiceName, string> = {
  directory: `${federation}
    type Query {
      users(first: Int): [User!] @scopes(any: ["users:read"])
      user(id: ID!): User @scopes(any: ["users:read"])
      me: User @scopes(user: true)
    }
    type Mutation { rename(id: ID!, name: String!): User @scopes(any: ["users:write"]) @confers(nothing: true) }
    type User @key(fields: "id") @scopes(any: ["users:read"], owner: "id") { id: ID! name: String! fails: String }`,
  auth: `${federation}
    type Query { clients: [Client!] @scopes(any: ["clients:read"]) }
    type Client @scopes(inherit: true) { id: ID! owner: User! creator: User keeper: User editors: [User] }
    type User @key(fields: "id") { id: ID! @scopes(inherit: true) sessions: [Session!] @scopes(any: ["sessions:read"], owner: "id") sessionCount: Int @scopes(any: ["sessions:read"], owner: "id") }
    type Session @scopes(inherit: true) { id: ID! }`,
  provisioning: `${federation}
    type User @key(fields: "id") {
      id: ID! @scopes(inherit: true)
      source: String @scopes(any: ["provisioning:read"], owner: "id")
      name: String! @external @scopes(any: ["users:read"], owner: "id")
      badge: String @requires(fields: "name") @scopes(any: ["provisioning:read"], owner: "id")
    }`,
};

const names: Record<string, string> = { alice: 'Alice', bob: 'Bob' };
const resolvers = {
  directory: {
    Query: {
      users: (_: unknown, { first }: { first?: number }) =>
        [{ id: 'alice' }, { id: 'bob' }].slice(0, first ?? 2),
      user: (_: unknown, { id }: { id: string }) => (names[id] ? { id } : null),
      me: (_: unknown, __: unknown, context: GraphContext) => ({
        id: context.principal?.subject,
      }),
    },
    Mutation: { rename: (_: unknown, { id }: { id: string }) => ({ id }) },
    User: {
      __resolveReference: ({ id }: { id: string }) => {
        if (id === 'broken') throw new Error('connection to 10.1.2.3 refused');
        return names[id] ? { id } : null;
      },
      name: ({ id }: { id: string }) => names[id],
      fails: () => {
        throw new Error('password authentication failed for user "ostiary" at 10.1.2.3');
      },
    },
  },
  auth: {
    Query: {
      clients: () => [
        { id: 'c1', owner: { id: 'alice' }, creator: 'gone', keeper: 'broken', editors: ['bob', 'gone'] },
        { id: 'c2', owner: { id: 'gone' }, creator: 'alice' },
      ],
    },
    Client: {
      creator: ({ creator }: { creator?: string }) => creator && { id: creator },
      keeper: ({ keeper }: { keeper?: string }) => keeper && { id: keeper },
      editors: ({ editors }: { editors?: string[] }) => (editors ?? []).map((id) => ({ id })),
    },
    User: {
      sessions: ({ id }: { id: string }) => [{ id: `${id}-1` }],
      sessionCount: () => 1,
    },
  },
  provisioning: {
    User: {
      source: () => 'Entra ID',
      badge: ({ name }: { name?: string | null }) => (name ? `${name}, visitor` : null),
    },
  },
};

/** Returns the supergraph of the test subgraphs. */
export function testSupergraph(): string {
  return composed(
    Object.fromEntries(Object.entries(typeDefs).map(([name, sdl]) => [name, withScopesDirective(sdl)])),
  );
}

export interface Received {
  method: string;
  url: string;
  headers: Record<string, string | string[] | undefined>;
}

export interface RunningService {
  app: FastifyInstance;
  kit: ServiceKit;
  origin: string;
  received: Received[];
}

/** Starts a subgraph with the REST routes that `addRoutes` adds. */
export async function startService(
  issuer: Issuer,
  name: ServiceName,
  options: { port?: number; addRoutes?: (app: FastifyInstance) => void } = {},
): Promise<RunningService> {
  const kit = createKit({ name, logLevel: 'silent' });
  const app = createHttp(kit);
  const received: Received[] = [];
  app.addHook('onRequest', async (request) => {
    received.push({ method: request.method, url: request.url, headers: request.headers });
  });
  options.addRoutes?.(app);
  await app.register(
    subgraphPlugin({
      name,
      typeDefs: typeDefs[name],
      resolvers: resolvers[name],
      loaders: () => ({}),
      verifier: issuer.verifier,
      publicOrigin,
      kit,
    }),
  );
  const origin = await app.listen({ host: '127.0.0.1', port: options.port ?? 0 });
  return { app, kit, origin, received };
}

export interface RunningGateway {
  app: FastifyInstance;
  kit: ServiceKit;
  url: string;
}

export async function startGateway(
  issuer: Issuer,
  origins: GatewayOptions['origins'],
  more: Partial<GatewayOptions> = {},
): Promise<RunningGateway> {
  const kit = createKit({ name: 'gateway', logLevel: 'silent' });
  const app = await createGateway({
    kit,
    verifier: issuer.verifier,
    publicOrigin,
    origins,
    supergraphSdl: testSupergraph(),
    introspection: false,
    scimBodyLimit: 1_048_576,
    subgraphTimeoutMs: 15_000,
    ...more,
  });
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  return { app, kit, url };
}

type Trio = readonly [auth: RunningService, directory: RunningService, provisioning: RunningService];

/** The three services, each in its own server, and gateways for them. */
export class Services {
  readonly auth: RunningService;
  readonly directory: RunningService;
  readonly provisioning: RunningService;
  readonly gateways: RunningGateway[] = [];
  readonly #issuer: Issuer;

  private constructor(issuer: Issuer, [auth, directory, provisioning]: Trio) {
    this.#issuer = issuer;
    this.auth = auth;
    this.directory = directory;
    this.provisioning = provisioning;
  }

  static async start(issuer: Issuer): Promise<Services> {
    const started = await Promise.all([
      startService(issuer, 'auth'),
      startService(issuer, 'directory'),
      startService(issuer, 'provisioning'),
    ]);
    return new Services(issuer, started);
  }

  get all(): RunningService[] {
    return [this.auth, this.directory, this.provisioning];
  }

  /** Requests received since the start, or since they were cleared. */
  get received(): Received[] {
    return this.all.flatMap(({ received }) => received);
  }

  /** @param elsewhere origins of other processes that replace a service */
  async gateway(
    options: Partial<GatewayOptions> = {},
    elsewhere: Partial<GatewayOptions['origins']> = {},
  ): Promise<RunningGateway> {
    const { auth, directory, provisioning } = this;
    const origins = {
      auth: auth.origin,
      directory: directory.origin,
      provisioning: provisioning.origin,
      ...elsewhere,
    };
    const gateway = await startGateway(this.#issuer, origins, options);
    this.gateways.push(gateway);
    return gateway;
  }

  /** Stops the services and all gateways. */
  async stop(): Promise<void> {
    await Promise.all(this.gateways.map(({ app }) => app.close()));
    await Promise.all(this.all.map(({ app }) => app.close()));
  }
}

export interface GraphAnswer {
  status: number;
  headers: Headers;
  body: {
    data?: Record<string, unknown> | null;
    errors?: { message: string; path?: (string | number)[]; extensions: Record<string, unknown> }[];
    extensions?: unknown;
  };
}

export async function ask(
  url: string,
  query: string,
  options: { token?: string; variables?: object; headers?: Record<string, string>; path?: string } = {},
): Promise<GraphAnswer> {
  const response = await fetch(`${url}${options.path ?? '/graphql'}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      ...options.headers,
    },
    body: JSON.stringify({ query, variables: options.variables }),
  });
  return {
    status: response.status,
    headers: response.headers,
    body: (await response.json()) as GraphAnswer['body'],
  };
}

export const codesOf = ({ body }: GraphAnswer): unknown[] =>
  (body.errors ?? []).map((error) => [error.path?.join('.'), error.extensions.code]);
