import type { Transaction } from '@ostiary/service';
import type { NewRevocation } from '../../../tenancy/index.ts';

/** Grant as shown to users: one authorization of a client by a user. */
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
 * Each method revokes grants, their refresh families and the personal access tokens that clients created under them, in
 * the caller's transaction. It returns the feed entries to append, which revoke tokens at verifiers. Entries of kind
 * `grant` may be omitted where a wider entry (subject, session, client) is appended in the same transaction. Entries of
 * kind `jti` name a token that only an entry of the subject covers.
 */
export interface Grants {
  /** @param keepOffline grants with `offline_access` outlive the session and are detached from it */
  revokeBySession(
    tx: Transaction,
    tenant: string,
    sessionId: string,
    o?: { keepOffline?: boolean },
  ): Promise<NewRevocation[]>;
  /** Also ends the delegations to the client as an agent. */
  revokeByClient(tx: Transaction, tenant: string, clientId: string): Promise<NewRevocation[]>;
  /**
   * Revokes the grants of a user for one client after a withdrawn consent, and the delegations to it. As an agent, the
   * client gets none under the other live grants of the user. The caller locks the user.
   */
  revokeByConsent(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    clientId: string,
  ): Promise<NewRevocation[]>;
  /** Revokes the grants of a user that cover any of these resources. @returns also the client of each */
  revokeByResources(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    resources: readonly string[],
  ): Promise<{ entries: NewRevocation[]; clientIds: string[] }>;
  revoke(tx: Transaction, tenant: string, grantId: string): Promise<NewRevocation[]>;
  ownerOf(
    tx: Transaction,
    tenant: string,
    grantId: string,
  ): Promise<{ subjectId: string; clientId: string } | undefined>;
  /**
   * Returns live grants of users with a role that include any of these scopes.
   * @param o `otherThan`: authentication classes to exclude; a grant without a sign-in has none
   */
  grantsOfRoleHolders(
    tx: Transaction,
    tenant: string,
    o: { scopes: readonly string[]; otherThan: readonly string[] },
  ): Promise<string[]>;
  /** Returns the feed entry that revokes the tokens of a grant or of a delegation. */
  revocation(tenant: string, id: string): NewRevocation;
  /** Returns live grants of these subjects, newest first. */
  listBySubjects(tenant: string, subjectIds: readonly string[], most?: number): Promise<GrantSummary[]>;
}
