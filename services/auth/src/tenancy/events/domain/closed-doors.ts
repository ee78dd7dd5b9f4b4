import type { Actor } from '@ostiary/events';
import { type Changes, currentActor, type NewSecurityEvent } from '../../../platform/index.ts';
import type { AccessPathCounts, ClosedAccessPaths, OwnedCounts } from '../../users/domain/closed-doors.ts';
import type { NewFact } from './facts.ts';
import { initiatingEntity } from './initiating-entity.ts';

/**
 * Offboarding as its report identifies it. It is the same for each event or answer of the directory that reveals it.
 */
export interface ReportedOffboarding {
  /** Version of the user in the directory. */
  version: bigint;
  /** Type of the directory's event, or `directory.asked` when a directory of an earlier release was asked. */
  trigger: string;
  eventId?: string;
  /** RFC 3339. */
  leftAt?: string;
  actor?: Actor;
  traceparent?: string | undefined;
}

export interface Closing {
  subjectId: string;
  /** Epochs of the user before and after; equal when there was nothing to revoke. */
  epoch: { before: number; after: number };
  reason: string;
  closed: Omit<ClosedAccessPaths, 'counts'> & { counts: AccessPathCounts & OwnedCounts };
  /** Secrets that the user received or supplied and that were revoked or transferred. */
  secrets?: readonly object[];
  departure?: ReportedOffboarding | undefined;
}

/** Maximum number of secrets in a report. */
const maxSecrets = 500;

/** Returns the messages to subscribed receivers about the revocation of all access of a user. */
export function closedAccessPathsFacts(
  { subjectId, reason, closed, departure }: Closing,
  departureId: string | undefined,
): NewFact[] {
  const actor = departure?.actor ?? currentActor(subjectId);
  const about = {
    actor,
    subject: { kind: 'user', id: subjectId } as const,
    ...(departure?.traceparent !== undefined && { traceparent: departure.traceparent }),
  };
  const data = {
    reason,
    initiatingEntity: initiatingEntity(actor, subjectId),
    ...(departure && { departureId, directoryVersion: Number(departure.version) }),
  };
  const { sessions, grants, refreshTokens, personalAccessTokens } = closed.counts;
  const tokens = refreshTokens + personalAccessTokens;
  return [
    // Without a session id: the event covers every session of the user that the receiver has.
    { ...about, type: 'session.revoked', data },
    { ...about, type: 'user.doors_closed', data: { ...data, sessions, grants, tokens } },
  ];
}

/** Returns the number of closed access paths by kind, as changes of the security log. */
export const closedAccessPaths = (counts: AccessPathCounts): Changes =>
  Object.fromEntries(Object.entries(counts).map(([door, before]) => [door, { before, after: 0 }]));

/** Returns the entry of the security log that `departuresOf` reads. */
export function offboardingEvent(
  id: string,
  { subjectId, epoch, closed, secrets = [] }: Closing,
  { version, trigger, eventId, leftAt, actor, traceparent }: ReportedOffboarding,
): NewSecurityEvent {
  return {
    id,
    action: 'user.departed',
    resourceType: 'User',
    resourceId: subjectId,
    subjectId,
    ...(actor && { actor }),
    ...(traceparent !== undefined && { traceparent }),
    changes: {
      ...closedAccessPaths(closed.counts),
      ...(secrets.length > 0 && { secrets: { before: secrets.slice(0, maxSecrets) } }),
      epoch,
      directoryVersion: { after: version.toString() },
      trigger: { after: trigger },
      ...(eventId !== undefined && { eventId: { after: eventId } }),
      ...(leftAt !== undefined && { leftAt: { after: leftAt } }),
    },
  };
}
