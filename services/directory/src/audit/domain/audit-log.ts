import type { Actor, NewEvent } from '@ostiary/events';
import type { BoundedCount, IdPage } from '@ostiary/service';

/** Before and after of each attribute that changed. */
export type Changes = Record<string, { before?: unknown; after?: unknown }>;

/** All actions; the graph's documentation lists them too. */
export const auditActions = [
  'tenant.created',
  'tenant.updated',
  'tenant.policy_updated',
  'tenant.suspended',
  'tenant.resumed',
  'user.created',
  'user.updated',
  'user.deactivated',
  'user.reactivated',
  'user.deleted',
  'user.restored',
  'user.purged',
  'group.created',
  'group.updated',
  'group.deleted',
  'group.restored',
  'group.purged',
  'schema.created',
  'schema.updated',
  'schema.deleted',
] as const;

export type AuditAction = (typeof auditActions)[number];

/** One recorded change. */
export interface AuditEntry {
  id: string;
  occurredAt: Date;
  actor: Actor;
  action: AuditAction;
  resourceType: string;
  resourceId: string;
  resourceVersion: number;
  /** The identity source of the change, if any. */
  source?: string;
  changes: Changes;
  traceId?: string;
  /** Address of the client. */
  address?: string;
  /** The client of the request's token. */
  clientId?: string;
  /** User agent of the browser or program. */
  userAgent?: string;
  requestId?: string;
}

/** The fields of an entry that describe its request. */
export type AuditContext = Pick<AuditEntry, 'traceId' | 'address' | 'clientId' | 'userAgent' | 'requestId'>;

export type NewAuditEntry = Omit<AuditEntry, 'id'>;

/** Conditions on the log, combined by AND; an absent one does not narrow it. */
export interface AuditFilter {
  resourceId?: string;
  resourceType?: string;
  actorId?: string;
  actorKind?: Actor['kind'];
  onBehalfOf?: string;
  action?: string;
  /** The identity source of the change. */
  source?: string;
  traceId?: string;
  ipAddress?: string;
  /** Former name of `ipAddress`; when both are given, both must match. */
  address?: string;
  clientId?: string;
  requestId?: string;
  since?: Date;
  until?: Date;
}

/** The audit log of one tenant, for reading. */
export interface AuditTrail {
  /** Returns a page of the log, newest first. */
  page(filter: AuditFilter, page: IdPage): Promise<AuditEntry[]>;
  /** Counts the matching entries, up to a maximum. */
  count(filter: AuditFilter): Promise<BoundedCount>;
  /** Returns the existing entries of these ids. */
  findMany(ids: readonly string[]): Promise<AuditEntry[]>;
}

/** Records a change and its event; both are written with the change, or neither. */
export interface ChangeRecorder {
  record(entry: NewAuditEntry, event: NewEvent): void;
}
