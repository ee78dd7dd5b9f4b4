import { SCIM_EVENT } from '@ostiary/scim';

const caep = 'https://schemas.openid.net/secevent/caep/event-type';
const risc = 'https://schemas.openid.net/secevent/risc/event-type';
const ssf = 'https://schemas.openid.net/secevent/ssf/event-type';

/** Events about the stream itself (SSF 1.0 §8.1.4.1, §8.1.5): sent without having been asked for. */
export const streamEvent = {
  verification: `${ssf}/verification`,
  streamUpdated: `${ssf}/stream-updated`,
} as const;

/** Events a stream can ask for: CAEP 1.0 §3, RISC 1.0 §2, RFC 9967 §2.4. */
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
 * Which facts each event tells of. A fact that several events tell of becomes as many deliveries: a SET has one event
 * (CAEP Interoperability Profile 1.0 §2.8.1).
 */
const factsOf: Readonly<Record<EventType, readonly string[]>> = {
  [eventType.sessionRevoked]: ['session.revoked'],
  [eventType.credentialChange]: ['credential.changed'],
  // A deletion that may be undone only disables the account; whether it is one, the fact says.
  [eventType.accountDisabled]: ['user.deactivated', 'user.deleted'],
  [eventType.accountEnabled]: ['user.reactivated'],
  [eventType.accountPurged]: ['user.deleted'],
  [eventType.credentialCompromise]: ['credential.compromised'],
  // Who is restored after a deletion is created anew for those who were told of it.
  [eventType.scimCreate]: ['user.created', 'user.reactivated', 'user.deactivated', 'group.created'],
  // Who leaves or comes back may have changed in other ways by the same request.
  [eventType.scimPatch]: ['user.updated', 'user.deactivated', 'user.reactivated', 'group.updated'],
  [eventType.scimDelete]: ['user.deleted', 'group.deleted'],
  [eventType.scimActivate]: ['user.reactivated'],
  [eventType.scimDeactivate]: ['user.deactivated'],
};

export const eventsSupported: readonly EventType[] = Object.values(eventType);

export const isSupported = (uri: string): uri is EventType => Object.hasOwn(factsOf, uri);

/** The facts that a stream with these events wants, each with the events that tell of it. */
export function variantsOf(events: readonly EventType[]): Record<string, EventType[]> {
  const variants: Record<string, EventType[]> = {};
  for (const uri of eventsSupported) {
    if (!events.includes(uri)) continue;
    for (const type of factsOf[uri]) variants[type] = [...(variants[type] ?? []), uri];
  }
  return variants;
}
