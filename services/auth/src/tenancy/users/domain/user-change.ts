import type { Actor, UserDeparture } from '@ostiary/events';
import type { SubjectProfile } from './subject.ts';

/** State of a user in the directory: from an event, or from an answer. */
export interface UserChange {
  id: string;
  /** Version of the user resource. It alone orders updates; the time of arrival does not. */
  version: bigint;
  active: boolean;
  deleted: boolean;
  /** The deletion may be undone: sign-in methods are kept until it is final. */
  restorable: boolean;
  /** The update is a reactivation: everything issued before it precedes the offboarding. */
  reactivated: boolean;
  profile: SubjectProfile;
  /**
   * Offboarding that begins the inactive period which this state begins, continues or ends. Null: there was none.
   * Undefined: the sender does not report it.
   */
  departure?: UserDeparture | null | undefined;
  /** Event that contains the state; absent when the directory was asked. */
  source?: UserChangeSource;
}

export interface UserChangeSource {
  eventId: string;
  type: string;
  /** RFC 3339. */
  occurredAt: string;
  actor: Actor;
  traceparent?: string;
}
