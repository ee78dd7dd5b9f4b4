import { isUuid } from '@ostiary/service';
import type { VersionedTenantPolicy } from './tenant-policy.ts';

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
  /** What the tenant set for itself; left out by releases that had no such settings. */
  policy?: VersionedTenantPolicy;
}

/** The change by which an active user became inactive or was deleted. It begins an absence that ends when the user is active again. */
export interface UserDeparture {
  /** Version of the user that the change produced. */
  version: number;
  type: 'user.deactivated' | 'user.deleted';
  /** Id of the event that reports the change. */
  eventId: string;
  /** RFC 3339. */
  occurredAt: string;
  actor: Actor;
  /** W3C trace context of the change. */
  traceparent?: string;
}

/** A user as of one version: what a projection needs, and nothing secret. */
export interface UserSnapshot {
  id: string;
  userName: string;
  active: boolean;
  displayName?: string;
  name?: { formatted?: string; givenName?: string; familyName?: string };
  /** `verified`: an identity source that the tenant believes in this stands for it that the address is the user's. */
  emails: { value: string; type?: string; primary?: boolean; verified?: true }[];
  locale?: string;
  /** An Accept-Language value (RFC 7643 section 4.1.1). */
  preferredLanguage?: string;
  zoneinfo?: string;
  /** The user's externalId per identity source (connector id). */
  externalIds: Record<string, string>;
  /** The identity source that made this change. */
  source?: string;
  /** A password staged with auth, to be activated with this change. */
  credentialTicket?: string;
  /** Of a deletion that may be undone until then, RFC 3339: a later event says whether it was, or that it is final. */
  restorableUntil?: string;
  /** It had been deleted: the deletion was undone. */
  restored?: true;
  /**
   * The departure that begins the absence which this event begins, continues or ends. Null when the user is active, or was never active.
   * Releases before 0.3.0 omit it.
   */
  departure?: UserDeparture | null;
  /** Of a creation or a change: names of the SCIM attributes it set, changed or took away, `password` among them. */
  changedAttributes?: string[];
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
  /** Of a creation or a change: names of the SCIM attributes it set, changed or took away. */
  changedAttributes?: string[];
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

const everyType: Readonly<Record<EventType, true>> = {
  'tenant.created': true,
  'tenant.updated': true,
  'user.created': true,
  'user.updated': true,
  'user.deactivated': true,
  'user.reactivated': true,
  'user.deleted': true,
  'group.created': true,
  'group.updated': true,
  'group.deleted': true,
};
export const eventTypes = Object.keys(everyType) as readonly EventType[];

/** The version of what an event is wrapped in. It grows when an older consumer would misunderstand the new one. */
export const envelopeVersion = 1;

interface EventOf<T extends EventType> {
  /** Left out for the first. */
  envelope?: number;
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

/** Whether this release knows what an event means. Of one that it doesn't, a newer consumer has to have the effect. */
export const isUnderstood = (event: DomainEvent, types: readonly string[] = eventTypes): boolean =>
  (event.envelope ?? 1) <= envelopeVersion && types.includes(event.type);

/** An event before it has happened: the outbox gives it its id, time and trace. */
export type NewEvent = {
  [T in EventType]: Omit<EventOf<T>, 'id' | 'occurredAt' | 'traceparent' | 'envelope'> & { id?: string };
}[EventType];

/**
 * Events that close doors, and those that open them again; whoever leaves a group may lose a role by that, and whoever is given
 * another password loses all that rests on the one before. They go out at once, however busy the outbox is, and take along what
 * waits; overtake whatever waits in the queue; and are handed over directly when the queue doesn't deliver them within a moment.
 */
export const isUrgent = (event: NewEvent): boolean =>
  urgent.includes(event.type) ||
  (event.type === 'group.updated' && event.payload.membersRemoved !== undefined) ||
  (event.type === 'user.updated' && event.payload.credentialTicket !== undefined);

const urgent: readonly EventType[] = [
  'user.deactivated',
  'user.deleted',
  'user.reactivated',
  'tenant.updated',
  'group.deleted',
];

/** What isUrgent says, of a row `e` of the outbox's events. */
export const urgentRow = `(e.type IN (${urgent.map((type) => `'${type}'`).join(', ')})
  OR (e.type = 'group.updated' AND e.payload -> 'membersRemoved' IS NOT NULL)
  OR (e.type = 'user.updated' AND e.payload -> 'credentialTicket' IS NOT NULL))`;

/** What one job of a consumer's queue carries: events that were sent together, in the order of their making. */
export interface EventBatch {
  events: DomainEvent[];
}

/**
 * A job as it is in Redis: its batch, encrypted and authenticated by its sender. Whoever reads Redis learns nothing of the people it is
 * about; whoever writes to it can take jobs away, which is noticed; they can't make any.
 */
export interface SealedJob {
  sealed: string;
}

/** The consumer that stands for the graph's subscribers: a LiveRelay takes its deliveries, they go to no queue. */
export const liveConsumer = 'live';

/** The BullMQ queue of a consumer. Its prefix is `{prefix}`, a hash tag: all keys of a queue share a cluster slot. */
export const eventQueue = (consumer: string): string => `events-${consumer}`;

/** The BullMQ key prefix, and hash tag, for what configuration calls REDIS_PREFIX. */
export const queuePrefix = (prefix: string): string => `{${prefix}}`;

/** Events that one direct delivery may hold. */
const mostAtOnce = 1000;

/** What was sent to `POST /internal/v1/events`; undefined when it isn't a list of events. */
export function readEvents(body: unknown): DomainEvent[] | undefined {
  const events = (body as { events?: unknown } | null | undefined)?.events;
  if (!Array.isArray(events) || events.length === 0 || events.length > mostAtOnce) return undefined;
  return events.every(isEvent) ? events : undefined;
}

function isEvent(value: unknown): value is DomainEvent {
  if (typeof value !== 'object' || value === null) return false;
  const { id, tenant, type, subject, version, occurredAt, payload } = value as Record<string, unknown>;
  return (
    isUuid(String(id)) &&
    [tenant, type, subject].every((text) => typeof text === 'string') &&
    Number.isSafeInteger(version) &&
    !Number.isNaN(Date.parse(String(occurredAt))) &&
    typeof payload === 'object' &&
    payload !== null
  );
}
