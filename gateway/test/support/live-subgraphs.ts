import { type Issuer, publicOrigin } from '@ostiary/access/testing';
import { type GraphContext, subgraphPlugin, withScopesDirective } from '@ostiary/graph';
import { createHttp, createKit } from '@ostiary/service';
import { testNeighbours } from '@ostiary/service/testing';
import type { ServiceName } from '../../src/upstreams/domain/upstream.ts';
import { composed } from './composed.ts';

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

/** Users of each tenant. */
export const people: Record<string, Record<string, string>> = {
  demo: { alice: 'Alice', bob: 'Bob' },
  rival: { mallory: 'Mallory', alice: 'The other Alice' },
};

const userOf = (id: string, { principal }: GraphContext) => {
  const name = people[principal?.tenant ?? '']?.[id];
  return name ? { id, name, tenant: principal?.tenant } : null;
};

/** Counts the requests to the directory, and can hold its responses. */
export interface Directory {
  asked: number;
  /** Responses wait for it. */
  held: Promise<void> | undefined;
}

const resolversOf = (directory: Directory) => ({
  directory: {
    Query: {
      async user(_: unknown, { id }: { id: string }, context: GraphContext) {
        directory.asked += 1;
        await directory.held;
        return userOf(id, context);
      },
      me: (_: unknown, __: unknown, context: GraphContext) =>
        userOf(context.principal?.subject ?? '', context),
      group: (_: unknown, { id }: { id: string }) => ({ id, displayName: `Group ${id}` }),
    },
    User: {
      __resolveReference: ({ id }: { id: string }, context: GraphContext) => userOf(id, context),
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
  return composed(
    Object.fromEntries(Object.entries(typeDefs).map(([name, sdl]) => [name, withScopesDirective(sdl)])),
  );
}

/** Subgraphs over HTTP. */
export class LiveSubgraphs {
  readonly origins: Readonly<Record<ServiceName, string>>;
  readonly close: () => Promise<void>;

  private constructor(origins: Readonly<Record<ServiceName, string>>, close: () => Promise<void>) {
    this.origins = origins;
    this.close = close;
  }

  static async start(issuer: Issuer, directory: Directory): Promise<LiveSubgraphs> {
    const origins = {} as Record<ServiceName, string>;
    const closing: (() => Promise<unknown>)[] = [];
    for (const name of ['auth', 'directory', 'provisioning'] as const) {
      const kit = createKit({ name, logLevel: 'silent', neighbours: testNeighbours });
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
    return new LiveSubgraphs(origins, async () => {
      for (const close of closing) await close();
    });
  }
}
