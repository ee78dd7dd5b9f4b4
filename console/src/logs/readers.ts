import type { ApolloClient, OperationVariables, TypedDocumentNode } from '@apollo/client';
import { auditEntry, connectorEntry, type LogEntry, requestEntry, securityEntry } from './entry.ts';
import { auditFilter, connectorFilter, type LogFilter, requestFilter, securityFilter } from './filter.ts';
import {
  AuditLogPageDocument,
  ConnectorLogPageDocument,
  ProvisioningLogPageDocument,
  SecurityLogPageDocument,
} from './generated/logs.ts';
import type { LogName } from './log-name.ts';

export interface LogPage {
  /** Newest first. */
  entries: readonly { cursor: string; entry: LogEntry }[];
  /** Older entries exist. */
  hasOlder: boolean;
  /** Newer entries exist. */
  hasNewer: boolean;
}

/** Position in a log: undefined is its newest entry. */
export type Place = { after: string } | { before: string } | undefined;

export interface LogReader {
  log: LogName;
  /** @throws the error of the query */
  read(place: Place, count: number): Promise<LogPage>;
}

interface Connection<Node> {
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean };
  edges: readonly { cursor: string; node: Node | null }[];
}

/** Reads without the cache, which would grow without limit. */
export function logReader(client: ApolloClient, log: LogName, filter: LogFilter): LogReader {
  const reader = <Data, Variables extends OperationVariables, Node>(
    query: TypedDocumentNode<Data, Variables>,
    variables: Partial<Variables>,
    of: (data: Data) => Connection<Node> | null | undefined,
    entryOf: (node: Node) => LogEntry,
  ): LogReader => ({
    log,
    read: async (place, count) => {
      // Whether the options are required depends on the type of the variables, which is generic here.
      const options = {
        query,
        variables: {
          ...variables,
          ...(place && 'before' in place ? { last: count } : { first: count }),
          ...place,
        },
        fetchPolicy: 'no-cache',
      } as unknown as ApolloClient.QueryOptions<Data>;
      const { data, error } = await client.query(options);
      const connection = data === undefined || data === null ? undefined : of(data as Data);
      if (!connection) throw error ?? new Error('the log wasn’t there');
      return {
        entries: connection.edges.flatMap(({ cursor, node }) =>
          node === null ? [] : [{ cursor, entry: entryOf(node) }],
        ),
        hasOlder: connection.pageInfo.hasNextPage,
        hasNewer: connection.pageInfo.hasPreviousPage,
      };
    },
  });
  if (log === 'audit')
    return reader(AuditLogPageDocument, { filter: auditFilter(filter) }, (data) => data.auditLog, auditEntry);
  if (log === 'security')
    return reader(
      SecurityLogPageDocument,
      { filter: securityFilter(filter) },
      (data) => data.securityLog,
      securityEntry,
    );
  if (log === 'connector')
    return reader(
      ConnectorLogPageDocument,
      { filter: connectorFilter(filter) },
      (data) => data.connectorLog,
      connectorEntry,
    );
  return reader(
    ProvisioningLogPageDocument,
    { filter: requestFilter(filter) },
    (data) => data.provisioningLog,
    requestEntry,
  );
}
