import { useQuery, useSubscription } from '@apollo/client/react';
import { failureOf } from '../graph/index.ts';
import { useMay } from '../session/index.ts';
import { useAccessPathsAgain } from './doors/use-doors-again.ts';
import {
  PersonChangesDocument,
  PersonHeadDocument,
  type PersonHeadQuery,
  PersonSessionsEndDocument,
} from './generated/user.ts';

export type Person = NonNullable<PersonHeadQuery['user']>;

export const nameOf = ({ displayName, userName }: { displayName: string | null; userName: string }): string =>
  displayName ?? userName;

/** Reads a user and subscribes to changes. */
export function useUser(id: string) {
  const { data, loading, error, refetch } = useQuery(PersonHeadDocument, { variables: { id } });
  const mayReadAccess = useMay('sessions:read');
  const again = useAccessPathsAgain();
  // The cache updates the user from the event automatically.
  useSubscription(PersonChangesDocument, {
    variables: { ids: [id] },
    onData: ({ data: { data: event } }) => {
      // An event without a kind: events were missed.
      const kind = event?.userChanged?.kind;
      if (kind === undefined || kind === 'DELETED') void refetch();
      if (kind !== 'UPDATED') again();
    },
  });
  useSubscription(PersonSessionsEndDocument, {
    variables: { userId: id },
    skip: !mayReadAccess,
    onData: ({ client, data: { data: event } }) => {
      if (event?.sessionRevoked) client.cache.evict({ id: `Session:${event.sessionRevoked.sessionId}` });
      again();
    },
  });
  return {
    person: data?.user ?? undefined,
    isLoading: loading,
    failure: error && failureOf(error),
    refetch: () => void refetch(),
  };
}
