import { isExchanged, type Principal } from '@ostiary/access';
import { badUserInput, forbidden, requirePrincipal } from '@ostiary/graph';
import { type AttributeRule, ownAttributes } from '@ostiary/scim';
import { change, type Fields, type Input, operationsOf } from '../../resources/graph/changes.ts';
import type { UserResolvers } from './loaders.ts';
import { changedUser } from './mutations.ts';

/** The rule also covers fields that are added to the input type later. */
const writable: AttributeRule = { mode: 'only', paths: ownAttributes };

/**
 * Returns the user of the profile, the holder of the token. Exchanged tokens are rejected: they may have fewer
 * scopes, and no scope is required here.
 * @throws FORBIDDEN
 */
function ownerOf(principal: Principal): string {
  if (isExchanged(principal)) throw forbidden();
  return principal.subject;
}

export const ownProfileMutations: UserResolvers = {
  updateMe: async (_root, { input }: Input<Fields & { version?: number | null }>, context) => {
    const { version = null, ...fields } = input;
    const id = ownerOf(requirePrincipal(context));
    const operations = operationsOf(fields);
    if (operations.length === 0)
      throw badUserInput('The input contains no attributes to change.', { argument: 'input' });
    const { users } = await context.loaders.directory();
    return changedUser(
      await users.patch({ ...change({ id, version }, context), operations, writable }),
      context,
    );
  },
};
