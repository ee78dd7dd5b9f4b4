import type { Actor } from '@ostiary/events';
import { currentActor } from '../../audit/index.ts';
import type { ClientWithSessions } from '../../subjects/index.ts';
import { type NewFact, subjectKeyOf } from './facts.ts';
import { initiatingEntity } from './initiating-entity.ts';
import type { NewDelivery } from './new-delivery.ts';

/** A session that has ended. */
export interface EndedSession {
  id: string;
  subjectId: string;
  /** The clients that were given tokens in it and want to be notified of its end. */
  clients: readonly string[];
}

/** What a back-channel logout is sent about: one session of a person, or all of them. */
export interface LogoutPayload extends Record<string, unknown> {
  subjectId: string;
  /** Absent: whatever session of the person the client still has. */
  sessionId?: string;
  /** The security log's entry of the departure it is a part of. */
  departureId?: string;
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

/** A session of a user has ended. */
export function sessionFact(
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

/** A client is notified of one user's sessions in the order of their ends. */
export const logoutDelivery = (clientId: string, payload: LogoutPayload): NewDelivery => ({
  receiverKind: 'backchannel_logout',
  receiverId: clientId,
  subjectKey: subjectKeyOf({ kind: 'user', id: payload.subjectId }),
  payload,
});
