import type { Actor } from '@ostiary/events';
import type { BoundedCount, IdPage, Transaction } from '@ostiary/service';
import type { ChangeRequest, Changes, ConnectorAction } from './connector-changes.ts';

/** A recorded change of a connector. */
export interface ConnectorLogEntry {
  /** UUIDv7: orders the entries by time. */
  id: string;
  occurredAt: Date;
  action: string;
  actor: Actor;
  connectorId: string;
  /** The version after the change. */
  connectorVersion: number;
  changes: Changes;
  /** The client of the request's token. */
  clientId: string | null;
  ipAddress: string | null;
  userAgent: string | null;
  requestId: string | null;
  traceId: string | null;
}

/** Conditions on the log, combined by AND; an absent one does not narrow it. */
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

/** The part of a log entry that describes the change. */
export interface RecordedChange {
  action: ConnectorAction;
  connectorId: string;
  connectorVersion: number;
  changes: Changes;
}

export interface ConnectorLog {
  /** Records a change of the caller's transaction, with the audit context of the current request. */
  record(tx: Transaction, by: ChangeRequest, entry: RecordedChange): Promise<void>;
}

export interface ConnectorLogQueries {
  /** Returns entries of a tenant, newest first. */
  read(
    sql: Transaction,
    tenant: string,
    filter: ConnectorLogFilter,
    page: IdPage,
  ): Promise<ConnectorLogEntry[]>;
  /** Counts the matching entries, up to a maximum. */
  count(sql: Transaction, tenant: string, filter: ConnectorLogFilter): Promise<BoundedCount>;
  /** Returns entries of a tenant by their ids. */
  byIds(sql: Transaction, tenant: string, ids: readonly string[]): Promise<ConnectorLogEntry[]>;
}
