import type {
  AuditFactsFragment,
  ConnectorFactsFragment,
  RequestFactsFragment,
  SecurityFactsFragment,
  WhoFragment,
} from './generated/logs.ts';
import type { LogName } from './log-name.ts';

export interface Actor {
  kind: WhoFragment['kind'];
  id: string;
  name: string | null;
  /** Id of the user on whose behalf the actor acted. */
  onBehalfOf: string | null;
  onBehalfOfName: string | null;
}

export interface Change {
  attribute: string;
  before: string | null;
  after: string | null;
}

/** An entry of any log. */
export interface LogEntry {
  /** Unique across all logs: `audit:{id}`. */
  key: string;
  log: LogName;
  at: string;
  /** Name of the event; for a SCIM request its method. */
  action: string;
  actor: Actor;
  resourceType: string | null;
  resourceId: string | null;
  resourceName: string | null;
  /** Resulting version of the resource. */
  version: number | null;
  clientId: string | null;
  source: string | null;
  ipAddress: string | null;
  userAgent: string | null;
  requestId: string | null;
  traceId: string | null;
  changes: readonly Change[];
  /** SCIM requests only. */
  status: number | null;
  detail: string | null;
  durationMs: number | null;
}

const actorOf = ({ kind, actorId, name, onBehalfOf, onBehalfOfUser }: WhoFragment): Actor => ({
  kind,
  id: actorId,
  name,
  onBehalfOf,
  onBehalfOfName: onBehalfOfUser?.displayName ?? onBehalfOfUser?.userName ?? null,
});

const changesOf = (changes: readonly Change[]): Change[] =>
  changes.map(({ attribute, before, after }) => ({ attribute, before, after }));

const nothingOfRequests = { status: null, detail: null, durationMs: null };

export const auditEntry = (entry: AuditFactsFragment): LogEntry => ({
  key: `audit:${entry.id}`,
  log: 'audit',
  at: entry.occurredAt,
  action: entry.action,
  actor: actorOf(entry.actor),
  resourceType: entry.resourceType,
  resourceId: entry.resourceId,
  resourceName: null,
  version: entry.resourceVersion,
  clientId: entry.clientId,
  source: entry.source,
  ipAddress: entry.ipAddress,
  userAgent: entry.userAgent,
  requestId: entry.requestId,
  traceId: entry.traceId,
  changes: changesOf(entry.changes),
  ...nothingOfRequests,
});

export const securityEntry = (entry: SecurityFactsFragment): LogEntry => ({
  key: `security:${entry.id}`,
  log: 'security',
  at: entry.occurredAt,
  action: entry.action,
  actor: actorOf(entry.actor),
  // Shown under the user, if there is one: a session id is less useful than its owner.
  resourceType: entry.user ? 'User' : entry.resourceType,
  resourceId: entry.user?.id ?? entry.resourceId,
  resourceName: entry.user ? (entry.user.displayName ?? entry.user.userName) : null,
  version: null,
  clientId: entry.clientId,
  source: null,
  ipAddress: entry.ipAddress,
  userAgent: entry.userAgent,
  requestId: entry.requestId,
  traceId: entry.traceId,
  changes: changesOf(entry.changes),
  ...nothingOfRequests,
});

export const connectorEntry = (entry: ConnectorFactsFragment): LogEntry => ({
  key: `connector:${entry.id}`,
  log: 'connector',
  at: entry.occurredAt,
  action: entry.action,
  actor: actorOf(entry.actor),
  resourceType: 'Connector',
  resourceId: entry.connectorId,
  resourceName: entry.connector?.name ?? null,
  version: entry.connectorVersion,
  clientId: entry.clientId,
  source: entry.connectorId,
  ipAddress: entry.ipAddress,
  userAgent: entry.userAgent,
  requestId: entry.requestId,
  traceId: entry.traceId,
  changes: changesOf(entry.changes),
  ...nothingOfRequests,
});

/** The name of an identity source is the one at the time of the request. */
const requester = ({ actor, source }: RequestFactsFragment): Actor => {
  const { name, ...who } = actorOf(actor);
  return { ...who, name: name ?? (who.kind === 'CONNECTOR' ? source.name : null) };
};

export const requestEntry = (entry: RequestFactsFragment): LogEntry => ({
  key: `request:${entry.id}`,
  log: 'request',
  at: entry.at,
  action: entry.method,
  actor: requester(entry),
  resourceType: entry.resourceType === null ? null : entry.resourceType === 'USER' ? 'User' : 'Group',
  resourceId: entry.resourceId,
  resourceName: null,
  version: null,
  clientId: entry.actor.kind === 'CLIENT' ? entry.actor.actorId : null,
  source: entry.source.sourceId,
  ipAddress: null,
  userAgent: null,
  requestId: entry.requestId,
  traceId: null,
  changes: [],
  status: entry.status,
  detail: entry.detail ?? entry.scimType,
  durationMs: entry.durationMs,
});
