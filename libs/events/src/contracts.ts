import { isUuid } from '@ostiary/service';
import type { VersionedTenantPolicy } from './tenant-policy.ts';

/** Actor of a change. */
export interface Actor {
  kind: 'user' | 'client' | 'connector' | 'service' | 'system';
  id: string;
  name?: string;
  /** Subject for which a client or service acted. */
  onBehalfOf?: string;
}

export interface TenantSnapshot {
  id: string;
  name: string;
  status: 'active' | 'suspended';
  /** Policy settings of the tenant; absent in events of releases without them. */
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

/** A user at one version: the data for projections, without secrets. */
export interface UserSnapshot {
  id: string;
  userName: string;
  active: boolean;
  displayName?: string;
  name?: { formatted?: string; givenName?: string; familyName?: string };
  /** `verified`: an identity source that the tenant trusts vouches that the address is the user's. */
  emails: { value: string; type?: string; primary?: boolean; verified?: true }[];
  locale?: string;
  /** An Accept-Language value (RFC 7643 section 4.1.1). */
  preferredLanguage?: string;
  zoneinfo?: string;
  /** The user's externalId per identity source (connector id). */
  externalIds: Record<string, string>;
  /** Identity source that made this change. */
  source?: string;
  /** A password staged with auth, to be activated with this change. */
  credentialTicket?: string;
  /**
   * End of the time in which a deletion can be undone, RFC 3339; a later event reports the restoration or the
   * final deletion.
   */
  restorableUntil?: string;
  /** Whether a deletion was undone. */
  restored?: true;
  /**
   * Departure that begins the absence which this event begins, continues or ends. Null if the user is active,
   * or was never active. Releases before 0.3.0 omit it.
   */
  departure?: UserDeparture | null;
  /** Names of the SCIM attributes that a creation or change set, changed or removed, including `password`. */
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
  /** Whether more members changed than are listed; read them from the directory. */
  membersTruncated?: boolean;
  /** Names of the SCIM attributes that a creation or change set, changed or removed. */
  changedAttributes?: string[];
}

/** Payloads by type of event. */
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

/** Version of the event envelope. It increases if older consumers would misinterpret the new one. */
export const envelopeVersion = 1;

interface EventOf<T extends EventType> {
  /** Absent for version 1. */
  envelope?: number;
  /** UUIDv7. */
  id: string;
  tenant: string;
  type: T;
  /** Id of the changed object. */
  subject: string;
  /**
   * Increases with every change of the subject. Events may be late or out of order: a consumer keeps the
   * highest.
   */
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

/** Reports whether this release supports the type of an event. Others are for newer consumers. */
export const isUnderstood = (event: DomainEvent, types: readonly string[] = eventTypes): boolean =>
  (event.envelope ?? 1) <= envelopeVersion && types.includes(event.type);

/** An event to be written: the outbox adds its id, time and trace. */
export type NewEvent = {
  [T in EventType]: Omit<EventOf<T>, 'id' | 'occurredAt' | 'traceparent' | 'envelope'> & { id?: string };
}[EventType];

/**
 * Reports whether an event is urgent: it revokes access, may revoke it (removal from a group, which may end a
 * role; a new password), or restores it. Urgent events are sent immediately however busy the outbox is, with
 * the events that wait; they overtake the queue, and are also delivered directly.
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

/** SQL condition equal to isUrgent, for a row `e` of the outbox's events. */
export const urgentRow = `(e.type IN (${urgent.map((type) => `'${type}'`).join(', ')})
  OR (e.type = 'group.updated' AND e.payload -> 'membersRemoved' IS NOT NULL)
  OR (e.type = 'user.updated' AND e.payload -> 'credentialTicket' IS NOT NULL))`;

/** Content of one job of a consumer's queue: events sent together, in the order of creation. */
export interface EventBatch {
  events: DomainEvent[];
}

/**
 * A job in Redis: its batch, encrypted and authenticated by the sender. Read access to Redis discloses no
 * user data; write access permits removing jobs, which is detected, but not creating them.
 */
export interface SealedJob {
  sealed: string;
}

/** Consumer for the graph's subscribers: a LiveRelay takes its deliveries, without a queue. */
export const liveConsumer = 'live';

/**
 * Returns the name of a consumer's BullMQ queue. Its prefix `{prefix}` is a hash tag: all keys of a queue
 * share a cluster slot.
 */
export const eventQueue = (consumer: string): string => `events-${consumer}`;

/** Returns the BullMQ key prefix and hash tag of REDIS_PREFIX. */
export const queuePrefix = (prefix: string): string => `{${prefix}}`;

/** Maximum number of events in one direct delivery. */
const maxBatchSize = 1000;

/** Parses the body of `POST /internal/v1/events`; undefined if it is not a list of events. */
export function readEvents(body: unknown): DomainEvent[] | undefined {
  const events = (body as { events?: unknown } | null | undefined)?.events;
  if (!Array.isArray(events) || events.length === 0 || events.length > maxBatchSize) return undefined;
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
