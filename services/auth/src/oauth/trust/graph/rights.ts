import type { Conferring, GraphContext } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import { type RoleDirectory, scopesToActOn } from '../../../access/index.ts';

type Input<T> = { input: T };

/** Rights that trusted issuers and subjects bound to them confer (`@confers`). */
export const issuerRights = (deps: { roleDirectory: RoleDirectory }): Conferring<unknown>['rights'] => ({
  /** The issuer of statements about a user has the rights of the user and can change the user's sign-in. */
  wordAboutPerson: async (
    { input: { userId } }: Input<{ userId: string }>,
    { tenant }: GraphContext<unknown>,
  ) => {
    const held = isUuid(userId) ? [...(await deps.roleDirectory.of(tenant, [userId])).values()] : [];
    return ['users:write', ...held.flat().flatMap((role) => scopesToActOn([role]))];
  },
  /** A trusted issuer can assert every user that is bound to it. Binding a user is conferred separately. */
  wordOfIssuer: ({ input }: Input<{ scopes: readonly string[] }>) => [
    ...input.scopes,
    'roles:write',
    'users:write',
  ],
});
