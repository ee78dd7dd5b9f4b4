import { platformTenant } from '@ostiary/access';
import { badUserInput, type LoaderScope } from '@ostiary/graph';
import { type AuditLoaders, auditLoaders } from '../audit/graph/loaders.ts';
import { type GroupLoaders, groupLoaders } from '../groups/graph/loaders.ts';
import { type NodeLoaders, nodeLoaders } from '../nodes/graph/loaders.ts';
import type { OwningService } from '../nodes/graph/owning-services.ts';
import type { RecyclingLoaders } from '../recycling/graph/loaders.ts';
import { type SchemaLoaders, schemaLoaders } from '../schemas/graph/loaders.ts';
import { statisticsLoaders } from '../statistics/graph/loaders.ts';
import type { TenantLoaders } from '../tenants/graph/loaders.ts';
import { type UserLoaders, userLoaders } from '../users/graph/loaders.ts';
import type { Directory, TenantDirectory } from './directory.ts';

/** The loaders of one request: bound to the caller's tenant, one statement for many keys. */
export type DirectoryLoaders = { directory(): Promise<TenantDirectory> } & Omit<
  AuditLoaders,
  'directory' | 'users'
> &
  Omit<GroupLoaders, 'directory' | 'users'> &
  Omit<UserLoaders, 'directory'> &
  Omit<SchemaLoaders, 'directory'> &
  Omit<TenantLoaders, 'directory'> &
  Pick<NodeLoaders, 'nodesElsewhere'> &
  Pick<RecyclingLoaders, 'forgetGroupsOfUsers'>;

export function directoryLoaders(
  directory: Directory,
  owningServices: readonly OwningService[],
): (scope: LoaderScope) => DirectoryLoaders {
  return ({ tenant }) => {
    const bound = async (): Promise<TenantDirectory> => {
      if (tenant === platformTenant) {
        throw badUserInput('This token belongs to no tenant. Use a token of the tenant.');
      }
      return directory.of(tenant);
    };
    return {
      directory: bound,
      signInPolicy: async () => {
        const found = await directory.tenants.find(tenant);
        return found && directory.policies.inForce(found);
      },
      ...userLoaders(bound),
      ...groupLoaders(bound),
      ...auditLoaders(bound),
      ...schemaLoaders(bound),
      ...nodeLoaders(owningServices, tenant),
      ...statisticsLoaders(directory.statistics),
    };
  };
}
