import { weakEtag } from '@ostiary/scim';
import { type EventType, eventType, streamEvent } from './event-types.ts';
import type { SubjectFormat, SubjectIdentifier } from './subjects.ts';

/** A fact, as far as events are made from it. */
export interface PublishedFact {
  type: string;
  subject: { kind: string; id: string };
  /** The directory's version of the subject, decimal. */
  version: string | null;
  occurredAt: Date;
  data: Readonly<Record<string, unknown>>;
}

/** What an event says, and about whom: `sub_id` and the one member of `events` (RFC 8417 §2.2, SSF 1.0 §4). */
export interface EventContent {
  subId: SubjectIdentifier;
  uri: string;
  payload: Record<string, unknown>;
}

export interface Transmission {
  tenant: string;
  issuer: string;
  /** How the stream wants people named. */
  format: SubjectFormat;
  /** The person's address, when it is known and the stream asks for it. */
  email: string | undefined;
}

/**
 * The event of one type that tells of a fact. Undefined when the fact isn't one of that kind after all: a deletion that
 * may be undone purges nothing.
 */
export function eventOf(uri: EventType, fact: PublishedFact, to: Transmission): EventContent | undefined {
  const payload = payloads[uri](fact);
  return (
    payload && {
      subId: uri.startsWith('urn:') ? scimSubject(fact) : personSubject(uri, fact, to),
      uri,
      payload,
    }
  );
}

/** The event that answers a verification request (SSF 1.0 §8.1.4.1). */
export const verificationEvent = (streamId: string, state: string | undefined): EventContent => ({
  subId: { format: 'opaque', id: streamId },
  uri: streamEvent.verification,
  payload: state === undefined ? {} : { state },
});

/** The event by which the transmitter tells that it changed the status of a stream (SSF 1.0 §8.1.5). */
export const streamUpdatedEvent = (
  streamId: string,
  change: { status: string; reason: string | undefined },
): EventContent => ({
  subId: { format: 'opaque', id: streamId },
  uri: streamEvent.streamUpdated,
  payload: { status: change.status, ...(change.reason === undefined ? {} : { reason: change.reason }) },
});

type Payload = (fact: PublishedFact) => Record<string, unknown> | undefined;

const always: Payload = () => ({});

const payloads: Readonly<Record<EventType, Payload>> = {
  // CAEP 1.0 §3.1 has no claims of its own.
  [eventType.sessionRevoked]: (fact) => circumstances(fact, 'The session was ended.'),
  [eventType.credentialChange]: (fact) => ({
    credential_type: text(fact.data.credentialType) ?? 'password',
    change_type: text(fact.data.changeType) ?? 'update',
    ...member('friendly_name', text(fact.data.friendlyName)),
    ...circumstances(fact, 'A credential was changed.'),
  }),
  [eventType.credentialCompromise]: (fact) => ({
    credential_type: text(fact.data.credentialType) ?? 'password',
    event_timestamp: seconds(fact.occurredAt),
    reason_admin: { en: reasonOf(fact) ?? 'A credential was reported as compromised.' },
  }),
  [eventType.accountDisabled]: (fact) =>
    fact.type === 'user.deleted' && !isRestorable(fact) ? undefined : disabledFor(fact),
  [eventType.accountEnabled]: always,
  [eventType.accountPurged]: (fact) => (isRestorable(fact) ? undefined : {}),
  [eventType.scimCreate]: (fact) =>
    fact.type.endsWith('.created') || isRestored(fact)
      ? { ...versionOf(fact), attributes: attributesOf(fact) }
      : undefined,
  [eventType.scimPatch]: patched,
  [eventType.scimDelete]: always,
  [eventType.scimActivate]: (fact) => (isRestored(fact) ? undefined : versionOf(fact)),
  [eventType.scimDeactivate]: (fact) => (isRestored(fact) ? undefined : versionOf(fact)),
};

/** What every CAEP event may say of how it came about (CAEP 1.0 §2); the reason is never empty (CAEP Interoperability Profile 1.0 §3). */
const circumstances = (fact: PublishedFact, otherwise: string): Record<string, unknown> => ({
  event_timestamp: seconds(fact.occurredAt),
  ...member('initiating_entity', text(fact.data.initiatingEntity)),
  reason_admin: { en: reasonOf(fact) ?? otherwise },
});

/** RISC 1.0 §2.3 knows two reasons; any other is nobody's business there. */
function disabledFor({ data }: PublishedFact): Record<string, unknown> {
  return data.reason === 'hijacking' || data.reason === 'bulk-account' ? { reason: data.reason } : {};
}

/** That a person left or came back has an event of its own. */
function patched(fact: PublishedFact): Record<string, unknown> | undefined {
  if (isRestored(fact)) return undefined;
  const isActiveChange = fact.type === 'user.deactivated' || fact.type === 'user.reactivated';
  const attributes = attributesOf(fact).filter((name) => !isActiveChange || name !== 'active');
  return isActiveChange && attributes.length === 0 ? undefined : { ...versionOf(fact), attributes };
}

const isRestored = ({ data }: PublishedFact): boolean => data.restored === true;

const isRestorable = ({ data }: PublishedFact): boolean => typeof data.restorableUntil === 'string';

function personSubject(uri: EventType, fact: PublishedFact, to: Transmission): SubjectIdentifier {
  const user: SubjectIdentifier =
    to.format === 'email' && to.email !== undefined
      ? { format: 'email', email: to.email }
      : { format: 'iss_sub', iss: to.issuer, sub: fact.subject.id };
  const session = uri === eventType.sessionRevoked ? text(fact.data.sessionId) : undefined;
  if (session === undefined) return user;
  // With a session in it, the event is about that one; a person alone means all of theirs.
  return {
    format: 'complex',
    session: { format: 'opaque', id: session },
    user,
    tenant: { format: 'opaque', id: to.tenant },
  };
}

function scimSubject({ subject, data }: PublishedFact): SubjectIdentifier {
  const externalIds = Object.values((data.externalIds ?? {}) as Record<string, unknown>);
  // Each connector has its own; only when there is just one is it clear which is meant.
  const externalId = externalIds.length === 1 ? text(externalIds[0]) : undefined;
  return {
    format: 'scim',
    uri: `/${subject.kind === 'group' ? 'Groups' : 'Users'}/${subject.id}`,
    ...member('externalId', externalId),
  };
}

/** The resource's ETag after the event (RFC 9967 §2.2). */
function versionOf({ version }: PublishedFact): Record<string, unknown> {
  return version === null ? {} : { version: weakEtag(version) };
}

/** The names of what changed (RFC 9967 §2.2). */
function attributesOf({ data }: PublishedFact): string[] {
  return Array.isArray(data.changedAttributes)
    ? data.changedAttributes.filter((name): name is string => typeof name === 'string')
    : [];
}

const reasonOf = ({ data }: PublishedFact): string | undefined => text(data.reason);

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

const member = <N extends string>(name: N, value: string | undefined): { [K in N]?: string } =>
  (value === undefined ? {} : { [name]: value }) as { [K in N]?: string };

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000);
