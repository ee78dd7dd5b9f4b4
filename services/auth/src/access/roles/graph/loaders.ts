import { batchMany, batchOne, type DataLoader, type LoaderScope } from '@ostiary/graph';
import type { RoleDirectory } from '../domain/role-directory.ts';
import type { GroupRoleRow, RoleSource } from '../domain/role-sources.ts';

export interface RoleLoaders {
  /** By subject id. */
  roles: DataLoader<string, { subjectId: string; roles: string[] } | null>;
  /** By subject id. */
  roleSources: DataLoader<string, RoleSource[]>;
  /** By group id. */
  groupRoles: DataLoader<string, GroupRoleRow[]>;
}

export const roleLoaders =
  ({ roleDirectory }: { roleDirectory: RoleDirectory }) =>
  ({ tenant }: LoaderScope): RoleLoaders => ({
    roles: batchOne(
      async (ids) =>
        [...(await roleDirectory.of(tenant, ids))].map(([subjectId, roles]) => ({ subjectId, roles })),
      (row) => row.subjectId,
    ),
    roleSources: batchMany(
      (ids) => roleDirectory.sourcesOf(tenant, ids),
      (source) => source.subjectId,
    ),
    groupRoles: batchMany(
      (ids) => roleDirectory.ofGroups(tenant, ids),
      (row) => row.groupId,
    ),
  });
