import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useEffect } from 'react';
import { useConnection } from '../graph/index.ts';

/** Reads all pages of a connection that is limited, as the APIs of a tenant are to 500. */
export function useAllPages<Data, Variables extends OperationVariables, Node>(
  document: TypedDocumentNode<Data, Variables>,
  variables: Omit<Variables, 'after'>,
  of: Parameters<typeof useConnection<Data, Variables, Node>>[2],
  options: { skip?: boolean } = {},
): { items: readonly Node[]; isComplete: boolean } {
  const { items, isLoading, onMore, failure } = useConnection(document, variables, of, options);
  useEffect(() => {
    if (!isLoading) onMore?.();
  }, [isLoading, onMore]);
  return { items, isComplete: !isLoading && !onMore && !failure };
}
