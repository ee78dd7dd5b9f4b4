import type { Actor } from '@ostiary/events';
import { currentActor } from '../../audit/index.ts';
import type { NewFact } from './facts.ts';
import { initiatingEntity } from './initiating-entity.ts';

/** A grant that has ended. */
export interface EndedGrant {
  subjectId: string;
  clientId: string;
  /** Who ended it; whoever acts unless given. */
  actor?: Actor | undefined;
}

/** An app has no access of a user's any more. */
export const grantFact = (
  { subjectId, clientId, actor = currentActor(subjectId) }: EndedGrant,
  reason: string,
): NewFact => ({
  type: 'grant.revoked',
  subject: { kind: 'user', id: subjectId },
  data: { clientId, reason, initiatingEntity: initiatingEntity(actor, subjectId) },
  actor,
});

/** The same of a client as a whole: nobody's access by it is left, so each of them needs no fact of its own. */
export const clientFact = (clientId: string, reason: string): NewFact => ({
  type: 'grant.revoked',
  subject: { kind: 'client', id: clientId },
  data: { clientId, reason },
});
