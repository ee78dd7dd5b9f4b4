import { conflict, type GraphContext, notFound, type TypeResolvers } from '@ostiary/graph';
import { idToLookUp, isUuid } from '@ostiary/service';
import { type OnceDependencies, once } from '../../../platform/subgraph/graph/idempotency.ts';
import { separateRoles } from '../../../tenancy/index.ts';
import { type GroupRoles, NoSuchGroup, TooManyGroups } from '../domain/group-roles.ts';
import type { RoleSource } from '../domain/role-sources.ts';
import type { Role } from '../domain/roles.ts';
import { type ActingDependencies, requireMayGive } from './acting.ts';
import type { RoleLoaders } from './loaders.ts';
import { isOfTenant } from './user-roles.ts';

type Context = GraphContext<RoleLoaders>;
interface GroupReference {
  id: string;
}
interface RoleInput {
  groupId: string;
  role: Role;
  idempotencyKey?: string | null;
}

export interface GroupRoleDependencies extends OnceDependencies, ActingDependencies {
  groupRoles: GroupRoles;
}

export function groupRoleResolvers(deps: GroupRoleDependencies): {
  Group: TypeResolvers<RoleLoaders>;
  RoleSource: TypeResolvers<RoleLoaders>;
  Mutation: TypeResolvers<RoleLoaders>;
} {
  return {
    Group: {
      __resolveReference: ({ id }: GroupReference): GroupReference => ({ id }),
      roles: async ({ id }: GroupReference, _args: object, { loaders }: Context) =>
        isUuid(id) ? separateRoles((await loaders.groupRoles.load(id)).map(({ role }) => role)).roles : [],
      roleGrants: async ({ id }: GroupReference, _args: object, { loaders }: Context) =>
        isUuid(id) ? (await loaders.groupRoles.load(id)).filter(isOfTenant) : [],
    },
    RoleSource: {
      groups: ({ groupIds }: RoleSource): GroupReference[] => groupIds.map((id) => ({ id })),
    },
    Mutation: groupRoleMutations(deps),
  };
}

/** Translates errors of `GroupRoles`. @throws NOT_FOUND, CONFLICT */
export function rejectGroup(error: unknown): never {
  if (error instanceof NoSuchGroup) throw notFound('The group');
  if (error instanceof TooManyGroups) throw conflict('At most 200 groups of a tenant can have roles.');
  throw error;
}

function groupRoleMutations(deps: GroupRoleDependencies): TypeResolvers<RoleLoaders> {
  return {
    async assignGroupRole(
      _parent: unknown,
      { input }: { input: RoleInput & { managedBySources: boolean } },
      context: Context,
    ) {
      const groupId = idToLookUp(input.groupId);
      return once(
        deps,
        context,
        'assignGroupRole',
        input,
        async (claim) => {
          const { managedBySources } = input;
          await deps.groupRoles
            .assign(context.tenant, groupId, input.role, { managedBySources, claim })
            .catch(rejectGroup);
          return { group: { id: groupId } };
        },
        () => ({ group: { id: groupId } }),
      );
    },
    async removeGroupRole(_parent: unknown, { input }: { input: RoleInput }, context: Context) {
      requireMayGive(context, input.role);
      const groupId = idToLookUp(input.groupId);
      await deps.acting.requireMayActOnHolders(context, groupId);
      return once(
        deps,
        context,
        'removeGroupRole',
        input,
        async (claim) => {
          if (!(await deps.groupRoles.remove(context.tenant, groupId, input.role, claim)))
            throw notFound('The role of this group');
          return { group: { id: groupId } };
        },
        () => ({ group: { id: groupId } }),
      );
    },
  };
}
