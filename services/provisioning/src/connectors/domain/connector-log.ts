import type { Actor } from '@ostiary/events';
import type { IdPage, Transaction } from '@ostiary/service';
import type { ChangeRequest, Changes, ConnectorAction } from './connector-changes.ts';
import type { Counted } from './counted.ts';

/** A change of a connector, as it is remembered. */
export interface ConnectorLogEntry {
  /** UUIDv7: orders the entries by time. */
  id: string;
  occurredAt: Date;
  action: string;
  actor: Actor;
  connectorId: string;
  /** The version the change led to. */
  connectorVersion: number;
  changes: Changes;
  /** The app whose token the request came with. */
  clientId: string | null;
  ipAddress: string | null;
  userAgent: string | null;
  requestId: string | null;
  traceId: string | null;
}

/** Narrows the log; what is left out doesn't narrow. */
export interface ConnectorLogFilter {
  connectorId?: string | undefined;
  actorId?: string | undefined;
  ipAddress?: string | undefined;
  clientId?: string | undefined;
  requestId?: string | undefined;
  traceId?: string | undefined;
  action?: string | undefined;
  since?: Date | undefined;
  until?: Date | undefined;
}

/** What a change of a connector adds to the log. */
export interface RecordedChange {
  action: ConnectorAction;
  connectorId: string;
  connectorVersion: number;
  changes: Changes;
}

export interface ConnectorLog {
  /** Remembers what the caller's transaction does; with the audit context of the request being served. */
  record(tx: Transaction, by: ChangeRequest, entry: RecordedChange): Promise<void>;
}

export interface ConnectorLogQueries {
  /** Entries of a tenant, newest first. */
  read(
    sql: Transaction,
    tenant: string,
    filter: ConnectorLogFilter,
    page: IdPage,
  ): Promise<ConnectorLogEntry[]>;
  /** How many entries there are, as far as they are counted. */
  count(sql: Transaction, tenant: string, filter: ConnectorLogFilter): Promise<Counted>;
  /** Entries of a tenant by their ids. */
  byIds(sql: Transaction, tenant: string, ids: readonly string[]): Promise<ConnectorLogEntry[]>;
}
