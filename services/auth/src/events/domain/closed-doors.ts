import type { Sql } from '@ostiary/database';
import { uuidv7 } from '@ostiary/service';
import { record } from '../../audit/data/security-log.ts';
import { type Changes, currentActor, type NewSecurityEvent } from '../../audit/index.ts';
import type { ClosedDoors, DoorCounts, OwnedCounts, SubjectNews } from '../../subjects/index.ts';
import { appendDeliveries, appendFacts } from '../data/facts.ts';
import { initiatingEntity } from './initiating-entity.ts';
import { endOfAllSessions } from './session-ends.ts';

export interface Closing {
  subjectId: string;
  /** The person's from now on: what an older one is in is worth nothing. */
  epoch: number;
  reason: string;
  closed: Omit<ClosedDoors, 'counts'> & { counts: DoorCounts & OwnedCounts };
  /** Of a departure: what the directory said. */
  news?: SubjectNews | undefined;
}

/**
 * Remembers, with the transaction that does it, that everything of a person was ended, and tells the outside. A departure has its
 * entry in the security log, whose id what is told of it carries.
 */
export async function tellOfClosedDoors(tx: Sql, tenant: string, closing: Closing): Promise<void> {
  const { subjectId, reason, closed, news } = closing;
  const actor = news?.source?.actor ?? currentActor(subjectId);
  const departureId = news && uuidv7();
  if (departureId !== undefined) await record(tx, tenant, departureEvent(departureId, closing));
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
  await appendFacts(tx, tenant, [
    // Without a session: whichever of theirs a receiver knows.
    { ...about, type: 'session.revoked', data },
    {
      ...about,
      type: 'user.doors_closed',
      data: { ...data, sessions, grants, tokens: refreshTokens + personalAccessTokens },
    },
  ]);
  const deliveries = endOfAllSessions(subjectId, closed.clients, departureId);
  if (deliveries.length > 0) await appendDeliveries(tx, tenant, deliveries);
}

/** How much of each kind was open, and is no longer. */
export const closedDoors = (counts: DoorCounts): Changes =>
  Object.fromEntries(Object.entries(counts).map(([door, before]) => [door, { before, after: 0 }]));

/** What `departuresOf` reads back. */
function departureEvent(id: string, { subjectId, epoch, closed, news }: Closing): NewSecurityEvent {
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
