import type { Actor } from '@ostiary/events';

/** Types of directory events about users and groups, in the order of the subject's versions. */
export const directoryFactTypes = [
  'user.created',
  'user.updated',
  'user.deactivated',
  'user.reactivated',
  'user.deleted',
  'group.created',
  'group.updated',
  'group.deleted',
] as const;

/** Types of all events that receivers can subscribe to. `docs/guides/webhooks.md` describes their contents. */
export const factTypes = [
  ...directoryFactTypes,
  'session.revoked',
  'credential.changed',
  'credential.compromised',
  'grant.revoked',
  'user.doors_closed',
] as const;

export type FactType = (typeof factTypes)[number];

export type SubjectKind = 'user' | 'group' | 'client' | 'tenant';

export interface FactSubject {
  kind: SubjectKind;
  id: string;
}

export interface Fact {
  /** UUIDv7. */
  id: string;
  type: FactType;
  subject: FactSubject;
  /** Version of the subject in the directory, decimal; null for events of other origin. */
  version: string | null;
  occurredAt: Date;
  /** Depends on the type; contains no secrets. */
  data: Record<string, unknown>;
  actor: Actor;
  traceparent: string | null;
}

/** Fact to store. Time and actor default to those of the current request. */
export interface NewFact {
  type: FactType;
  subject: FactSubject;
  version?: bigint;
  data: Record<string, unknown>;
  occurredAt?: Date;
  actor?: Actor;
  traceparent?: string;
}

/**
 * Returns the key by which deliveries are ordered: those of one receiver and key are sent in the order of their
 * creation.
 */
export const subjectKeyOf = ({ kind, id }: FactSubject): string => `${kind}:${id}`;
