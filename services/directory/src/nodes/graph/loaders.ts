import { platformTenant } from '@ostiary/access';
import { batchOne, type DataLoader, type FoundNode, type Resolver } from '@ostiary/graph';
import type { OwningService } from './owning-services.ts';

/** Loads nodes of one type by their ids. */
type NodeLoader = Pick<DataLoader<string, object | null>, 'load'>;

export interface NodeLoaders {
  users: NodeLoader;
  groups: NodeLoader;
  auditEntries: NodeLoader;
  /** By URN, in lower case. */
  schemas: NodeLoader;
  /**
   * Nodes of other services, by id, or the failure of a service that did not answer, unless another service has the
   * id.
   */
  nodesElsewhere: DataLoader<string, FoundNode | { id: string; failure: unknown } | null>;
}

export type NodeResolvers = Record<string, Resolver<NodeLoaders>>;

export const nodeLoaders = (
  owningServices: readonly OwningService[],
  tenant: string,
): Pick<NodeLoaders, 'nodesElsewhere'> => ({
  nodesElsewhere: batchOne(
    (ids) => (tenant === platformTenant ? Promise.resolve([]) : findAt(owningServices, tenant, ids)),
    ({ id }) => id,
  ),
});

/** Queries all services concurrently. An id counts as unknown only when all of them have answered. */
async function findAt(
  owningServices: readonly OwningService[],
  tenant: string,
  ids: readonly string[],
): Promise<(FoundNode | { id: string; failure: unknown })[]> {
  const answers = await Promise.allSettled(owningServices.map((service) => service.find(tenant, ids)));
  const found = new Map(
    answers
      .flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      .map((node) => [node.id, node]),
  );
  const failed = answers.find((answer) => answer.status === 'rejected');
  return ids.flatMap((id) => found.get(id) ?? (failed ? { id, failure: failed.reason as unknown } : []));
}
