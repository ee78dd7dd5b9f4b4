import { type Principal, whoActs } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import {
  type Conferring,
  insistOnRecentSignIn,
  requireConferrable,
  requirePrincipal,
  actorResolvers as resolversOf,
  withinTheChange,
} from '@ostiary/graph';
import type { DirectoryContext, DirectoryLoaders } from '../../composition/loaders.ts';

/**
 * Who a change is recorded under: the person, the app when it acts for itself, or who acts for either of them. A client of the
 * platform that acts in a tenant is a service, which is what tells it from the tenant's own.
 */
export const actorOf = (principal: Principal): Actor => whoActs(principal);

export const actorResolvers = resolversOf<DirectoryLoaders>({
  user: (id, { loaders }) => loaders.users.load(id),
  client: (id) => ({ __typename: 'Client', id }),
  connector: (id) => ({ __typename: 'Connector', id }),
});

/** What this subgraph's mutations give is known only in the transaction of the change: there `givingOf` is asked. */
export const directoryConferring: Conferring<DirectoryLoaders> = {
  signInTerms: async (_principal, { loaders }) => ({ policy: await loaders.signInPolicy() }),
  rights: { identityOfRoleHolder: withinTheChange, rolesOfGroup: withinTheChange },
};

/**
 * Whether a caller may give what membership of a group gives: as with roles, that takes those scopes, and a person must have
 * signed in lately.
 * @throws FORBIDDEN, INSUFFICIENT_USER_AUTHENTICATION
 */
export const givingOf =
  (context: DirectoryContext) =>
  async (scopes: readonly string[]): Promise<void> => {
    const principal = requirePrincipal(context);
    requireConferrable(principal, scopes);
    await insistOnRecentSignIn(directoryConferring, principal, context);
  };
