import type { Actor } from '@ostiary/events';

/** Of users and groups: what the directory's events tell, in the order of the subject's versions. */
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

/** Everything that somebody outside may be told; `docs/guides/webhooks.md` says what each carries. */
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

/** Whom or what a fact is about. */
export interface FactSubject {
  kind: SubjectKind;
  id: string;
}

/** Something that happened in a tenant. */
export interface Fact {
  /** UUIDv7. */
  id: string;
  type: FactType;
  subject: FactSubject;
  /** The directory's version of the subject, decimal; null for what the directory doesn't tell. */
  version: string | null;
  occurredAt: Date;
  /** Depends on the type; holds no secrets. */
  data: Record<string, unknown>;
  actor: Actor;
  traceparent: string | null;
}

/** A fact about to be written down. When it happened is now, and who did it is who acts, unless given. */
export interface NewFact {
  type: FactType;
  subject: FactSubject;
  version?: bigint;
  data: Record<string, unknown>;
  occurredAt?: Date;
  actor?: Actor;
  traceparent?: string;
}

/** Deliveries of one receiver and key go out in the order in which they were written. */
export const subjectKeyOf = ({ kind, id }: FactSubject): string => `${kind}:${id}`;
