import type { GraphContext } from '../context/context.ts';
import type { Resolvers, TypeResolvers } from '../context/resolvers.ts';

/**
 * Actor of a logged action, in every log of the graph. A schema that uses it defines `User`, `Client` and
 * `Connector`.
 */
export const actorTypeDefs = `
"Actor of a logged action: a user, a client, a connector, a service or client of the platform, or the system."
interface Actor {
  "Kind of the actor."
  kind: ActorKind!
  "Id of the user, client, connector or service."
  actorId: ID!
  "Name of the actor at that time, if known."
  name: String
  "Id of the user or client on whose behalf it acted, if any."
  onBehalfOf: ID
  "User on whose behalf it acted; null if there is none, if it is a client, or if the user no longer exists."
  onBehalfOfUser: User
}

"Kinds of actors."
enum ActorKind {
  "A user."
  USER
  "A client, acting for itself or for a user."
  CLIENT
  "A connector (identity source)."
  CONNECTOR
  "A service of the platform, or a client of the platform that acts in the tenant."
  SERVICE
  "The system: a scheduled action."
  SYSTEM
}

"A user as actor."
type UserActor implements Actor @shareable @scopes(inherit: true) {
  "Kind of the actor."
  kind: ActorKind!
  "Id of the user, client, connector or service."
  actorId: ID!
  "Name of the actor at that time, if known."
  name: String
  "Id of the user or client on whose behalf it acted, if any."
  onBehalfOf: ID
  "User on whose behalf it acted; null if there is none, if it is a client, or if the user no longer exists."
  onBehalfOfUser: User
  "The user, if it still exists."
  user: User
}

"A client as actor."
type ClientActor implements Actor @shareable @scopes(inherit: true) {
  "Kind of the actor."
  kind: ActorKind!
  "Id of the user, client, connector or service."
  actorId: ID!
  "Name of the actor at that time, if known."
  name: String
  "Id of the user or client on whose behalf it acted, if any."
  onBehalfOf: ID
  "User on whose behalf it acted; null if there is none, if it is a client, or if the user no longer exists."
  onBehalfOfUser: User
  "The client, if it still exists; a deleted client has at most its id."
  client: Client
}

"A connector as actor."
type ConnectorActor implements Actor @shareable @scopes(inherit: true) {
  "Kind of the actor."
  kind: ActorKind!
  "Id of the user, client, connector or service."
  actorId: ID!
  "Name of the actor at that time, if known."
  name: String
  "Id of the user or client on whose behalf it acted, if any."
  onBehalfOf: ID
  "User on whose behalf it acted; null if there is none, if it is a client, or if the user no longer exists."
  onBehalfOfUser: User
  "The connector, if it still exists; a deleted one has at most its id."
  connector: Connector
}

"A service or client of the platform as actor."
type ServiceActor implements Actor @shareable @scopes(inherit: true) {
  "Kind of the actor."
  kind: ActorKind!
  "Id of the user, client, connector or service."
  actorId: ID!
  "Name of the actor at that time, if known."
  name: String
  "Id of the user or client on whose behalf it acted, if any."
  onBehalfOf: ID
  "User on whose behalf it acted; null if there is none, if it is a client, or if the user no longer exists."
  onBehalfOfUser: User
}

"The system as actor of a scheduled action."
type SystemActor implements Actor @shareable @scopes(inherit: true) {
  "Kind of the actor."
  kind: ActorKind!
  "Id of the user, client, connector or service."
  actorId: ID!
  "Name of the actor at that time, if known."
  name: String
  "Id of the user or client on whose behalf it acted, if any."
  onBehalfOf: ID
  "User on whose behalf it acted; null if there is none, if it is a client, or if the user no longer exists."
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

/**
 * Loads the object of an actor's field; null if it no longer exists, a reference if another subgraph owns it.
 */
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
