import { useApolloClient } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';
import type { LogEntry } from './entry.ts';
import { LogNamesDocument, type LogNamesQuery } from './generated/logs.ts';

/** Maximum number of cached names. Beyond it the cache is cleared. */
const maxNames = 2000;
/** Maximum number of ids per request. */
const maxIds = 100;
/** Delay in milliseconds, so that rows passed by scrolling are not looked up. */
const settleMs = 120;

/** Returns ids of an entry that may have a name which the log does not contain. */
const unnamed = ({ actor, resourceId, resourceName, resourceType }: LogEntry): string[] => [
  ...(actor.name === null && (actor.kind === 'USER' || actor.kind === 'CLIENT') ? [actor.id] : []),
  ...(resourceName === null && resourceId !== null && resourceType !== 'Tenant' ? [resourceId] : []),
];

type Node = NonNullable<NonNullable<LogNamesQuery['nodes']>[number]>;

function nameOf(node: Node): string | undefined {
  if ('userName' in node) return node.displayName ?? node.userName;
  if ('groupName' in node) return node.groupName;
  if ('clientName' in node) return node.clientName;
  if ('connectorName' in node) return node.connectorName;
  if ('accountName' in node) return node.accountName;
  return 'webhookName' in node ? node.webhookName : undefined;
}

/** Returns the names of visible objects by id; deleted objects have none. */
export function useNames(seen: readonly LogEntry[]): ReadonlyMap<string, string | undefined> {
  const client = useApolloClient();
  const [names, setNames] = useState<ReadonlyMap<string, string | undefined>>(new Map());
  const known = useRef(names);
  known.current = names;
  const wanted = [...new Set(seen.flatMap(unnamed))].filter((id) => !names.has(id)).slice(0, maxIds);
  const key = wanted.join(' ');
  useEffect(() => {
    if (key === '') return;
    const ids = key.split(' ');
    let isOver = false;
    const timer = setTimeout(async () => {
      const { data } = await client
        .query({ query: LogNamesDocument, variables: { ids }, fetchPolicy: 'no-cache' })
        .catch(() => ({ data: undefined }));
      if (isOver) return;
      const before = known.current.size > maxNames ? new Map<string, string | undefined>() : known.current;
      const found = ids.map((id, index) => {
        const node = data?.nodes?.[index];
        return [id, node ? nameOf(node) : undefined] as const;
      });
      setNames(new Map([...before, ...found]));
    }, settleMs);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [client, key]);
  return names;
}
