import type { Actor, NewEvent } from '@ostiary/events';
import type { IdPage } from '@ostiary/service';

/** Before and after of each attribute that changed. */
export type Changes = Record<string, { before?: unknown; after?: unknown }>;

/** Every action there is; the graph's documentation lists them too. */
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

/** One change as it is remembered: who did what to which resource. */
export interface AuditEntry {
  id: string;
  occurredAt: Date;
  actor: Actor;
  action: AuditAction;
  resourceType: string;
  resourceId: string;
  resourceVersion: number;
  /** The identity source it came through, if any. */
  source?: string;
  changes: Changes;
  traceId?: string;
  /** Of the client that asked for it. */
  address?: string;
  /** The app whose token the request came with. */
  clientId?: string;
  /** The browser or program, as it calls itself. */
  userAgent?: string;
  requestId?: string;
}

/** What an entry says of the request that asked for the change. */
export type AuditContext = Pick<AuditEntry, 'traceId' | 'address' | 'clientId' | 'userAgent' | 'requestId'>;

export type NewAuditEntry = Omit<AuditEntry, 'id'>;

/** Narrows the log; what is left out doesn't narrow. */
export interface AuditFilter {
  resourceId?: string;
  resourceType?: string;
  actorId?: string;
  actorKind?: Actor['kind'];
  onBehalfOf?: string;
  action?: string;
  /** The identity source it came through. */
  source?: string;
  traceId?: string;
  ipAddress?: string;
  /** What `ipAddress` was called before; given both, both must hold. */
  address?: string;
  clientId?: string;
  requestId?: string;
  since?: Date;
  until?: Date;
}

/** How many there are, or how many there are at least. */
export interface Counted {
  total: number;
  isExact: boolean;
}

/** The audit log of one tenant, for reading. */
export interface AuditTrail {
  /** A stretch of the log, which is newest first. */
  page(filter: AuditFilter, page: IdPage): Promise<AuditEntry[]>;
  /** How many entries there are, as far as they are counted. */
  count(filter: AuditFilter): Promise<Counted>;
  /** Those of the ids that there are. @param ids canonical UUIDs */
  findMany(ids: readonly string[]): Promise<AuditEntry[]>;
}

/** Notes a change and the event it emits; both are written with the change, or not at all. */
export interface ChangeRecorder {
  record(entry: NewAuditEntry, event: NewEvent): void;
}
