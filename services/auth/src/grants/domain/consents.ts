import type { Transaction } from '@ostiary/service';

/** Who allows something, and what it rests on; as it was when they were asked. */
export interface ConsentingPerson {
  session: { id: string; subjectId: string; subjectEpoch: number };
  /** How often they had taken back what they allowed the client. */
  withdrawals: number;
  /** Version of the client's registration for which they were asked. */
  clientVersion: number;
}

/** What people allowed apps, and did not take back. */
export interface ConsentStore {
  /** The scopes a person has allowed a client before, and not taken back. */
  consentedScopes(
    sql: Transaction,
    tenant: string,
    subjectId: string,
    clientId: string,
  ): Promise<ReadonlySet<string>>;
  /**
   * Remembers what a person allowed a client, added to what they allowed it before; unless everything of theirs, or the session, was
   * ended since they were asked, they took it back, or the registration of the client was changed: what is on its way must not be there
   * afterwards.
   */
  rememberConsent(
    sql: Transaction,
    tenant: string,
    consentingPerson: ConsentingPerson,
    clientId: string,
    scopes: readonly string[],
  ): Promise<void>;
  /** Every app has to ask anew. */
  forgetConsents(tx: Transaction, tenant: string, subjectId: string): Promise<void>;
}
