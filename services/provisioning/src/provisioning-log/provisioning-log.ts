import type { BoundedCount, IdPage, Transaction } from '@ostiary/service';

/** One SCIM request and its outcome, without secrets and request bodies. */
export interface LogEntry {
  tenant: string;
  /** UUIDv7: orders the entries by time. */
  id: string;
  source: string;
  actorKind: string;
  actorId: string;
  at: Date;
  method: string;
  resourceType: string | null;
  resourceId: string | null;
  status: number;
  scimType: string | null;
  detail: string | null;
  requestId: string;
  durationMs: number;
}

export interface LogFilter {
  source?: string;
  resourceType?: string;
  resourceId?: string;
  /** Lowest and highest status, both inclusive. */
  statuses?: readonly [number, number];
  /** Inclusive. */
  since?: Date;
  /** Exclusive. */
  until?: Date;
}

export interface ProvisioningLog {
  /** Writes entries with their events for the graph's subscribers, in one statement. */
  insert(sql: Transaction, entries: readonly LogEntry[]): Promise<void>;
}

/** Stores the times of the last use of tokens. */
export interface TokenUses {
  touchTokens(used: ReadonlyMap<string, { tenant: string; at: Date }>): Promise<void>;
}

export interface ProvisioningLogQueries {
  /** Returns entries of a tenant, newest first. */
  read(sql: Transaction, tenant: string, filter: LogFilter, page: IdPage): Promise<LogEntry[]>;
  /** Counts the matching entries, up to a maximum. */
  count(sql: Transaction, tenant: string, filter: LogFilter): Promise<BoundedCount>;
  /** Returns entries of a tenant by their ids. */
  byIds(sql: Transaction, tenant: string, ids: readonly string[]): Promise<LogEntry[]>;
}
