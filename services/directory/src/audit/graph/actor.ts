import { type Principal, whoActs } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import { actorResolvers as resolversOf } from '@ostiary/graph';
import type { AuditLoaders } from './loaders.ts';

/**
 * Returns the actor of a change: the user, the client acting for itself, or the actor of an exchanged token. A client
 * of the platform that acts in a tenant is a service, which distinguishes it from the tenant's own clients.
 */
export const actorOf = (principal: Principal): Actor => whoActs(principal);

export const actorResolvers = resolversOf<AuditLoaders>({
  user: (id, { loaders }) => loaders.users.load(id),
  client: (id) => ({ __typename: 'Client', id }),
  connector: (id) => ({ __typename: 'Connector', id }),
});
