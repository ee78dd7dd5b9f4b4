import { badUserInput, requirePrincipal } from '@ostiary/graph';
import { GROUP_SCHEMA, type SchemaRegistry, USER_SCHEMA } from '@ostiary/scim';
import { actorOf } from '../audit/graph/actor.ts';
import { answering } from '../idempotency/graph/once.ts';
import { recyclingMutations } from '../recycling/graph/recycling.ts';
import type { Attributes, StoredResource } from '../resources/data/rows.ts';
import {
  attributesOf,
  change,
  changedUser,
  extensionOperations,
  type Fields,
  type Input,
  operationsOf,
  type Versioned,
  withoutNulls,
} from '../resources/graph/changes.ts';
import { extensionsInput } from '../resources/graph/extensions.ts';
import { schemaMutations } from '../schemas/graph/schemas.ts';
import { policyMutations } from '../tenants/graph/tenant-policy.ts';
import { tenantMutations } from '../tenants/graph/tenants.ts';
import { ownProfileMutations } from '../users/graph/own-profile.ts';
import type { Directory } from './directory.ts';
import type { DirectoryContext, FieldResolvers } from './loaders.ts';

interface MembersInput {
  groupId: string;
  memberIds: string[];
  version?: number | null;
}

/** Most members one mutation may name. */
const mostMembers = 1000;

function changedGroup(group: StoredResource, { loaders }: DirectoryContext): { group: StoredResource } {
  loaders.groups.clear(group.id).prime(group.id, group);
  loaders.memberCount.clear(group.id);
  loaders.forgetGroupsOfUsers();
  return { group };
}

const setActive = async (input: Versioned, active: boolean, context: DirectoryContext) => {
  const { users } = await context.loaders.directory();
  const operations = [{ op: 'replace', path: 'active', value: active }];
  return changedUser(await users.patch({ ...change(input, context), operations }), context);
};

const changeMembers = async (op: 'add' | 'remove', input: MembersInput, context: DirectoryContext) => {
  if (input.memberIds.length > mostMembers) {
    throw badUserInput(`At most ${mostMembers} members can be named at once.`, { argument: 'memberIds' });
  }
  const { groups } = await context.loaders.directory();
  const command = change({ id: input.groupId, version: input.version ?? null }, context);
  return changedGroup(await groups.changeMembers(command, [{ op, ids: input.memberIds }]), context);
};

const registryOf = async ({ loaders }: DirectoryContext): Promise<SchemaRegistry> =>
  (await loaders.directory()).schemasInUse.registry;

/** The same apps define the schemas, so they keep what SCIM clients can't modify. */
const keeper = true;

export const mutationResolvers = (directory: Directory): FieldResolvers =>
  answering(directory, {
    ...schemaMutations,
    ...recyclingMutations,
    ...tenantMutations(directory),
    ...policyMutations(directory),
    ...resourceMutations,
    ...ownProfileMutations,
  });

const resourceMutations: FieldResolvers = {
  createUser: async (_root, { input }: Input<Fields>, context) => {
    const { users } = await context.loaders.directory();
    const { extensions, ...fields } = input;
    const resource = {
      schemas: [USER_SCHEMA],
      ...(withoutNulls(attributesOf(fields)) as Fields),
      ...Object.fromEntries(extensionsInput(extensions, await registryOf(context), 'User')),
    } as Attributes;
    const actor = actorOf(requirePrincipal(context));
    return changedUser(await users.create({ resource, actor, keeper }), context);
  },

  updateUser: async (_root, { input }: Input<Versioned & Fields>, context) => {
    const { id, version, extensions, ...fields } = input;
    const { users } = await context.loaders.directory();
    const operations = [
      ...operationsOf(attributesOf(fields)),
      ...extensionOperations(extensionsInput(extensions, await registryOf(context), 'User')),
    ];
    if (operations.length === 0) throw badUserInput('There is nothing to change.', { argument: 'input' });
    return changedUser(await users.patch({ ...change(input, context), operations, keeper }), context);
  },

  deactivateUser: (_root, { input }: Input<Versioned>, context) => setActive(input, false, context),

  reactivateUser: (_root, { input }: Input<Versioned>, context) => setActive(input, true, context),

  deleteUser: async (_root, { input }: Input<Versioned>, context) => {
    const { users } = await context.loaders.directory();
    await users.remove(change(input, context));
    context.loaders.users.clear(input.id);
    return { id: input.id };
  },

  createGroup: async (_root, { input }: Input<Fields & { memberIds?: string[] | null }>, context) => {
    const { memberIds, extensions, ...fields } = input;
    if ((memberIds?.length ?? 0) > mostMembers) {
      throw badUserInput(`At most ${mostMembers} members can be named at once.`, { argument: 'memberIds' });
    }
    const { groups } = await context.loaders.directory();
    const resource = {
      schemas: [GROUP_SCHEMA],
      ...(withoutNulls(fields) as Fields),
      ...Object.fromEntries(extensionsInput(extensions, await registryOf(context), 'Group')),
      ...(memberIds && { members: memberIds.map((value) => ({ value })) }),
    } as Attributes;
    const actor = actorOf(requirePrincipal(context));
    return changedGroup(await groups.create({ resource, actor, keeper }), context);
  },

  updateGroup: async (_root, { input }: Input<Versioned & Fields>, context) => {
    const { id, version, extensions, ...fields } = input;
    const { groups } = await context.loaders.directory();
    const operations = [
      ...operationsOf(fields),
      ...extensionOperations(extensionsInput(extensions, await registryOf(context), 'Group')),
    ];
    if (operations.length === 0) throw badUserInput('There is nothing to change.', { argument: 'input' });
    return changedGroup(await groups.patch({ ...change(input, context), operations, keeper }), context);
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
