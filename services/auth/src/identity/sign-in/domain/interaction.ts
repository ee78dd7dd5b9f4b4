import type { AuthorizationRequest } from '../../../access/index.ts';

/** An authorization request that waits for a sign-in or a consent. */
export interface Interaction {
  request: AuthorizationRequest;
  /** Version of the client's registration at the time of the request. */
  clientVersion?: number;
  /** Digest of the browser's binding cookie. Only this browser can continue. */
  browser: string;
  /** Session of the interaction, set by the sign-in, or from the start if only consent is missing. */
  sessionId?: string;
  /** The user signed in for this request, which satisfies prompt=login and max_age. */
  signedIn?: boolean;
  /** The user confirmed the account of `sessionId`, which satisfies prompt=select_account. */
  selected?: boolean;
  /** Page of this service to which the user returns. The request then has no client. */
  returnTo?: string;
  /** Sign-in with a correct password that waits for its second factor. */
  pending?: PendingSignIn;
}

/** A sign-in that waits for its second factor. It grants nothing else. */
export interface PendingSignIn {
  subjectId: string;
  /** Epoch of the user at the password check. Offboarding also ends this sign-in. */
  subjectEpoch: number;
  /** Digest of the password's ticket. A change of the password also ends this sign-in. */
  password: string;
  /** Milliseconds since the epoch. */
  at: number;
}

export interface Interactions {
  put(tenant: string, id: string, interaction: Interaction): Promise<void>;
  find(tenant: string, id: string): Promise<Interaction | undefined>;
  /** Updates an open interaction. Returns false if it is closed. */
  signIn(tenant: string, id: string, interaction: Interaction): Promise<boolean>;
  /** Consumes the interaction. Of parallel callers, exactly one gets it. */
  take(tenant: string, id: string): Promise<Interaction | undefined>;
  /** Stores the outcome for 30 seconds, sealed by the caller, for a form that is sent twice. */
  conclude(tenant: string, id: string, outcome: Buffer): Promise<void>;
  /**
   * Returns the stored outcome. Waits up to 1.5 seconds for the caller that consumed the interaction. Undefined if
   * there is none or it has expired.
   */
  outcome(tenant: string, id: string): Promise<Buffer | undefined>;
}
