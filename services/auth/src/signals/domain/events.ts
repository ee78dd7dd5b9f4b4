import { weakEtag } from '@ostiary/scim';
import { type EventType, eventType, streamEvent } from './event-types.ts';
import type { SubjectFormat, SubjectIdentifier } from './subjects.ts';

/** The members of a fact from which events are made. */
export interface PublishedFact {
  type: string;
  subject: { kind: string; id: string };
  /** Version of the subject in the directory, decimal. */
  version: string | null;
  occurredAt: Date;
  data: Readonly<Record<string, unknown>>;
}

/** Content of an event: `sub_id` and the one member of `events` (RFC 8417 §2.2, SSF 1.0 §4). */
export interface EventContent {
  subId: SubjectIdentifier;
  uri: string;
  payload: Record<string, unknown>;
}

export interface Transmission {
  tenant: string;
  issuer: string;
  /** Subject identifier format that the stream requests. */
  format: SubjectFormat;
  /** E-mail address of the user, when it is known and the stream requests it. */
  email: string | undefined;
}

/**
 * Returns the event of a type for a fact; undefined when the fact is not such an event. Example: a deletion that can be
 * restored purges nothing.
 */
export function eventOf(uri: EventType, fact: PublishedFact, to: Transmission): EventContent | undefined {
  const payload = payloads[uri](fact);
  return (
    payload && {
      subId: uri.startsWith('urn:') ? scimSubject(fact) : userSubject(uri, fact, to),
      uri,
      payload,
    }
  );
}

/** Event that answers a verification request (SSF 1.0 §8.1.4.1). */
export const verificationEvent = (streamId: string, state: string | undefined): EventContent => ({
  subId: { format: 'opaque', id: streamId },
  uri: streamEvent.verification,
  payload: state === undefined ? {} : { state },
});

/** Event that notifies the receiver of a status change by the transmitter (SSF 1.0 §8.1.5). */
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
  // CAEP 1.0 §3.1 defines no event-specific claims.
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

/**
 * Optional members of every CAEP event (CAEP 1.0 §2); the reason is never empty (CAEP Interoperability Profile 1.0 §3).
 */
const circumstances = (fact: PublishedFact, otherwise: string): Record<string, unknown> => ({
  event_timestamp: seconds(fact.occurredAt),
  ...member('initiating_entity', text(fact.data.initiatingEntity)),
  reason_admin: { en: reasonOf(fact) ?? otherwise },
});

/** RISC 1.0 §2.3 defines two reasons; others are omitted. */
function disabledFor({ data }: PublishedFact): Record<string, unknown> {
  return data.reason === 'hijacking' || data.reason === 'bulk-account' ? { reason: data.reason } : {};
}

/** Activation and deactivation have their own events, so `active` is omitted here. */
function patched(fact: PublishedFact): Record<string, unknown> | undefined {
  if (isRestored(fact)) return undefined;
  const isActiveChange = fact.type === 'user.deactivated' || fact.type === 'user.reactivated';
  const attributes = attributesOf(fact).filter((name) => !isActiveChange || name !== 'active');
  return isActiveChange && attributes.length === 0 ? undefined : { ...versionOf(fact), attributes };
}

const isRestored = ({ data }: PublishedFact): boolean => data.restored === true;

const isRestorable = ({ data }: PublishedFact): boolean => typeof data.restorableUntil === 'string';

function userSubject(uri: EventType, fact: PublishedFact, to: Transmission): SubjectIdentifier {
  const user: SubjectIdentifier =
    to.format === 'email' && to.email !== undefined
      ? { format: 'email', email: to.email }
      : { format: 'iss_sub', iss: to.issuer, sub: fact.subject.id };
  const session = uri === eventType.sessionRevoked ? text(fact.data.sessionId) : undefined;
  if (session === undefined) return user;
  // With a session, the subject is that session; a user alone means all of their sessions.
  return {
    format: 'complex',
    session: { format: 'opaque', id: session },
    user,
    tenant: { format: 'opaque', id: to.tenant },
  };
}

function scimSubject({ subject, data }: PublishedFact): SubjectIdentifier {
  const externalIds = Object.values((data.externalIds ?? {}) as Record<string, unknown>);
  // Each connector has its own external id; with several, the choice would be ambiguous.
  const externalId = externalIds.length === 1 ? text(externalIds[0]) : undefined;
  return {
    format: 'scim',
    uri: `/${subject.kind === 'group' ? 'Groups' : 'Users'}/${subject.id}`,
    ...member('externalId', externalId),
  };
}

/** ETag of the resource after the event (RFC 9967 §2.2). */
function versionOf({ version }: PublishedFact): Record<string, unknown> {
  return version === null ? {} : { version: weakEtag(version) };
}

/** Names of the changed attributes (RFC 9967 §2.2). */
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
