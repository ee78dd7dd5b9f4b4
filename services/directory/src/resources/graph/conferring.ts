import type { SignInPolicy } from '@ostiary/access';
import {
  type Conferring,
  type GraphContext,
  insistOnRecentSignIn,
  requireConferrable,
  requirePrincipal,
  withinTheChange,
} from '@ostiary/graph';

export interface ConferringLoaders {
  /** What the caller's tenant requires of administrators' sign-ins. */
  signInPolicy(): Promise<SignInPolicy | undefined>;
}

/** What this subgraph's mutations confer is known only in the transaction of the change: there `conferringOf` is asked. */
export const directoryConferring: Conferring<ConferringLoaders> = {
  signInTerms: async (_principal, { loaders }) => ({ policy: await loaders.signInPolicy() }),
  rights: { identityOfRoleHolder: withinTheChange, rolesOfGroup: withinTheChange },
};

/**
 * Whether a caller may give what membership of a group gives: as with roles, that needs those scopes, and a user must have
 * signed in recently.
 * @throws FORBIDDEN, INSUFFICIENT_USER_AUTHENTICATION
 */
export const conferringOf =
  (context: GraphContext<ConferringLoaders>) =>
  async (scopes: readonly string[]): Promise<void> => {
    const principal = requirePrincipal(context);
    requireConferrable(principal, scopes);
    await insistOnRecentSignIn(directoryConferring, principal, context);
  };
