import type { Sql } from '@ostiary/database';
import type { Actor } from '@ostiary/events';
import { currentActor } from '../../audit/index.ts';
import { appendFacts } from '../data/facts.ts';
import { initiatingEntity } from './initiating-entity.ts';

/** Tells the outside, with the transaction that takes it, that apps have no access of a person's any more. */
export async function tellOfEndedGrants(
  tx: Sql,
  tenant: string,
  grants: readonly { subjectId: string; clientId: string; actor?: Actor | undefined }[],
  reason: string,
): Promise<void> {
  if (grants.length === 0) return;
  await appendFacts(
    tx,
    tenant,
    grants.map(({ subjectId, clientId, actor = currentActor(subjectId) }) => ({
      type: 'grant.revoked',
      subject: { kind: 'user', id: subjectId },
      data: { clientId, reason, initiatingEntity: initiatingEntity(actor, subjectId) },
      actor,
    })),
  );
}

/** The same of a client as a whole: nobody's access by it is left, so it isn't told of each of them. */
export const tellOfEndedClient = (tx: Sql, tenant: string, clientId: string, reason: string): Promise<void> =>
  appendFacts(tx, tenant, [
    { type: 'grant.revoked', subject: { kind: 'client', id: clientId }, data: { clientId, reason } },
  ]);
