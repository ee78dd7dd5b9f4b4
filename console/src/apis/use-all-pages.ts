import type { TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { type Failure, failureOf } from '../graph/index.ts';

interface Page<Node> {
  edges: readonly { node: Node | null }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

interface All<Node> {
  items: readonly Node[];
  isComplete: boolean;
  failure: Failure | undefined;
}

/**
 * Reads all pages of a connection that is limited, as the APIs of a tenant are to 500.
 * @param of a constant function, which returns the connection
 */
export function useAllPages<Data, Node>(
  document: TypedDocumentNode<Data, { after?: string | null }>,
  of: (data: Data) => Page<Node> | null | undefined,
  { skip = false }: { skip?: boolean } = {},
): All<Node> {
  const client = useApolloClient();
  const [all, setAll] = useState<All<Node>>({ items: [], isComplete: false, failure: undefined });
  useEffect(() => {
    let isCurrent = !skip;
    const read = async () => {
      const items: Node[] = [];
      for (let after: string | null | undefined; isCurrent; ) {
        const variables = after === undefined ? {} : { after };
        const { data } = await client.query({ query: document, variables, fetchPolicy: 'network-only' });
        const page = data === undefined ? undefined : of(data as Data);
        items.push(...(page?.edges ?? []).flatMap(({ node }) => (node === null ? [] : [node])));
        after = page?.pageInfo.hasNextPage ? page.pageInfo.endCursor : undefined;
        const isComplete = after === undefined || after === null;
        if (isCurrent) setAll({ items: [...items], isComplete, failure: undefined });
        if (isComplete) return;
      }
    };
    read().catch(
      (error: unknown) => isCurrent && setAll((before) => ({ ...before, failure: failureOf(error) })),
    );
    return () => {
      isCurrent = false;
    };
  }, [client, document, of, skip]);
  return all;
}
