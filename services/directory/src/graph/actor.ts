import { type Principal, whoActs } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import type { FieldResolvers } from './loaders.ts';

/**
 * Who a change is recorded under: the person, the app when it acts for itself, or who acts for either of them. A client of the
 * platform that acts in a tenant is a service, which is what tells it from the tenant's own.
 */
export const actorOf = (principal: Principal): Actor => whoActs(principal);

const typeNames = {
  user: 'UserActor',
  client: 'ClientActor',
  connector: 'ConnectorActor',
  service: 'ServiceActor',
  system: 'SystemActor',
} as const;

/** The type of the graph that an actor is of. */
export const actorType = ({ kind }: Actor): string => typeNames[kind];

const shared: FieldResolvers = {
  kind: ({ kind }: Actor) => kind.toUpperCase(),
  onBehalfOfUser: ({ onBehalfOf }: Actor, _args, { loaders }) =>
    onBehalfOf === undefined ? null : loaders.users.load(onBehalfOf),
};

export const actorResolvers: Record<string, FieldResolvers> = {
  UserActor: { ...shared, user: ({ id }: Actor, _args, { loaders }) => loaders.users.load(id) },
  ClientActor: { ...shared, client: ({ id }: Actor) => ({ __typename: 'Client', id }) },
  ConnectorActor: { ...shared, connector: ({ id }: Actor) => ({ __typename: 'Connector', id }) },
  ServiceActor: shared,
  SystemActor: shared,
};
