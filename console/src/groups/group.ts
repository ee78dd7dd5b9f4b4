import { useQuery, useSubscription } from '@apollo/client/react';
import { failureOf } from '../graph/index.ts';
import {
  GroupChangesDocument,
  GroupHeadDocument,
  type GroupHeadQuery,
  GroupSizeDocument,
} from './generated/group.ts';

export type Group = NonNullable<GroupHeadQuery['group']>;

/** Reads a group and subscribes to its changes. Its members are a separate connection. */
export function useGroup(id: string) {
  const { data, loading, error, refetch } = useQuery(GroupHeadDocument, { variables: { id } });
  const size = useQuery(GroupSizeDocument, { variables: { id }, fetchPolicy: 'no-cache' });
  useSubscription(GroupChangesDocument, {
    variables: { ids: [id] },
    onData: ({ data: { data: event } }) => {
      // An event without a kind: events were missed.
      const kind = event?.groupChanged?.kind;
      if (kind === undefined || kind === 'DELETED') void refetch();
      if (kind !== 'DELETED') void size.refetch();
    },
  });
  return {
    group: data?.group ?? undefined,
    size: size.data?.group?.members?.totalCount,
    isLoading: loading,
    failure: error && failureOf(error),
    refetch: () => void refetch(),
  };
}
