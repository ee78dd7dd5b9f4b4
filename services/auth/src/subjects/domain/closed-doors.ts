/** How many credentials of each kind ended with their owner, or were given to another. */
export interface OwnedCounts {
  clients: number;
  serviceAccounts: number;
  apiKeys: number;
  initialAccessTokens: number;
  /** Secrets, keys and bindings that they received or supplied, beyond what they owned. */
  knownSecrets: number;
}

/** What was open of a person and has just been closed. */
export interface ClosedDoors {
  /** Ids of browser sessions, those included that had expired without being ended. */
  sessions: readonly string[];
  /** How many of each were still good. */
  counts: DoorCounts;
  /** The clients to be told, of those that want to be: they had tokens in one of the sessions, or a grant that was live. */
  clients: readonly ClientWithSessions[];
}

export interface DoorCounts {
  sessions: number;
  grants: number;
  refreshTokens: number;
  personalAccessTokens: number;
  /** Links that would have opened the account anew. */
  invitations: number;
}

export interface ClientWithSessions {
  clientId: string;
  /** Whether it has to be told which session it was. */
  sessionRequired: boolean;
  sessions: readonly string[];
}
