import { actorResolvers, type Resolvers } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';
import type { PeopleDependencies } from '../../composition/people.ts';
import type { AuthLoaders } from './loaders.ts';

/** Who did something; people and identity sources are other subgraphs'. */
export const ofActors = ({ clients }: Pick<PeopleDependencies, 'clients'>): Resolvers<AuthLoaders> =>
  actorResolvers<AuthLoaders>({
    user: (id) => (isUuid(id) ? { id } : null),
    client: (id, { tenant }) => clients.find(tenant, id),
    connector: (id) => ({ id }),
  });
