import { type Conferring, type GraphContext, requirePrincipal } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import type { RoleDirectory } from '../domain/role-directory.ts';
import { type Role, scopesToActOn, scopesToGive, signInScopes } from '../domain/roles.ts';

type Context = GraphContext<unknown>;
type Input<T> = { input: T };

/** Rights that roles and sign-in methods of users confer (`@confers`). */
export const roleRights = (deps: { roleDirectory: RoleDirectory }): Conferring<unknown>['rights'] => ({
  role: ({ input }: Input<{ role: Role }>) => scopesToGive(input.role),
  /** The owner of a sign-in method for a user has all rights of the user. */
  signInOfPerson: async ({ input: { userId } }: Input<{ userId?: string | null }>, context: Context) => {
    const { tenant, kind, subject, scopes } = requirePrincipal(context);
    const isOwn =
      userId === null || userId === undefined || (kind === 'user' && subject === userId.toLowerCase());
    // Callers without these scopes get the same result for every user.
    if (isOwn || !isUuid(userId) || !signInScopes.some((scope) => scopes.has(scope))) return [];
    const held = await deps.roleDirectory.of(tenant, [userId]);
    return [...held.values()].flatMap(scopesToActOn);
  },
});
