import type { ApolloClient } from '@apollo/client';
import { useApolloClient, useSubscription } from '@apollo/client/react';
import { useCallback, useEffect, useState } from 'react';
import { type Failure, failureOf } from '../graph/index.ts';
import { useMay } from '../session/index.ts';
import {
  OverviewDepartureDocument,
  OverviewDepartureNewsDocument,
  OverviewDeparturesDocument,
} from './generated/departures.ts';
import { type DepartureEvent, type Offboarded, offboardedOf } from './offboarded.ts';

/** Maximum number of departures that are checked. */
const maxOffboardings = 10;
const readAgainMs = 30_000;
/** Delay in milliseconds: the report is written after the event. */
const settleMs = 1500;

export interface Departures {
  list: readonly Offboarded[] | undefined;
  /** Whether the log contains no departure of another user. */
  isComplete: boolean;
  failure: Failure | undefined;
  reread(): void;
}

/** Reads the most recent departures, the time that each took, and access that is still open. */
export function useOffboardings(): Departures {
  const client = useApolloClient();
  const may = useMay('audit:read');
  const [found, setFound] = useState<Pick<Departures, 'isComplete'> & { list: readonly Offboarded[] }>();
  const [failure, setFailure] = useState<Failure>();
  const read = useCallback(() => {
    readOffboardings(client).then(
      (read) => {
        setFound(read);
        setFailure(undefined);
      },
      (error: unknown) => setFailure(failureOf(error)),
    );
  }, [client]);
  useEffect(() => {
    if (!may) return;
    read();
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') read();
    }, readAgainMs);
    return () => clearInterval(timer);
  }, [may, read]);
  useSubscription(OverviewDepartureNewsDocument, {
    skip: !may,
    fetchPolicy: 'no-cache',
    onData: () => setTimeout(read, settleMs),
  });
  return { list: found?.list, isComplete: found?.isComplete === true, failure, reread: read };
}

async function readOffboardings(client: ApolloClient): Promise<{ list: Offboarded[]; isComplete: boolean }> {
  const { data, error } = await client.query({
    query: OverviewDeparturesDocument,
    fetchPolicy: 'no-cache',
  });
  if (!data?.securityLog) throw error ?? new Error('the log wasn’t there');
  const latest = new Map<string, DepartureEvent>();
  for (const { node } of data.securityLog.edges)
    if (node && !latest.has(node.user?.id ?? node.resourceId))
      latest.set(node.user?.id ?? node.resourceId, node);
  const list = await Promise.all(
    [...latest].slice(0, maxOffboardings).map(async ([userId, event]) => {
      const read = await client.query({
        query: OverviewDepartureDocument,
        variables: { userId },
        fetchPolicy: 'no-cache',
      });
      return offboardedOf(userId, event, read.data);
    }),
  );
  const { hasNextPage } = data.securityLog.pageInfo;
  return { list, isComplete: !hasNextPage && latest.size <= maxOffboardings };
}
