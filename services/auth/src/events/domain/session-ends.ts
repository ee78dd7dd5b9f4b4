import type { Sql } from '@ostiary/database';
import type { Actor } from '@ostiary/events';
import { currentActor } from '../../audit/index.ts';
import type { EndedSession } from '../../sessions/index.ts';
import type { ClientWithSessions } from '../../subjects/index.ts';
import { appendDeliveries, appendFacts } from '../data/facts.ts';
import { type NewFact, subjectKeyOf } from './facts.ts';
import { initiatingEntity } from './initiating-entity.ts';
import type { NewDelivery } from './new-delivery.ts';

/** What a back-channel logout is sent about: one session of a person, or all of them. */
export interface LogoutPayload extends Record<string, unknown> {
  subjectId: string;
  /** Absent: whatever session of the person the client still has. */
  sessionId?: string;
  /** The security log's entry of the departure it is a part of. */
  departureId?: string;
}

/**
 * Tells the outside, with the transaction that ended them, of sessions that somebody ended: the receivers of facts, and each
 * client that was given tokens in one of them.
 * @param actor who did it; whoever acts unless given
 */
export async function tellOfEndedSessions(
  tx: Sql,
  tenant: string,
  sessions: readonly EndedSession[],
  reason: string,
  actor?: Actor,
): Promise<void> {
  if (sessions.length === 0) return;
  await appendFacts(
    tx,
    tenant,
    sessions.map((session) => sessionFact(session, reason, actor)),
  );
  const deliveries = sessions.flatMap(({ id, subjectId, clients }) =>
    clients.map((clientId) => logoutDelivery(clientId, { subjectId, sessionId: id })),
  );
  if (deliveries.length > 0) await appendDeliveries(tx, tenant, deliveries);
}

/** What clients are to be told when all sessions of a person end at once: which they were, where a client has to know that. */
export const endOfAllSessions = (
  subjectId: string,
  clients: readonly ClientWithSessions[],
  departureId: string | undefined,
): NewDelivery[] =>
  clients.flatMap(({ clientId, sessionRequired, sessions }) => {
    const payload = { subjectId, ...(departureId !== undefined && { departureId }) };
    return sessionRequired
      ? sessions.map((sessionId) => logoutDelivery(clientId, { ...payload, sessionId }))
      : [logoutDelivery(clientId, payload)];
  });

function sessionFact(
  { id, subjectId }: EndedSession,
  reason: string,
  actor: Actor = currentActor(subjectId),
): NewFact {
  return {
    type: 'session.revoked',
    subject: { kind: 'user', id: subjectId },
    data: {
      sessionId: id,
      reason,
      initiatingEntity: initiatingEntity(actor, subjectId),
    },
    actor,
  };
}

/** A client hears of one person's sessions in the order of their ends. */
const logoutDelivery = (clientId: string, payload: LogoutPayload): NewDelivery => ({
  receiverKind: 'backchannel_logout',
  receiverId: clientId,
  subjectKey: subjectKeyOf({ kind: 'user', id: payload.subjectId }),
  payload,
});
