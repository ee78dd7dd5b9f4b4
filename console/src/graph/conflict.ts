import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';
import type { Problem } from './problems.ts';

const isVersionConflict = (problems: readonly Problem[]): boolean =>
  problems.some(({ code }) => code === 'VERSION_CONFLICT');

/** Returns the current state of an object after a change was rejected with a version conflict; otherwise undefined. */
export function useTheirs<Data, Variables extends OperationVariables, Thing>(
  problems: readonly Problem[],
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  of: (data: Data) => Thing | null | undefined,
): Thing | undefined {
  const client = useApolloClient();
  const [theirs, setTheirs] = useState<Thing>();
  const read = useRef(async (): Promise<Thing | undefined> => undefined);
  read.current = async () => {
    // As in useConnection, the type of the variables is generic here.
    const query = document as unknown as TypedDocumentNode<Data, OperationVariables>;
    const { data } = await client.query({ query, variables, fetchPolicy: 'network-only' });
    return data === undefined ? undefined : (of(data as Data) ?? undefined);
  };
  useEffect(() => {
    setTheirs(undefined);
    if (!isVersionConflict(problems)) return;
    let isCurrent = true;
    read.current().then(
      (found) => isCurrent && setTheirs(found),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [problems]);
  return theirs;
}
