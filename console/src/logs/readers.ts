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
  /** There are older ones. */
  hasOlder: boolean;
  /** There are newer ones. */
  hasNewer: boolean;
}

/** Where in a log to read: from its newest entry on, behind an entry, or before one. */
export type Place = { after: string } | { before: string } | undefined;

export interface LogReader {
  log: LogName;
  /** @throws what the query fails with */
  read(place: Place, count: number): Promise<LogPage>;
}

interface Connection<Node> {
  pageInfo: { hasNextPage: boolean; hasPreviousPage: boolean };
  edges: readonly { cursor: string; node: Node | null }[];
}

/** Reads nothing into the cache: there is no end to logs. */
export function logReader(client: ApolloClient, log: LogName, filter: LogFilter): LogReader {
  const reader = <Data, Variables extends OperationVariables, Node>(
    query: TypedDocumentNode<Data, Variables>,
    variables: Partial<Variables>,
    of: (data: Data) => Connection<Node> | null | undefined,
    entryOf: (node: Node) => LogEntry,
  ): LogReader => ({
    log,
    read: async (place, count) => {
      // Its options are required or not by what the variables are, which is open here.
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
