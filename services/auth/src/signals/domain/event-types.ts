import { SCIM_EVENT } from '@ostiary/scim';

const caep = 'https://schemas.openid.net/secevent/caep/event-type';
const risc = 'https://schemas.openid.net/secevent/risc/event-type';
const ssf = 'https://schemas.openid.net/secevent/ssf/event-type';

/** Events about the stream itself (SSF 1.0 §8.1.4.1, §8.1.5). They need no subscription. */
export const streamEvent = {
  verification: `${ssf}/verification`,
  streamUpdated: `${ssf}/stream-updated`,
} as const;

/** Events that a stream can request: CAEP 1.0 §3, RISC 1.0 §2, RFC 9967 §2.4. */
export const eventType = {
  sessionRevoked: `${caep}/session-revoked`,
  credentialChange: `${caep}/credential-change`,
  accountDisabled: `${risc}/account-disabled`,
  accountEnabled: `${risc}/account-enabled`,
  accountPurged: `${risc}/account-purged`,
  credentialCompromise: `${risc}/credential-compromise`,
  scimCreate: SCIM_EVENT.create,
  scimPatch: SCIM_EVENT.patch,
  scimDelete: SCIM_EVENT.delete,
  scimActivate: SCIM_EVENT.activate,
  scimDeactivate: SCIM_EVENT.deactivate,
} as const;

export type EventType = (typeof eventType)[keyof typeof eventType];

/**
 * Fact types by event. A fact with several events has as many deliveries: a SET has one event (CAEP Interoperability
 * Profile 1.0 §2.8.1).
 */
const factsOf: Readonly<Record<EventType, readonly string[]>> = {
  [eventType.sessionRevoked]: ['session.revoked'],
  [eventType.credentialChange]: ['credential.changed'],
  // A deletion that can be restored only disables the account; `restorableUntil` of the fact tells them apart.
  [eventType.accountDisabled]: ['user.deactivated', 'user.deleted'],
  [eventType.accountEnabled]: ['user.reactivated'],
  [eventType.accountPurged]: ['user.deleted'],
  [eventType.credentialCompromise]: ['credential.compromised'],
  // For receivers, a user restored after a deletion is a new resource.
  [eventType.scimCreate]: ['user.created', 'user.reactivated', 'user.deactivated', 'group.created'],
  // The request that deactivates or reactivates a user may change other attributes too.
  [eventType.scimPatch]: ['user.updated', 'user.deactivated', 'user.reactivated', 'group.updated'],
  [eventType.scimDelete]: ['user.deleted', 'group.deleted'],
  [eventType.scimActivate]: ['user.reactivated'],
  [eventType.scimDeactivate]: ['user.deactivated'],
};

export const eventsSupported: readonly EventType[] = Object.values(eventType);

export const isSupported = (uri: string): uri is EventType => Object.hasOwn(factsOf, uri);

/** Returns the fact types that a stream with these events needs, each with its events. */
export function variantsOf(events: readonly EventType[]): Record<string, EventType[]> {
  const variants: Record<string, EventType[]> = {};
  for (const uri of eventsSupported) {
    if (!events.includes(uri)) continue;
    for (const type of factsOf[uri]) variants[type] = [...(variants[type] ?? []), uri];
  }
  return variants;
}
