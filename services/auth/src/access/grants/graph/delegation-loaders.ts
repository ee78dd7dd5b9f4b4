import type { DataLoader, LoaderScope } from '@ostiary/graph';
import { byId } from '../../../platform/subgraph/graph/references.ts';
import type { DelegationList, DelegationSummary } from '../domain/delegation-list.ts';

export interface DelegationLoaders {
  delegationsById: DataLoader<string, DelegationSummary | null>;
}

export const delegationLoaders =
  ({ delegationList }: { delegationList: DelegationList }) =>
  ({ tenant }: LoaderScope): DelegationLoaders => ({
    delegationsById: byId((ids) => delegationList.byIds(tenant, ids)),
  });
