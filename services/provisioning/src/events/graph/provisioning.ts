import {
  batchMany,
  type DataLoader,
  type GraphContext,
  type LoaderScope,
  type Resolvers,
} from '@ostiary/graph';
import { isUuid, type Transaction } from '@ostiary/service';
import { type ConnectorLoaders, provisioningSourceOf } from '../../connectors/graph/index.ts';
import type { ResourceLink, ResourceLinks } from '../domain/resource-links.ts';

export interface LinkLoaders {
  /** Links of a user, by user id. */
  userLinks: DataLoader<string, ResourceLink[]>;
}

/** The loaders of one request, bound to the caller's tenant: another tenant's ids find nothing. */
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

/** Where a user comes from. */
export const provisioningResolvers = {
  User: {
    // The directory says who exists; here a user is an id that links may hang on.
    __resolveReference: ({ id }: { id: string }) => ({ id }),
    provisioning: ({ id }: { id: string }, _args: unknown, { loaders }: Context) =>
      loaders.userLinks.load(id),
  },
  Provisioning: {
    source: (link: ResourceLink, _args: unknown, { loaders }: Context) =>
      provisioningSourceOf(link.source, loaders),
  },
} satisfies Resolvers<Loaders>;
