import { badUserInput, type GraphContext, requirePrincipal } from '@ostiary/graph';
import { GROUP_SCHEMA } from '@ostiary/scim';
import { actorOf } from '../../audit/graph/actor.ts';
import {
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
import type { GroupLoaders, GroupResolvers } from './loaders.ts';

type Context = GraphContext<GroupLoaders>;

interface MembersInput {
  groupId: string;
  memberIds: string[];
  version?: number | null;
}

/** Maximum number of members in one mutation. */
const maxMembers = 1000;

/** The same clients define the schemas, so mutations write attributes that SCIM clients cannot modify. */
const ownClient = true;

function changedGroup(group: StoredResource, { loaders }: Context): { group: StoredResource } {
  loaders.groups.clear(group.id).prime(group.id, group);
  loaders.memberCount.clear(group.id);
  loaders.forgetGroupsOfUsers();
  return { group };
}

/** @throws BAD_USER_INPUT */
function mustBeFewEnough(memberIds: readonly string[] | null | undefined): void {
  if ((memberIds?.length ?? 0) > maxMembers) {
    throw badUserInput(`"memberIds" must contain at most ${maxMembers} ids.`, {
      argument: 'memberIds',
    });
  }
}

const changeMembers = async (op: 'add' | 'remove', input: MembersInput, context: Context) => {
  mustBeFewEnough(input.memberIds);
  const { groups } = await context.loaders.directory();
  const command = change({ id: input.groupId, version: input.version ?? null }, context);
  return changedGroup(await groups.changeMembers(command, [{ op, ids: input.memberIds }]), context);
};

export const groupMutations: GroupResolvers = {
  createGroup: async (_root, { input }: Input<Fields & { memberIds?: string[] | null }>, context) => {
    const { memberIds, extensions, ...fields } = input;
    mustBeFewEnough(memberIds);
    const { groups } = await context.loaders.directory();
    const resource = {
      schemas: [GROUP_SCHEMA],
      ...(withoutNulls(fields) as Fields),
      ...Object.fromEntries(extensionsInput(extensions, await registryOf(context), 'Group')),
      ...(memberIds && { members: memberIds.map((value) => ({ value })) }),
    } as Attributes;
    const actor = actorOf(requirePrincipal(context));
    return changedGroup(await groups.create({ resource, actor, ownClient }), context);
  },

  updateGroup: async (_root, { input }: Input<Versioned & Fields>, context) => {
    const { id, version, extensions, ...fields } = input;
    const { groups } = await context.loaders.directory();
    const operations = [
      ...operationsOf(fields),
      ...extensionOperations(extensionsInput(extensions, await registryOf(context), 'Group')),
    ];
    if (operations.length === 0)
      throw badUserInput('The input contains no attributes to change.', { argument: 'input' });
    return changedGroup(await groups.patch({ ...change(input, context), operations, ownClient }), context);
  },

  deleteGroup: async (_root, { input }: Input<Versioned>, context) => {
    const { groups } = await context.loaders.directory();
    await groups.remove(change(input, context));
    context.loaders.groups.clear(input.id);
    context.loaders.forgetGroupsOfUsers();
    return { id: input.id };
  },

  addGroupMembers: (_root, { input }: Input<MembersInput>, context) => changeMembers('add', input, context),

  removeGroupMembers: (_root, { input }: Input<MembersInput>, context) =>
    changeMembers('remove', input, context),
};
