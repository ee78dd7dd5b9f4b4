import type { Actor } from '@ostiary/events';
import { currentActor } from '../../../platform/index.ts';
import type { ClientWithSessions } from '../../users/domain/closed-doors.ts';
import { type NewFact, subjectKeyOf } from './facts.ts';
import { initiatingEntity } from './initiating-entity.ts';
import type { NewDelivery } from './new-delivery.ts';

export interface EndedSession {
  id: string;
  subjectId: string;
  /** Clients that received tokens in the session and registered for back-channel logout. */
  clients: readonly string[];
}

/** Content of a back-channel logout: one session of a user, or all of them. */
export interface LogoutPayload extends Record<string, unknown> {
  subjectId: string;
  /** Absent: all sessions of the user at the client. */
  sessionId?: string;
  /** Entry of the security log of the offboarding that caused the logout. */
  departureId?: string;
}

/** Returns the logouts for the end of all sessions of a user, with session ids where the client requires them. */
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

/** Returns a logout delivery. A client receives those of one user in the order of the session ends. */
export const logoutDelivery = (clientId: string, payload: LogoutPayload): NewDelivery => ({
  receiverKind: 'backchannel_logout',
  receiverId: clientId,
  subjectKey: subjectKeyOf({ kind: 'user', id: payload.subjectId }),
  payload,
});
