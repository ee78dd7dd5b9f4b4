import type { ApolloClient, TypedDocumentNode } from '@apollo/client';
import { auditEntry, connectorEntry, type LogEntry, requestEntry, securityEntry } from './entry.ts';
import {
  AuditEntryByIdDocument,
  ConnectorLogEntryByIdDocument,
  ProvisioningLogEntryByIdDocument,
  SecurityEventByIdDocument,
} from './generated/logs.ts';

/** Reads an entry by its key; undefined when it no longer exists. @throws the error of the query */
export async function readEntry(client: ApolloClient, key: string): Promise<LogEntry | undefined> {
  const [log, id = ''] = [key.slice(0, key.indexOf(':')), key.slice(key.indexOf(':') + 1)];
  const node = async <Data extends { node: unknown }>(
    query: TypedDocumentNode<Data, { id: string }>,
  ): Promise<Data['node'] | undefined> => {
    const { data, error } = await client.query({
      query: query as TypedDocumentNode<Data>,
      variables: { id },
      fetchPolicy: 'no-cache',
    });
    if (error) throw error;
    return (data as Data | undefined)?.node;
  };
  // A node of another type has only its id.
  if (log === 'audit') {
    const found = await node(AuditEntryByIdDocument);
    return found && 'action' in found ? auditEntry(found) : undefined;
  }
  if (log === 'security') {
    const found = await node(SecurityEventByIdDocument);
    return found && 'action' in found ? securityEntry(found) : undefined;
  }
  if (log === 'connector') {
    const found = await node(ConnectorLogEntryByIdDocument);
    return found && 'action' in found ? connectorEntry(found) : undefined;
  }
  const found = await node(ProvisioningLogEntryByIdDocument);
  return found && 'method' in found ? requestEntry(found) : undefined;
}
