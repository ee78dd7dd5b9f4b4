import type { LiveEvent } from '@ostiary/events/live';

/** Arguments of a subscription, as the schema coerced them. */
export type TopicArguments = Readonly<Record<string, unknown>>;

/** Source of an object of an event: a field of Query with an `id` argument. */
export interface EntitySource {
  query: string;
  /** Returns the id of the object; undefined when the event has none. */
  id: (event: LiveEvent) => string | undefined;
  /** The field of Query for users who may read only their own account. */
  own?: string;
}

/** One field of Subscription: its events and their fields. */
export interface Topic {
  kind: TopicKind;
  /** Reports whether an event matches the arguments. */
  matches: (event: LiveEvent, args: TopicArguments) => boolean;
  /** Returns the user of the event. Users without a scope receive their own events. */
  concerns?: (event: LiveEvent) => string;
  /** Values in the event itself, by field of its type. */
  fields: Readonly<Record<string, (event: LiveEvent) => unknown>>;
  /** Fields of its type that are read from the services, by name. */
  entities: Readonly<Record<string, EntitySource>>;
}

export type TopicKind = 'user' | 'group' | 'session' | 'sign_in' | 'provisioning';

/** Returns the part of an event's type before the dot. */
export const kindOf = (event: LiveEvent): TopicKind => event.type.split('.', 1)[0] as TopicKind;

const common = {
  id: (event: LiveEvent) => event.id,
  occurredAt: (event: LiveEvent) => event.occurredAt,
};

/** Returns the kind as a value of the schema's enum: user.created → CREATED. */
const change = (event: LiveEvent): string => event.type.slice(event.type.indexOf('.') + 1).toUpperCase();

const oneOf = (list: unknown, value: string): boolean =>
  list === undefined || list === null || (list as readonly string[]).includes(value);

const given = (value: unknown): value is string => value !== undefined && value !== null;

const data = (event: LiveEvent, name: string): string | number | null => event.data?.[name] ?? null;

const upperCase = (event: LiveEvent, name: string): string => String(data(event, name)).toUpperCase();

const subject = (event: LiveEvent): string => event.subject;

/** Every subscription, by its name in the schema. */
export const topics: Readonly<Record<string, Topic>> = {
  userChanged: {
    kind: 'user',
    matches: (event, { ids, kinds }) => oneOf(ids, event.subject) && oneOf(kinds, change(event)),
    concerns: subject,
    fields: { ...common, kind: change, userId: subject, version: (event) => event.version },
    entities: { user: { query: 'user', id: subject, own: 'me' } },
  },
  groupChanged: {
    kind: 'group',
    matches: (event, { ids, kinds }) => oneOf(ids, event.subject) && oneOf(kinds, change(event)),
    fields: { ...common, kind: change, groupId: subject, version: (event) => event.version },
    entities: { group: { query: 'group', id: subject } },
  },
  sessionRevoked: {
    kind: 'session',
    matches: (event, { userId }) => !given(userId) || event.subject === userId,
    concerns: subject,
    fields: { ...common, sessionId: (event) => data(event, 'sessionId'), userId: subject },
    entities: { user: { query: 'user', id: subject, own: 'me' } },
  },
  signInAttempted: {
    kind: 'sign_in',
    matches: (event, { userId, outcome }) =>
      (!given(userId) || data(event, 'userId') === userId) &&
      (!given(outcome) || upperCase(event, 'outcome') === outcome),
    fields: {
      ...common,
      attemptId: subject,
      userId: (event) => data(event, 'userId'),
      outcome: (event) => upperCase(event, 'outcome'),
    },
    entities: {
      attempt: { query: 'signInAttempt', id: subject },
      user: {
        query: 'user',
        id: (event) => (event.data?.userId === undefined ? undefined : String(event.data.userId)),
      },
    },
  },
  provisioningActivity: {
    kind: 'provisioning',
    matches: (event, { source, resourceId, failed }) =>
      (!given(source) || data(event, 'source') === source) &&
      (!given(resourceId) || data(event, 'resourceId') === resourceId) &&
      (failed !== true || Number(data(event, 'status')) >= 400),
    fields: {
      ...common,
      sourceId: (event) => data(event, 'source'),
      resourceType: (event) => data(event, 'resourceType'),
      resourceId: (event) => data(event, 'resourceId'),
      status: (event) => data(event, 'status'),
    },
    entities: {
      entry: { query: 'provisioningLogEntry', id: subject },
      user: {
        query: 'user',
        id: (event) =>
          data(event, 'resourceType') === 'User' ? String(data(event, 'resourceId')) : undefined,
      },
    },
  },
};
