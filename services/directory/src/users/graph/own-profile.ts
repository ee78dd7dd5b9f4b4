import { isExchanged, type Principal } from '@ostiary/access';
import { badUserInput, forbidden, requirePrincipal } from '@ostiary/graph';
import { type AttributeRule, ownAttributes } from '@ostiary/scim';
import type { FieldResolvers } from '../../composition/loaders.ts';
import { change, changedUser, type Fields, type Input, operationsOf } from '../../resources/graph/changes.ts';

/** Holds whatever else the input's type may one day have. */
const writable: AttributeRule = { mode: 'only', paths: ownAttributes };

/**
 * Whose profile it is: only the person's who holds the token. One had by exchange may have fewer scopes, and here no scope stands in
 * the way.
 * @throws FORBIDDEN
 */
function ownerOf(principal: Principal): string {
  if (isExchanged(principal)) throw forbidden();
  return principal.subject;
}

export const ownProfileMutations: FieldResolvers = {
  updateMe: async (_root, { input }: Input<Fields & { version?: number | null }>, context) => {
    const { version = null, ...fields } = input;
    const id = ownerOf(requirePrincipal(context));
    const operations = operationsOf(fields);
    if (operations.length === 0) throw badUserInput('There is nothing to change.', { argument: 'input' });
    const { users } = await context.loaders.directory();
    return changedUser(
      await users.patch({ ...change({ id, version }, context), operations, writable }),
      context,
    );
  },
};
