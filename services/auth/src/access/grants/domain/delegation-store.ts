import type { Transaction } from '@ostiary/service';

/** Access that an agent receives for a user with a token of one of the user's grants. */
export interface DelegationContent {
  tenant: string;
  /** Grant of the user from which the subject token descends. */
  grantId: string;
  /** The agent. */
  clientId: string;
  clientEpoch: number;
  subjectId: string;
  subjectEpoch: number;
  scopes: readonly string[];
  audiences: readonly string[];
}

export interface DelegationStore {
  /**
   * Opens the delegation of an agent under a grant, or adds to the existing one. Exactly one exists per grant and agent.
   * Returns undefined if it ended, or if the user, the grant or the agent ended or lost a scope.
   */
  open(tx: Transaction, content: DelegationContent): Promise<{ id: string; opened: boolean } | undefined>;
  /**
   * Ends a delegation. The agent opens no other under the live grants of the user; those that it has stay. Returns
   * undefined if none was active.
   */
  end(
    tx: Transaction,
    tenant: string,
    id: string,
  ): Promise<{ subjectId: string; clientId: string } | undefined>;
}
