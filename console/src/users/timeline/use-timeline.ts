import { useMemo } from 'react';
import { type Failure, type Paged, useConnection } from '../../graph/index.ts';
import { useMay } from '../../session/index.ts';
import { type Entry, horizonOf, merged, ofChange, ofRequest, ofSecurity, type Stretch } from './entries.ts';
import {
  TimelineChangesDocument,
  TimelineProvisioningDocument,
  TimelineSecurityDocument,
} from './generated/timeline.ts';

interface Timeline {
  entries: readonly Entry[];
  isLoading: boolean;
  failures: readonly Failure[];
  onMore: (() => void) | undefined;
  refetch(): void;
}

/** Reads the entries of all logs on a user, by time; pages of each log are read as needed. */
export function useTimeline(id: string): Timeline {
  const mayAudit = useMay('audit:read');
  const mayProvisioning = useMay('provisioning:read');
  const variables = { id };
  const changes = useConnection(TimelineChangesDocument, variables, (data) => data.auditLog, {
    skip: !mayAudit,
  });
  const security = useConnection(TimelineSecurityDocument, variables, (data) => data.securityLog, {
    skip: !mayAudit,
  });
  const requests = useConnection(TimelineProvisioningDocument, variables, (data) => data.provisioningLog, {
    skip: !mayProvisioning,
  });
  const sources = [
    stretchOf(changes, ofChange),
    stretchOf(security, ofSecurity),
    stretchOf(requests, ofRequest),
  ];
  const horizon = horizonOf(sources);
  const lists = [changes, security, requests];
  // The log that withholds entries of the others is read next.
  const next = lists.filter((list, index) => list.onMore && sources[index]?.entries.at(-1)?.at === horizon);
  // biome-ignore lint/correctness/useExhaustiveDependencies: without a new page the entries are the same
  const entries = useMemo(
    () => merged(sources),
    [
      changes.items.length,
      security.items.length,
      requests.items.length,
      horizon,
      changes.items[0]?.id,
      security.items[0]?.id,
      requests.items[0]?.id,
    ],
  );
  return {
    entries,
    isLoading: lists.some(({ isLoading }) => isLoading),
    failures: lists.flatMap(({ failure }) => failure ?? []),
    onMore:
      next.length === 0
        ? undefined
        : () => {
            for (const { onMore } of next) onMore?.();
          },
    refetch: () => {
      if (mayAudit) changes.refetch();
      if (mayAudit) security.refetch();
      if (mayProvisioning) requests.refetch();
    },
  };
}

const stretchOf = <Node>({ items, onMore }: Paged<Node>, entryOf: (node: Node) => Entry): Stretch => ({
  entries: items.map(entryOf),
  isMore: onMore !== undefined,
});
