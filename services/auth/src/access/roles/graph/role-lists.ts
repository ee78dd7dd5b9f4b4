import { countedPageById, type GraphContext, type PagingArguments, type TypeResolvers } from '@ostiary/graph';
import type { RoleDirectory } from '../domain/role-directory.ts';
import type { Role } from '../domain/roles.ts';
import type { RoleLoaders } from './loaders.ts';

type Context = GraphContext<RoleLoaders>;
type Input = PagingArguments & { filter: { role: Role } };

/** Resolvers of the users and groups with a role. A cursor of one role is not valid for another. */
export const roleListResolvers = ({
  roleDirectory,
}: {
  roleDirectory: RoleDirectory;
}): { Query: TypeResolvers<RoleLoaders> } => ({
  Query: {
    roleHolders: (_parent: unknown, { filter: { role }, ...input }: Input, { tenant }: Context) =>
      countedPageById(input, {
        kind: `role-holder-${role}`,
        rows: (page) => roleDirectory.holders(tenant, role, page),
        total: () => roleDirectory.countHolders(tenant, role),
      }),
    groupsWithRole: (_parent: unknown, { filter: { role }, ...input }: Input, { tenant }: Context) =>
      countedPageById(input, {
        kind: `group-with-role-${role}`,
        rows: (page) => roleDirectory.groupsWith(tenant, role, page),
        total: () => roleDirectory.countGroupsWith(tenant, role),
      }),
  },
});
