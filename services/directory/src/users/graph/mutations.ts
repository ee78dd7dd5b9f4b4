import { badUserInput, type GraphContext, requirePrincipal } from '@ostiary/graph';
import { USER_SCHEMA } from '@ostiary/scim';
import { actorOf } from '../../audit/graph/actor.ts';
import {
  attributesOf,
  change,
  extensionOperations,
  type Fields,
  type Input,
  operationsOf,
  type Versioned,
  withoutNulls,
} from '../../resources/graph/changes.ts';
import { extensionsInput, registryOf } from '../../resources/graph/extensions.ts';
import type { Attributes, StoredResource } from '../../resources/index.ts';
import type { UserLoaders, UserResolvers } from './loaders.ts';

/** Makes the rest of the request read the result of the mutation. */
export function changedUser(
  user: StoredResource,
  { loaders }: GraphContext<UserLoaders>,
): { user: StoredResource } {
  loaders.users.clear(user.id).prime(user.id, user);
  return { user };
}

/** The same clients define the schemas, so mutations write attributes that SCIM clients cannot modify. */
const ownClient = true;

export const userMutations: UserResolvers = {
  createUser: async (_root, { input }: Input<Fields>, context) => {
    const { users } = await context.loaders.directory();
    const { extensions, ...fields } = input;
    const resource = {
      schemas: [USER_SCHEMA],
      ...(withoutNulls(attributesOf(fields)) as Fields),
      ...Object.fromEntries(extensionsInput(extensions, await registryOf(context), 'User')),
    } as Attributes;
    const actor = actorOf(requirePrincipal(context));
    return changedUser(await users.create({ resource, actor, ownClient }), context);
  },

  updateUser: async (_root, { input }: Input<Versioned & Fields>, context) => {
    const { id, version, extensions, ...fields } = input;
    const { users } = await context.loaders.directory();
    const operations = [
      ...operationsOf(attributesOf(fields)),
      ...extensionOperations(extensionsInput(extensions, await registryOf(context), 'User')),
    ];
    if (operations.length === 0)
      throw badUserInput('The input contains no attributes to change.', { argument: 'input' });
    return changedUser(await users.patch({ ...change(input, context), operations, ownClient }), context);
  },

  deactivateUser: async (_root, { input }: Input<Versioned>, context) => {
    const { users } = await context.loaders.directory();
    return changedUser(await users.deactivate(change(input, context)), context);
  },

  reactivateUser: async (_root, { input }: Input<Versioned>, context) => {
    const { users } = await context.loaders.directory();
    return changedUser(await users.reactivate(change(input, context)), context);
  },

  deleteUser: async (_root, { input }: Input<Versioned>, context) => {
    const { users } = await context.loaders.directory();
    await users.remove(change(input, context));
    context.loaders.users.clear(input.id);
    return { id: input.id };
  },
};
