import type { Transactions } from '@ostiary/service';
import type { Claim, SecurityLog } from '../../../platform/index.ts';
import type { EventPublisher, RevocationFeed } from '../../../tenancy/index.ts';
import type { DelegationContent, DelegationStore } from './delegation-store.ts';
import type { Grants } from './grant-revocation.ts';

export interface DelegationPorts {
  database: Transactions;
  delegationStore: DelegationStore;
  grants: Pick<Grants, 'revocation'>;
  securityLog: SecurityLog;
  eventPublisher: Pick<EventPublisher, 'grantsEnded'>;
  revocations: RevocationFeed;
}

/** Opens and ends the delegations of users to agents. */
export class Delegations {
  readonly #o: DelegationPorts;

  constructor(options: DelegationPorts) {
    this.#o = options;
  }

  /**
   * Opens a delegation or adds to it, and records a new one.
   * @returns its id; undefined if it ended, or if the user, the grant or the agent ended or lost a scope
   */
  open(content: DelegationContent): Promise<string | undefined> {
    const { database, delegationStore, securityLog } = this.#o;
    return database.transaction(async (tx) => {
      const delegation = await delegationStore.open(tx, content);
      if (!delegation?.opened) return delegation?.id;
      const { tenant, clientId, subjectId, grantId, scopes, audiences } = content;
      await securityLog.record(tx, tenant, {
        action: 'delegation.created',
        resourceType: 'Delegation',
        resourceId: delegation.id,
        subjectId,
        changes: {
          clientId: { after: clientId },
          grantId: { after: grantId },
          scopes: { after: scopes },
          audiences: { after: audiences },
        },
        actor: { kind: 'client', id: clientId },
      });
      return delegation.id;
    });
  }

  /** Ends a delegation with all tokens of the agent under it. Returns false if none was active. */
  async end(
    tenant: string,
    id: string,
    { reason, claim }: { reason: string; claim?: Claim | undefined },
  ): Promise<boolean> {
    const { database, delegationStore, eventPublisher, grants, revocations, securityLog } = this.#o;
    const entries = await database.transaction(async (tx) => {
      const ended = await delegationStore.end(tx, tenant, id);
      if (!ended) return [];
      await claim?.(tx, tenant, ended.subjectId);
      await securityLog.record(tx, tenant, {
        action: 'delegation.ended',
        resourceType: 'Delegation',
        resourceId: id,
        subjectId: ended.subjectId,
        changes: { clientId: { before: ended.clientId }, reason: { after: reason } },
      });
      await eventPublisher.grantsEnded(tx, tenant, [ended], reason);
      return revocations.append(tx, [grants.revocation(tenant, id)], reason);
    });
    await revocations.publish(entries);
    return entries.length > 0;
  }
}
