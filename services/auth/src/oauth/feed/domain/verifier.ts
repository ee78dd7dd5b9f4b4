/** Maximum number of clients that are listed for an API. */
export const maxVerifiers = 500;

/** A client that serves an API and can follow its revocation feed. */
export interface Verifier {
  /** Identifier of the API. */
  identifier: string;
  clientId: string;
  /** Number of followers, at least 1 while the client follows. */
  followers: number;
  /** Time up to which the followers had received everything; null if the client has not followed recently. */
  lastSeenAt: Date | null;
  /** Milliseconds; null if the client has not followed recently. */
  lagMs: number | null;
}

/** Returns the verifiers of APIs, the oldest clients first. */
export type VerifiersOf = (tenant: string, identifiers: readonly string[]) => Promise<Verifier[]>;
