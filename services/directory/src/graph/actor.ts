import { type Principal, recentSignIn, requireAuthentication, whoActs } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import {
  type Conferring,
  requireConferrable,
  actorResolvers as resolversOf,
  withinTheChange,
} from '@ostiary/graph';
import type { DirectoryLoaders } from './loaders.ts';

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
/**
 * Whether a caller may give what membership of a group gives: as with roles, that takes those scopes, and a person must have
 * signed in lately.
 * @throws FORBIDDEN, AccessError insufficient_user_authentication
 */
export const givingOf =
  (principal: Principal) =>
  (scopes: readonly string[]): void => {
    requireConferrable(principal, scopes);
    requireRecentSignIn(principal);
  };

/** @throws AccessError insufficient_user_authentication; clients that act for themselves have no sign-in to be recent */
function requireRecentSignIn(principal: Principal): void {
  if (principal.kind === 'user') requireAuthentication(principal, recentSignIn);
}

/** What this subgraph's mutations give is known only in the transaction of the change: there `givingOf` is asked. */
export const directoryConferring: Conferring<DirectoryLoaders> = {
  requireRecentSignIn,
  rights: { identityOfRoleHolder: withinTheChange, rolesOfGroup: withinTheChange },
};
