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
  /** Returns the policy of the caller's tenant for sign-ins of administrators. */
  signInPolicy(): Promise<SignInPolicy | undefined>;
}

/** The conferred rights are known only in the transaction of the change, which calls `conferringOf`. */
export const directoryConferring: Conferring<ConferringLoaders> = {
  signInTerms: async (_principal, { loaders }) => ({ policy: await loaders.signInPolicy() }),
  rights: { identityOfRoleHolder: withinTheChange, rolesOfGroup: withinTheChange },
};

/**
 * Checks that a caller may grant the rights of a group's members: as with roles, that requires their scopes, and a
 * recent sign-in of a user.
 * @throws FORBIDDEN, INSUFFICIENT_USER_AUTHENTICATION
 */
export const conferringOf =
  (context: GraphContext<ConferringLoaders>) =>
  async (scopes: readonly string[]): Promise<void> => {
    const principal = requirePrincipal(context);
    requireConferrable(principal, scopes);
    await insistOnRecentSignIn(directoryConferring, principal, context);
  };
