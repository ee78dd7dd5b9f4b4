import { platformTenant } from '@ostiary/access';
import { batchOne, type DataLoader, type Resolver } from '@ostiary/graph';
import type { KeptNode, NodeOwner } from '../node-keepers.ts';

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
  keptElsewhere: DataLoader<string, KeptNode | { id: string; failure: unknown } | null>;
}

export type NodeResolvers = Record<string, Resolver<NodeLoaders>>;

export const nodeLoaders = (
  keepers: readonly NodeOwner[],
  tenant: string,
): Pick<NodeLoaders, 'keptElsewhere'> => ({
  keptElsewhere: batchOne(
    (ids) => (tenant === platformTenant ? Promise.resolve([]) : findAt(keepers, tenant, ids)),
    ({ id }) => id,
  ),
});

/** Queries all services concurrently. An id counts as unknown only when all of them have answered. */
async function findAt(
  keepers: readonly NodeOwner[],
  tenant: string,
  ids: readonly string[],
): Promise<(KeptNode | { id: string; failure: unknown })[]> {
  const answers = await Promise.allSettled(keepers.map((keeper) => keeper.find(tenant, ids)));
  const found = new Map(
    answers
      .flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      .map((kept) => [kept.id, kept]),
  );
  const failed = answers.find((answer) => answer.status === 'rejected');
  return ids.flatMap((id) => found.get(id) ?? (failed ? { id, failure: failed.reason as unknown } : []));
}
