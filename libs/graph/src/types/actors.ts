import type { GraphContext } from '../context/context.ts';
import type { Resolvers, TypeResolvers } from '../context/resolvers.ts';

/** Who did something, as every log of the graph records it. A schema that uses it brings `User`, `Client` and `Connector`. */
export const actorTypeDefs = `
"Who did something: a person, an app, an identity source, one of the platform's own services or clients, or the clock."
interface Actor {
  "What kind of actor it is."
  kind: ActorKind!
  "Id of the person, app, identity source or service."
  actorId: ID!
  "What the actor was called then, if known."
  name: String
  "Id of the person or app for whom it acted, if for somebody else."
  onBehalfOf: ID
  "The person for whom it acted; null also when it was an app, or the person is no more."
  onBehalfOfUser: User
}

"Kinds of actors."
enum ActorKind {
  "A person."
  USER
  "An app, acting for itself or for a person."
  CLIENT
  "An identity source."
  CONNECTOR
  "One of the platform's own services, or a client of the platform that acts in the tenant."
  SERVICE
  "Nobody: what happens when its time has come."
  SYSTEM
}

"A person who did something."
type UserActor implements Actor @shareable @scopes(inherit: true) {
  "What kind of actor it is."
  kind: ActorKind!
  "Id of the person, app, identity source or service."
  actorId: ID!
  "What the actor was called then, if known."
  name: String
  "Id of the person or app for whom it acted, if for somebody else."
  onBehalfOf: ID
  "The person for whom it acted; null also when it was an app, or the person is no more."
  onBehalfOfUser: User
  "The person, if they still exist."
  user: User
}

"An app that did something."
type ClientActor implements Actor @shareable @scopes(inherit: true) {
  "What kind of actor it is."
  kind: ActorKind!
  "Id of the person, app, identity source or service."
  actorId: ID!
  "What the actor was called then, if known."
  name: String
  "Id of the person or app for whom it acted, if for somebody else."
  onBehalfOf: ID
  "The person for whom it acted; null also when it was an app, or the person is no more."
  onBehalfOfUser: User
  "The app, if it still exists: of one that is no more at most the id."
  client: Client
}

"An identity source that did something."
type ConnectorActor implements Actor @shareable @scopes(inherit: true) {
  "What kind of actor it is."
  kind: ActorKind!
  "Id of the person, app, identity source or service."
  actorId: ID!
  "What the actor was called then, if known."
  name: String
  "Id of the person or app for whom it acted, if for somebody else."
  onBehalfOf: ID
  "The person for whom it acted; null also when it was an app, or the person is no more."
  onBehalfOfUser: User
  "The identity source, if it still exists: of one that is no more at most the id."
  connector: Connector
}

"A service or client of the platform that did something."
type ServiceActor implements Actor @shareable @scopes(inherit: true) {
  "What kind of actor it is."
  kind: ActorKind!
  "Id of the person, app, identity source or service."
  actorId: ID!
  "What the actor was called then, if known."
  name: String
  "Id of the person or app for whom it acted, if for somebody else."
  onBehalfOf: ID
  "The person for whom it acted; null also when it was an app, or the person is no more."
  onBehalfOfUser: User
}

"What did something when its time had come."
type SystemActor implements Actor @shareable @scopes(inherit: true) {
  "What kind of actor it is."
  kind: ActorKind!
  "Id of the person, app, identity source or service."
  actorId: ID!
  "What the actor was called then, if known."
  name: String
  "Id of the person or app for whom it acted, if for somebody else."
  onBehalfOf: ID
  "The person for whom it acted; null also when it was an app, or the person is no more."
  onBehalfOfUser: User
}
`;

/** The schema with the types of actors, when one of its fields is an `Actor` and it doesn't define them itself. */
export const withActorTypes = (typeDefs: string): string =>
  /:\s*Actor\b/.test(typeDefs) && !/^interface\s+Actor\b/m.test(typeDefs)
    ? `${typeDefs}\n${actorTypeDefs}`
    : typeDefs;

/** An actor as a log keeps it. */
export interface LoggedActor {
  kind: keyof typeof typeNames;
  id: string;
  name?: string;
  /** The user or client on whose behalf it acted, if any. */
  onBehalfOf?: string;
}

const typeNames = {
  user: 'UserActor',
  client: 'ClientActor',
  connector: 'ConnectorActor',
  service: 'ServiceActor',
  system: 'SystemActor',
} as const;

/** Finds what an actor's fields lead to; null when it is no more, a reference when another subgraph knows that. */
type Find<L> = (id: string, context: GraphContext<L>) => unknown;

/** The resolvers of all types of actors. */
export function actorResolvers<L>(find: {
  user: Find<L>;
  client: Find<L>;
  connector: Find<L>;
}): Resolvers<L> {
  const shared: TypeResolvers<L> = {
    kind: ({ kind }: LoggedActor) => kind.toUpperCase(),
    actorId: ({ id }: LoggedActor) => id,
    onBehalfOfUser: ({ onBehalfOf }: LoggedActor, _args: unknown, context: GraphContext<L>) =>
      onBehalfOf === undefined ? null : find.user(onBehalfOf, context),
  };
  const entity =
    (kind: keyof typeof find) =>
    ({ id }: LoggedActor, _args: unknown, context: GraphContext<L>) =>
      find[kind](id, context);
  return {
    Actor: { __resolveType: ({ kind }: LoggedActor) => typeNames[kind] },
    UserActor: { ...shared, user: entity('user') },
    ClientActor: { ...shared, client: entity('client') },
    ConnectorActor: { ...shared, connector: entity('connector') },
    ServiceActor: shared,
    SystemActor: shared,
  };
}
