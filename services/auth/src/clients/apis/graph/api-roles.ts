import {
  countedPageById,
  type GraphContext,
  notFound,
  type PagingArguments,
  pageOfList,
  requireConferrable,
  requirePrincipal,
  type TypeResolvers,
} from '@ostiary/graph';
import { idToLookUp, isUuid } from '@ostiary/service';
import { scopesToGive } from '../../../access/index.ts';
import { rejectGroup } from '../../../access/roles/graph/group-roles.ts';
import type { RoleLoaders } from '../../../access/roles/graph/loaders.ts';
import { type OnceDependencies, once } from '../../../platform/subgraph/graph/idempotency.ts';
import type { Reference } from '../../../platform/subgraph/graph/references.ts';
import { type ApiRoleName, apiRoleKey, apiRoleOf, type Subjects } from '../../../tenancy/index.ts';
import { type ApiRoles, NoSuchApiRole } from '../domain/api-roles.ts';
import type { ApiLoaders } from './apis.ts';

type Loaders = RoleLoaders & ApiLoaders;
type Context = GraphContext<Loaders>;
type Input<T> = { input: T & ApiRoleName & { idempotencyKey?: string | null } };
type ListArguments = PagingArguments & { filter: ApiRoleName };

export interface ApiRoleGraphDependencies extends OnceDependencies {
  apiRoles: ApiRoles;
  subjects: Subjects;
}

/** Resolvers of the roles of APIs that users and groups have. */
export function apiRoleResolvers(deps: ApiRoleGraphDependencies): {
  User: TypeResolvers<Loaders>;
  Group: TypeResolvers<Loaders>;
  ApiRoleSource: TypeResolvers<Loaders>;
  GroupApiRole: TypeResolvers<Loaders>;
  Query: TypeResolvers<Loaders>;
  Mutation: TypeResolvers<Loaders>;
} {
  return {
    User: {
      apiRoleSources: async ({ id }: Reference, args: PagingArguments, { loaders }: Context) =>
        pageOfRoles(args, 'user-api-role', isUuid(id) ? await loaders.roleSources.load(id) : []),
    },
    Group: {
      apiRoleGrants: async ({ id }: Reference, args: PagingArguments, { loaders }: Context) =>
        pageOfRoles(args, 'group-api-role', isUuid(id) ? await loaders.groupRoles.load(id) : []),
    },
    ApiRoleSource: {
      ...named,
      groups: ({ groupIds }: { groupIds: string[] }) => groupIds.map((id) => ({ id })),
    },
    GroupApiRole: named,
    Query: lists(deps),
    Mutation: { ...ofUsers(deps), ...ofGroups(deps) },
  };
}

const named = {
  role: ({ role }: { role: string }) => apiRoleOf(role)?.role,
  api: ({ role }: { role: string }, _args: object, { loaders }: Context) =>
    loaders.apisById.load(apiRoleOf(role)?.apiId ?? ''),
};

/** Returns a page of the roles of APIs. The list is bounded by the APIs of the tenant. */
const pageOfRoles = <T extends { role: string }>(args: PagingArguments, kind: string, all: readonly T[]) =>
  pageOfList(args, {
    kind,
    list: all.filter(({ role }) => apiRoleOf(role) !== undefined),
    keyOf: ({ role }) => role,
  });

function lists({ apiRoles }: ApiRoleGraphDependencies): TypeResolvers<Loaders> {
  return {
    apiRoleHolders(_parent: unknown, { filter, ...args }: ListArguments, { tenant }: Context) {
      const name = nameOf(filter);
      return countedPageById(args, {
        kind: `role-holder-${apiRoleKey(name)}`,
        rows: (page) => apiRoles.holders(tenant, name, page),
        total: () => apiRoles.countHolders(tenant, name),
      });
    },
    groupsWithApiRole(_parent: unknown, { filter, ...args }: ListArguments, { tenant }: Context) {
      const name = nameOf(filter);
      return countedPageById(args, {
        kind: `group-with-role-${apiRoleKey(name)}`,
        rows: (page) => apiRoles.groupsWith(tenant, name, page),
        total: () => apiRoles.countGroupsWith(tenant, name),
      });
    },
  };
}

function ofUsers(deps: ApiRoleGraphDependencies): TypeResolvers<Loaders> {
  const userOf = async (tenant: string, id: string): Promise<Reference> => {
    const subject = await deps.subjects.find(tenant, id);
    if (!subject) throw notFound('The user');
    return { id: subject.id };
  };
  return {
    async assignApiRole(_parent: unknown, { input }: Input<{ userId: string }>, context: Context) {
      const user = await userOf(context.tenant, input.userId);
      return once(
        deps,
        context,
        'assignApiRole',
        input,
        async (claim) => {
          await deps.apiRoles.assign(context.tenant, user.id, nameOf(input), claim).catch(rejectRole);
          return { user };
        },
        () => ({ user }),
      );
    },
    async removeApiRole(_parent: unknown, { input }: Input<{ userId: string }>, context: Context) {
      const name = nameOf(input);
      requireMayGive(context, name);
      const user = await userOf(context.tenant, input.userId);
      return once(
        deps,
        context,
        'removeApiRole',
        input,
        async (claim) => {
          await deps.apiRoles.remove(context.tenant, user.id, name, claim);
          return { user };
        },
        () => ({ user }),
      );
    },
  };
}

function ofGroups(deps: ApiRoleGraphDependencies): TypeResolvers<Loaders> {
  return {
    async assignGroupApiRole(
      _parent: unknown,
      { input }: Input<{ groupId: string; managedBySources: boolean }>,
      context: Context,
    ) {
      const groupId = idToLookUp(input.groupId);
      return once(
        deps,
        context,
        'assignGroupApiRole',
        input,
        async (claim) => {
          const { managedBySources } = input;
          await deps.apiRoles
            .assignToGroup(context.tenant, groupId, nameOf(input), { managedBySources, claim })
            .catch(rejectRole);
          return { group: { id: groupId } };
        },
        () => ({ group: { id: groupId } }),
      );
    },
    async removeGroupApiRole(_parent: unknown, { input }: Input<{ groupId: string }>, context: Context) {
      const name = nameOf(input);
      requireMayGive(context, name);
      const groupId = idToLookUp(input.groupId);
      return once(
        deps,
        context,
        'removeGroupApiRole',
        input,
        async (claim) => {
          if (!(await deps.apiRoles.removeFromGroup(context.tenant, groupId, name, claim)))
            throw notFound('The role of this group');
          return { group: { id: groupId } };
        },
        () => ({ group: { id: groupId } }),
      );
    },
  };
}

/** @throws FORBIDDEN */
const requireMayGive = (context: Context, name: ApiRoleName): void =>
  requireConferrable(requirePrincipal(context), scopesToGive(apiRoleKey(name)));

const nameOf = ({ apiId, role }: ApiRoleName): ApiRoleName => ({
  apiId: idToLookUp(apiId).toLowerCase(),
  role,
});

/** @throws NOT_FOUND, CONFLICT */
function rejectRole(error: unknown): never {
  if (error instanceof NoSuchApiRole) throw notFound('The role of the API');
  return rejectGroup(error);
}
