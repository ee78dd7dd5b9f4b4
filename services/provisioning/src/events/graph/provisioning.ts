import {
  batchMany,
  type DataLoader,
  type GraphContext,
  type LoaderScope,
  type Resolvers,
} from '@ostiary/graph';
import { isUuid, type Transaction } from '@ostiary/service';
import type { ConnectorLoaders } from '../../connectors/graph/loaders.ts';
import { provisioningSourceOf } from '../../connectors/graph/provisioning-source.ts';
import type { ResourceLink, ResourceLinks } from '../domain/resource-links.ts';

export interface LinkLoaders {
  /** Links of a user, by user id. */
  userLinks: DataLoader<string, ResourceLink[]>;
}

/** Creates the loaders of one request, bound to the caller's tenant: ids of another tenant find nothing. */
export const linkLoaders =
  (sql: Transaction, links: ResourceLinks) =>
  ({ tenant }: LoaderScope): LinkLoaders => ({
    userLinks: batchMany(
      (ids) => links.linksOf(sql, tenant, 'User', ids.filter(isUuid)),
      (link) => link.resourceId,
    ),
  });

type Loaders = ConnectorLoaders & LinkLoaders;
type Context = GraphContext<Loaders>;

/** Resolvers of the sources of a user. */
export const provisioningResolvers = {
  User: {
    // Only the directory stores users; here a user is an id with links.
    __resolveReference: ({ id }: { id: string }) => ({ id }),
    provisioning: ({ id }: { id: string }, _args: unknown, { loaders }: Context) =>
      loaders.userLinks.load(id),
  },
  Provisioning: {
    source: (link: ResourceLink, _args: unknown, { loaders }: Context) =>
      provisioningSourceOf(link.source, loaders),
  },
} satisfies Resolvers<Loaders>;
