import { batchMany, type DataLoader, type LoaderScope } from '@ostiary/graph';
import { byId, maxListed } from '../../../platform/subgraph/graph/references.ts';
import type { GrantList } from '../domain/grant-list.ts';
import type { GrantSummary, Grants } from '../domain/grant-revocation.ts';

export interface GrantLoaders {
  /** By subject id. */
  grants: DataLoader<string, GrantSummary[]>;
  grantsById: DataLoader<string, GrantSummary | null>;
}

export const grantLoaders =
  ({ grants, grantList }: { grants: Grants; grantList: GrantList }) =>
  ({ tenant }: LoaderScope): GrantLoaders => ({
    grants: batchMany(
      (ids) => grants.listBySubjects(tenant, ids, maxListed),
      (grant) => grant.subjectId,
    ),
    grantsById: byId((ids) => grantList.byIds(tenant, ids)),
  });
