import { type Principal, requireAuthentication, whoActs } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import { forbidden, actorResolvers as resolversOf } from '@ostiary/graph';
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
    const held = principal.scopes;
    if (!scopes.every((scope) => held.has(scope))) {
      throw forbidden(held.has('roles:write') ? [] : ['roles:write']);
    }
    if (principal.kind === 'user') requireAuthentication(principal, { maxAge: recentSeconds });
  };

/** Seconds after a sign-in in which it counts as recent. */
const recentSeconds = 900;
