/** Who caused a change. */
export interface Actor {
  kind: 'user' | 'client' | 'connector' | 'service' | 'system';
  id: string;
  name?: string;
  /** The subject for whom a client or service acted. */
  onBehalfOf?: string;
}

export interface TenantSnapshot {
  id: string;
  name: string;
  status: 'active' | 'suspended';
}

/** A user as of one version: what a projection needs, and nothing secret. */
export interface UserSnapshot {
  id: string;
  userName: string;
  active: boolean;
  displayName?: string;
  name?: { formatted?: string; givenName?: string; familyName?: string };
  emails: { value: string; type?: string; primary?: boolean }[];
  locale?: string;
  zoneinfo?: string;
  /** The user's externalId per identity source (connector id). */
  externalIds: Record<string, string>;
  /** The identity source that made this change. */
  source?: string;
  /** A password staged with auth, to be activated with this change. */
  credentialTicket?: string;
  /** Of a deletion that may be undone until then, RFC 3339: a later event says whether it was, or that it is final. */
  restorableUntil?: string;
  /** RFC 3339. */
  changedAt: string;
}

export interface GroupSnapshot {
  id: string;
  displayName: string;
  externalIds: Record<string, string>;
  source?: string;
  /** RFC 3339. */
  changedAt: string;
  /** At most 1,000 ids; see membersTruncated. */
  membersAdded?: string[];
  /** At most 1,000 ids; see membersTruncated. */
  membersRemoved?: string[];
  /** More members changed than fit: ask the directory. */
  membersTruncated?: boolean;
}

/** What each type of event carries. */
export interface EventPayloads {
  'tenant.created': TenantSnapshot;
  'tenant.updated': TenantSnapshot;
  'user.created': UserSnapshot;
  'user.updated': UserSnapshot;
  'user.deactivated': UserSnapshot;
  'user.reactivated': UserSnapshot;
  'user.deleted': UserSnapshot;
  'group.created': GroupSnapshot;
  'group.updated': GroupSnapshot;
  'group.deleted': GroupSnapshot;
}

export type EventType = keyof EventPayloads;

interface EventOf<T extends EventType> {
  /** UUIDv7. */
  id: string;
  tenant: string;
  type: T;
  /** Id of what changed. */
  subject: string;
  /** Grows with every change of the subject. Events may arrive late or out of order: a consumer keeps the highest. */
  version: number;
  /** RFC 3339. */
  occurredAt: string;
  actor: Actor;
  /** W3C trace context of the change. */
  traceparent?: string;
  payload: EventPayloads[T];
}

/** A fact about the directory. Narrow it by `type`. */
export type DomainEvent = { [T in EventType]: EventOf<T> }[EventType];

/** An event of one type: `EventOfType<'user.deactivated'>`. */
export type EventOfType<T extends EventType> = Extract<DomainEvent, { type: T }>;

/** An event before it has happened: the outbox gives it its id, time and trace. */
export type NewEvent = {
  [T in EventType]: Omit<EventOf<T>, 'id' | 'occurredAt' | 'traceparent'> & { id?: string };
}[EventType];

/**
 * Events that close doors. They go out at once, however busy the outbox is, and take along what waits.
 */
export const isUrgent = ({ type }: { type: EventType }): boolean =>
  type === 'user.deactivated' || type === 'user.deleted' || type === 'tenant.updated';

/** What one job of a consumer's queue carries: events that were sent together, in the order of their making. */
export interface EventBatch {
  events: DomainEvent[];
}

/** The consumer that stands for the graph's subscribers: a LiveRelay takes its deliveries, they go to no queue. */
export const liveConsumer = 'live';

/** The BullMQ queue of a consumer. Its prefix is `{prefix}`, a hash tag: all keys of a queue share a cluster slot. */
export const eventQueue = (consumer: string): string => `events-${consumer}`;

/** The BullMQ key prefix, and hash tag, for what configuration calls REDIS_PREFIX. */
export const queuePrefix = (prefix: string): string => `{${prefix}}`;
