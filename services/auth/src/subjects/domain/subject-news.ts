import type { Actor, UserDeparture } from '@ostiary/events';
import type { SubjectProfile } from './subject.ts';

/** What the directory says about a person: in an event, or in answer to a question. */
export interface SubjectNews {
  id: string;
  /** Version of the user resource; it alone orders news, never the time of arrival. */
  version: bigint;
  active: boolean;
  deleted: boolean;
  /** The deletion may be undone: what they sign in with is kept until it is said to be final. */
  restorable: boolean;
  /** The news is that the person came back: whatever was issued before is from before they left. */
  reactivated: boolean;
  profile: SubjectProfile;
  /** The departure that begins the absence which this state begins, continues or ends. Null: there was none. Undefined: the sender does not report it. */
  departure?: UserDeparture | null | undefined;
  /** The event that says so; none when the directory was asked. */
  source?: NewsSource;
}

export interface NewsSource {
  eventId: string;
  type: string;
  /** RFC 3339. */
  occurredAt: string;
  actor: Actor;
  traceparent?: string;
}
