import type { Transaction } from '@ostiary/service';

/** Consenting user and the state on which the consent is based, at the time of the request. */
export interface ConsentingUser {
  session: { id: string; subjectId: string; subjectEpoch: number };
  /** Consent revocation counter for the client. */
  withdrawals: number;
  /** Version of the client's registration shown to the user. */
  clientVersion: number;
}

/** Consents of users that are not withdrawn. */
export interface ConsentStore {
  /** Returns the scopes that a user has consented to for a client and not withdrawn. */
  consentedScopes(
    sql: Transaction,
    tenant: string,
    subjectId: string,
    clientId: string,
  ): Promise<ReadonlySet<string>>;
  /**
   * Adds scopes to a consent. Writes nothing if the user's access or session was ended, the consent was withdrawn, or
   * the client's registration changed since the request: a consent in progress must not survive those.
   */
  rememberConsent(
    sql: Transaction,
    tenant: string,
    consentingPerson: ConsentingUser,
    clientId: string,
    scopes: readonly string[],
  ): Promise<void>;
  /** Deletes all consents of a user. Each client has to ask again. */
  forgetConsents(tx: Transaction, tenant: string, subjectId: string): Promise<void>;
}
