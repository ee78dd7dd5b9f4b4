import { type Changes, currentActor, type NewSecurityEvent } from '../../audit/index.ts';
import type { ClosedDoors, DoorCounts, OwnedCounts, SubjectNews } from '../../subjects/index.ts';
import type { NewFact } from './facts.ts';
import { initiatingEntity } from './initiating-entity.ts';

export interface Closing {
  subjectId: string;
  /** The person's from now on: what an older one is in is worth nothing. */
  epoch: number;
  reason: string;
  closed: Omit<ClosedDoors, 'counts'> & { counts: DoorCounts & OwnedCounts };
  /** Of a departure: what the directory said. */
  news?: SubjectNews | undefined;
}

/** What everybody outside who subscribed is notified of when everything of a user was ended. */
export function closedDoorsFacts(
  { subjectId, reason, closed, news }: Closing,
  departureId: string | undefined,
): NewFact[] {
  const actor = news?.source?.actor ?? currentActor(subjectId);
  const about = {
    actor,
    subject: { kind: 'user', id: subjectId } as const,
    ...(news?.source?.traceparent !== undefined && { traceparent: news.source.traceparent }),
  };
  const data = {
    reason,
    initiatingEntity: initiatingEntity(actor, subjectId),
    ...(news && { departureId, directoryVersion: Number(news.version) }),
  };
  const { sessions, grants, refreshTokens, personalAccessTokens } = closed.counts;
  const tokens = refreshTokens + personalAccessTokens;
  return [
    // Without a session: whichever of theirs a receiver knows.
    { ...about, type: 'session.revoked', data },
    { ...about, type: 'user.doors_closed', data: { ...data, sessions, grants, tokens } },
  ];
}

/** How much of each kind was open, and is no longer. */
export const closedDoors = (counts: DoorCounts): Changes =>
  Object.fromEntries(Object.entries(counts).map(([door, before]) => [door, { before, after: 0 }]));

/** What `departuresOf` reads back. */
export function departureEvent(id: string, { subjectId, epoch, closed, news }: Closing): NewSecurityEvent {
  const source = news?.source;
  return {
    id,
    action: 'user.departed',
    resourceType: 'User',
    resourceId: subjectId,
    subjectId,
    ...(source && { actor: source.actor }),
    ...(source?.traceparent !== undefined && { traceparent: source.traceparent }),
    changes: {
      ...closedDoors(closed.counts),
      epoch: { before: epoch - 1, after: epoch },
      directoryVersion: { after: news?.version.toString() },
      trigger: { after: source?.type ?? 'directory.asked' },
      ...(source && { eventId: { after: source.eventId }, leftAt: { after: source.occurredAt } }),
    },
  };
}
