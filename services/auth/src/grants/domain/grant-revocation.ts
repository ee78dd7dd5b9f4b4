import type { Transaction } from '@ostiary/service';
import type { NewRevocation } from '../../subjects/index.ts';

/** A grant as people see it: one authorization by them to one client. */
export interface GrantSummary {
  id: string;
  clientId: string;
  subjectId: string;
  sessionId: string | null;
  scopes: string[];
  createdAt: Date;
  expiresAt: Date;
}

/**
 * Each revoke marks the grants, their refresh families and the personal access tokens that apps made under them in the caller's
 * transaction and returns the feed entries that kill what verifiers hold: append them. Those of kind `grant` may be left out
 * where a wider entry (subject, session, client) is appended in the same transaction; those of kind `jti` name a token that
 * only the subject's entry covers.
 */
export interface Grants {
  /** `keepOffline`: grants with `offline_access` outlive the session; they are detached from it instead. */
  revokeBySession(
    tx: Transaction,
    tenant: string,
    sessionId: string,
    o?: { keepOffline?: boolean },
  ): Promise<NewRevocation[]>;
  revokeByClient(tx: Transaction, tenant: string, clientId: string): Promise<NewRevocation[]>;
  /** A person withdraws what they allowed one client. */
  revokeByConsent(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    clientId: string,
  ): Promise<NewRevocation[]>;
  revoke(tx: Transaction, tenant: string, grantId: string): Promise<NewRevocation[]>;
  /** Whose live grant this is, and to which app. */
  ownerOf(
    tx: Transaction,
    tenant: string,
    grantId: string,
  ): Promise<{ subjectId: string; clientId: string } | undefined>;
  /**
   * Live grants of people who have a role, which reach any of these scopes.
   * @param o `otherThan`: classes of sign-ins that are left out; a grant without a sign-in is of none
   */
  grantsOfRoleHolders(
    tx: Transaction,
    tenant: string,
    o: { scopes: readonly string[]; otherThan: readonly string[] },
  ): Promise<string[]>;
  /** Live grants of these subjects, newest first. */
  listBySubjects(tenant: string, subjectIds: readonly string[], most?: number): Promise<GrantSummary[]>;
}
