import type { Actor } from '@ostiary/events';
import { type Transaction, uuidv7 } from '@ostiary/service';
import type { SecurityLog } from '../../../platform/index.ts';
import { type Closing, closedAccessPathsFacts, offboardingEvent } from './closed-doors.ts';
import { type CredentialChange, credentialFact } from './credential-changes.ts';
import type { FactStore } from './fact-store.ts';
import { clientFact, type EndedGrant, grantFact } from './grant-ends.ts';
import { type EndedSession, endOfAllSessions, logoutDelivery, sessionFact } from './session-ends.ts';

export interface EventPublisherOptions {
  facts: FactStore;
  securityLog: SecurityLog;
}

/** Publishes changes of users and clients to receivers, in the transaction of the change. */
export class EventPublisher {
  readonly #facts: EventPublisherOptions['facts'];
  readonly #securityLog: SecurityLog;

  constructor({ facts, securityLog }: EventPublisherOptions) {
    this.#facts = facts;
    this.#securityLog = securityLog;
  }

  async credentialsChanged(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    changes: readonly CredentialChange[],
  ): Promise<void> {
    if (changes.length === 0) return;
    await this.#facts.appendFacts(
      tx,
      tenant,
      changes.map((change) => credentialFact(subjectId, change)),
    );
  }

  async grantsEnded(
    tx: Transaction,
    tenant: string,
    grants: readonly EndedGrant[],
    reason: string,
  ): Promise<void> {
    if (grants.length === 0) return;
    await this.#facts.appendFacts(
      tx,
      tenant,
      grants.map((grant) => grantFact(grant, reason)),
    );
  }

  async clientEnded(tx: Transaction, tenant: string, clientId: string, reason: string): Promise<void> {
    await this.#facts.appendFacts(tx, tenant, [clientFact(clientId, reason)]);
  }

  /**
   * Publishes the end of sessions: to subscribed receivers, and to each client that received tokens in one of them.
   * @param actor default: the actor of the request
   */
  async sessionsEnded(
    tx: Transaction,
    tenant: string,
    sessions: readonly EndedSession[],
    reason: string,
    actor?: Actor,
  ): Promise<void> {
    if (sessions.length === 0) return;
    await this.#facts.appendFacts(
      tx,
      tenant,
      sessions.map((session) => sessionFact(session, reason, actor)),
    );
    const deliveries = sessions.flatMap(({ id, subjectId, clients }) =>
      clients.map((clientId) => logoutDelivery(clientId, { subjectId, sessionId: id })),
    );
    if (deliveries.length > 0) await this.#facts.appendDeliveries(tx, tenant, deliveries);
  }

  /**
   * Publishes the revocation of all access of a user. An offboarding also gets an entry in the security log; the events
   * contain its id.
   */
  async doorsClosed(tx: Transaction, tenant: string, closing: Closing): Promise<void> {
    const { departure } = closing;
    const departureId = departure && uuidv7();
    if (departure && departureId !== undefined)
      await this.#securityLog.record(tx, tenant, offboardingEvent(departureId, closing, departure));
    await this.#facts.appendFacts(tx, tenant, closedAccessPathsFacts(closing, departureId));
    const deliveries = endOfAllSessions(closing.subjectId, closing.closed.clients, departureId);
    if (deliveries.length > 0) await this.#facts.appendDeliveries(tx, tenant, deliveries);
  }
}
