import type { Actor } from '@ostiary/events';
import { currentActor } from '../../../platform/index.ts';
import type { NewFact } from './facts.ts';
import { initiatingEntity } from './initiating-entity.ts';

export interface EndedGrant {
  subjectId: string;
  clientId: string;
  /** Default: the actor of the request. */
  actor?: Actor | undefined;
}

export const grantFact = (
  { subjectId, clientId, actor = currentActor(subjectId) }: EndedGrant,
  reason: string,
): NewFact => ({
  type: 'grant.revoked',
  subject: { kind: 'user', id: subjectId },
  data: { clientId, reason, initiatingEntity: initiatingEntity(actor, subjectId) },
  actor,
});

/** Returns the event of a client's end. All grants of the client have ended, so they get no event of their own. */
export const clientFact = (clientId: string, reason: string): NewFact => ({
  type: 'grant.revoked',
  subject: { kind: 'client', id: clientId },
  data: { clientId, reason },
});
