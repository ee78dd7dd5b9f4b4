import { useApolloClient } from '@apollo/client/react';
import { useEffect, useRef, useState } from 'react';
import type { LogEntry } from './entry.ts';
import { LogNamesDocument, type LogNamesQuery } from './generated/logs.ts';

/** As many names are kept. Beyond it they are looked up anew. */
const mostNames = 2000;
/** As many ids are asked for at once. */
const mostIds = 100;
/** Scrolling passes by what nobody reads. */
const settleMs = 120;

/** Ids that may have a name, of what entries tell only the id of. */
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

/** What things are called that are seen now, by their ids; of what is gone there is no name. */
export function useNames(seen: readonly LogEntry[]): ReadonlyMap<string, string | undefined> {
  const client = useApolloClient();
  const [names, setNames] = useState<ReadonlyMap<string, string | undefined>>(new Map());
  const known = useRef(names);
  known.current = names;
  const wanted = [...new Set(seen.flatMap(unnamed))].filter((id) => !names.has(id)).slice(0, mostIds);
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
      const before = known.current.size > mostNames ? new Map<string, string | undefined>() : known.current;
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
