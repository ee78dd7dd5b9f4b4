import type { IdPage, Transaction } from '@ostiary/service';
import type { Counted } from '../../connectors/index.ts';

/** One SCIM request and its outcome. Holds no secret and no request body. */
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
  /** Lowest and highest status, both included. */
  statuses?: readonly [number, number];
  /** From this moment on. */
  since?: Date;
  /** Before this moment. */
  until?: Date;
}

export interface ProvisioningLog {
  /** Writes entries, and what the graph's subscribers are notified of them, in one statement. */
  insert(sql: Transaction, entries: readonly LogEntry[]): Promise<void>;
}

/** Notes when tokens were last used. */
export interface TokenUses {
  touchTokens(used: ReadonlyMap<string, { tenant: string; at: Date }>): Promise<void>;
}

export interface ProvisioningLogQueries {
  /** Entries of a tenant, newest first. */
  read(sql: Transaction, tenant: string, filter: LogFilter, page: IdPage): Promise<LogEntry[]>;
  /** How many entries the filter matches, as far as they are counted. */
  count(sql: Transaction, tenant: string, filter: LogFilter): Promise<Counted>;
  /** Entries of a tenant by their ids. */
  byIds(sql: Transaction, tenant: string, ids: readonly string[]): Promise<LogEntry[]>;
}
