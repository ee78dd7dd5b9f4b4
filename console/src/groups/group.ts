import { useQuery, useSubscription } from '@apollo/client/react';
import { failureOf } from '../graph/index.ts';
import {
  GroupChangesDocument,
  GroupHeadDocument,
  type GroupHeadQuery,
  GroupSizeDocument,
} from './generated/group.ts';

export type Group = NonNullable<GroupHeadQuery['group']>;

/** A group as it is now, and as it becomes. Its members are pages of their own. */
export function useGroup(id: string) {
  const { data, loading, error, refetch } = useQuery(GroupHeadDocument, { variables: { id } });
  const size = useQuery(GroupSizeDocument, { variables: { id }, fetchPolicy: 'no-cache' });
  useSubscription(GroupChangesDocument, {
    variables: { ids: [id] },
    onData: ({ data: { data: news } }) => {
      // Without a kind: something was missed.
      const kind = news?.groupChanged?.kind;
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
