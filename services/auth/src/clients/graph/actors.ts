import { actorResolvers, type Resolvers } from '@ostiary/graph';
import { isUuid } from '@ostiary/service';

/** Resolves actors; users and identity sources belong to other subgraphs. */
export const ofActors = ({
  clients,
}: {
  clients: { find(tenant: string, clientId: string): Promise<object | null> };
}): Resolvers<unknown> =>
  actorResolvers<unknown>({
    user: (id) => (isUuid(id) ? { id } : null),
    client: (id, { tenant }) => clients.find(tenant, id),
    connector: (id) => ({ id }),
  });
