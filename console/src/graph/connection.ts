import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { NetworkStatus } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { useCallback, useRef } from 'react';
import { type Failure, failureOf } from './problems.ts';

interface Connection<Node> {
  totalCount?: number | null;
  edges: readonly { node: Node | null }[];
  pageInfo: { hasNextPage: boolean; endCursor?: string | null };
}

export interface Paged<Node> {
  items: readonly Node[];
  total: number | undefined;
  isLoading: boolean;
  failure: Failure | undefined;
  /** Undefined on the last page. */
  onMore: (() => void) | undefined;
  refetch(): void;
}

/** Reads a connection by pages; the next one is read on scrolling. */
export function useConnection<Data, Variables extends OperationVariables, Node>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Omit<Variables, 'after'>,
  of: (data: Data) => Connection<Node> | null | undefined,
  {
    skip = false,
    pollInterval = 0,
  }: {
    skip?: boolean /** Milliseconds between readings of the first page; 0: it is read once. */;
    pollInterval?: number;
  } = {},
): Paged<Node> {
  // Whether the options are required depends on the type of the variables, which is generic here.
  const options = {
    variables,
    notifyOnNetworkStatusChange: true,
    pollInterval,
    skip,
  } as unknown as useQuery.Options<Data, OperationVariables>;
  const result = useQuery(document as TypedDocumentNode<Data>, options);
  // The previous list stays visible while another one is loading.
  const shown = (result.data ?? result.previousData) as Data | undefined;
  const connection = shown === undefined ? undefined : of(shown);
  const isReadingMore = useRef(false);
  const { fetchMore, networkStatus } = result;
  const { endCursor, hasNextPage = false } = connection?.pageInfo ?? {};
  const onMore = useCallback(() => {
    if (isReadingMore.current) return;
    isReadingMore.current = true;
    fetchMore({ variables: { after: endCursor } })
      .catch(() => undefined)
      .finally(() => {
        isReadingMore.current = false;
      });
  }, [fetchMore, endCursor]);
  return {
    items: connection?.edges.flatMap(({ node }) => (node === null ? [] : [node])) ?? [],
    total: connection?.totalCount ?? undefined,
    isLoading:
      networkStatus === NetworkStatus.loading ||
      networkStatus === NetworkStatus.setVariables ||
      networkStatus === NetworkStatus.fetchMore,
    failure: result.error && failureOf(result.error),
    onMore: hasNextPage ? onMore : undefined,
    refetch: () => void result.refetch(),
  };
}
