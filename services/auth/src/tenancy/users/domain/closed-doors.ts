/** Number of credentials of each kind that ended with their owner or were transferred. */
export interface OwnedCounts {
  clients: number;
  serviceAccounts: number;
  apiKeys: number;
  initialAccessTokens: number;
  /** Secrets, keys and bindings that the user received or supplied for objects of other owners. */
  knownSecrets: number;
}

/** Access paths of a user that were just closed. */
export interface ClosedAccessPaths {
  /** Ids of browser sessions, including expired ones that were not ended. */
  sessions: readonly string[];
  /** Number of valid ones of each kind. */
  counts: AccessPathCounts;
  /** Clients registered for back-channel logout that had tokens in one of the sessions, or a live grant. */
  clients: readonly ClientWithSessions[];
}

export interface AccessPathCounts {
  sessions: number;
  grants: number;
  refreshTokens: number;
  /** Access of agents for the user. */
  delegations: number;
  personalAccessTokens: number;
  /** Links for setting new sign-in methods. */
  invitations: number;
}

export interface ClientWithSessions {
  clientId: string;
  /** Whether the client requires the session id. */
  sessionRequired: boolean;
  sessions: readonly string[];
}
