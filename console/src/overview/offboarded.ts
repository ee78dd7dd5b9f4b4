import type { OverviewDepartureQuery, OverviewDeparturesQuery } from './generated/departures.ts';

export type DepartureEvent = NonNullable<
  NonNullable<OverviewDeparturesQuery['securityLog']>['edges'][number]['node']
>;

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

/** @param read undefined if the current access of the user is unknown */
export function offboardedOf(
  userId: string,
  event: DepartureEvent,
  read: OverviewDepartureQuery | undefined,
): Offboarded {
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

/**
 * Reports whether every inactive user of the tenant was checked. The log is retained for a limited time, so an earlier
 * departure is only excluded by the number of inactive users.
 * @param inactive number of inactive users; undefined if unknown
 */
export const coversEveryone = (
  { list, isComplete }: { list: readonly Offboarded[] | undefined; isComplete: boolean },
  inactive: number | undefined,
): boolean =>
  list !== undefined && isComplete && inactive !== undefined && inactive <= openAccessPathsOf(list).people;
