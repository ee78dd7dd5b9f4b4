import { type Principal, whoActs } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import { actorResolvers as resolversOf } from '@ostiary/graph';
import type { AuditLoaders } from './loaders.ts';

/**
 * The actor a change is recorded under: the user, the client when it acts for itself, or who acts for either of them. A client of the
 * platform that acts in a tenant is a service, which is what distinguishes it from the tenant's own.
 */
export const actorOf = (principal: Principal): Actor => whoActs(principal);

export const actorResolvers = resolversOf<AuditLoaders>({
  user: (id, { loaders }) => loaders.users.load(id),
  client: (id) => ({ __typename: 'Client', id }),
  connector: (id) => ({ __typename: 'Connector', id }),
});
