import type { ApolloClient } from '@apollo/client';
import { useApolloClient, useSubscription } from '@apollo/client/react';
import { useCallback, useEffect, useState } from 'react';
import { type Failure, failureOf } from '../graph/index.ts';
import { useMay } from '../session/index.ts';
import {
  OverviewDepartureDocument,
  OverviewDepartureNewsDocument,
  type OverviewDepartureQuery,
  OverviewDeparturesDocument,
  type OverviewDeparturesQuery,
} from './generated/departures.ts';

type Event = NonNullable<NonNullable<OverviewDeparturesQuery['securityLog']>['edges'][number]['node']>;

export interface Offboarded {
  userId: string;
  name: string | undefined;
  /** The user is active again, so open access is expected. */
  isBack: boolean;
  closedAt: string;
  /** Milliseconds from the event to the last closed access path; undefined if no event triggered the offboarding. */
  closedInMs: number | undefined;
  closedAccessPaths: number;
  /** Number of receivers that were notified, and of those that were not yet. */
  notified: number;
  waiting: number;
  /** Number of access paths that are open now; undefined if unknown. */
  open: number | undefined;
}

/** Maximum number of departures that are checked. */
export const maxOffboardings = 10;
const readAgainMs = 30_000;
/** Delay in milliseconds: the report is written after the event. */
const settleMs = 1500;

export interface Departures {
  list: readonly Offboarded[] | undefined;
  failure: Failure | undefined;
  reread(): void;
}

/** Reads the most recent departures, the time that each took, and access that is still open. */
export function useOffboardings(): Departures {
  const client = useApolloClient();
  const may = useMay('audit:read');
  const [list, setList] = useState<readonly Offboarded[]>();
  const [failure, setFailure] = useState<Failure>();
  const read = useCallback(() => {
    readOffboardings(client).then(
      (read) => {
        setList(read);
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
  return { list, failure, reread: read };
}

async function readOffboardings(client: ApolloClient): Promise<Offboarded[]> {
  const { data, error } = await client.query({
    query: OverviewDeparturesDocument,
    fetchPolicy: 'no-cache',
  });
  if (!data?.securityLog) throw error ?? new Error('the log wasn’t there');
  const latest = new Map<string, Event>();
  for (const { node } of data.securityLog.edges)
    if (node && !latest.has(node.user?.id ?? node.resourceId))
      latest.set(node.user?.id ?? node.resourceId, node);
  return Promise.all(
    [...latest].slice(0, maxOffboardings).map(async ([userId, event]) => {
      const read = await client.query({
        query: OverviewDepartureDocument,
        variables: { userId },
        fetchPolicy: 'no-cache',
      });
      return offboardedOf(userId, event, read.data);
    }),
  );
}

function offboardedOf(userId: string, event: Event, read: OverviewDepartureQuery | undefined): Offboarded {
  const report = read?.departures?.[0];
  const deliveries = report?.deliveries ?? [];
  return {
    userId,
    name: event.user ? (event.user.displayName ?? event.user.userName) : undefined,
    isBack: event.user?.active === true,
    closedAt: report?.closedAt ?? event.occurredAt,
    closedInMs: report?.leftAt ? Date.parse(report.closedAt) - Date.parse(report.leftAt) : undefined,
    closedAccessPaths: report?.doors.reduce((sum, { count }) => sum + (count ?? 0), 0) ?? 0,
    notified: deliveries.filter(({ state }) => state === 'DELIVERED').length,
    waiting: deliveries.filter(({ state }) => state !== 'DELIVERED').length,
    open: read && openOf(read),
  };
}

/** Counts active access that was issued to a user or acts on behalf of the user. */
function openOf(read: OverviewDepartureQuery): number | undefined {
  const { sessions, grants, personalAccessTokens, apiKeys, clients, serviceAccounts, connectors } = read;
  // A partial result is not counted: the missing part may contain open access.
  if (
    !sessions ||
    !grants ||
    !personalAccessTokens ||
    !apiKeys ||
    !clients ||
    !serviceAccounts ||
    !connectors
  )
    return undefined;
  return (
    sessions.totalCount +
    grants.totalCount +
    personalAccessTokens.totalCount +
    apiKeys.totalCount +
    clients.totalCount +
    serviceAccounts.edges.filter(({ node }) => node && !node.disabled).length +
    connectors.edges.filter(({ node }) => node.status === 'ACTIVE').length
  );
}

export interface OpenDoors {
  /** Open access paths of departed users who are not active again. */
  count: number;
  people: number;
  /** Number of users whose open access is unknown. */
  unknown: number;
}

export function openAccessPathsOf(list: readonly Offboarded[]): OpenDoors {
  const gone = list.filter(({ isBack }) => !isBack);
  return {
    count: gone.reduce((sum, { open = 0 }) => sum + open, 0),
    people: gone.length,
    unknown: gone.filter(({ open }) => open === undefined).length,
  };
}
