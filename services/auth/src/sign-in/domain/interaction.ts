import type { AuthorizationRequest } from '../../grants/index.ts';

/** An authorization request waiting for a user: to sign in, to consent, or both. */
export interface Interaction {
  request: AuthorizationRequest;
  /** Version of the client's registration when the request was made. */
  clientVersion?: number;
  /** Digest of the browser's binding cookie: no other browser can go on with it. */
  browser: string;
  /** The session this request goes on with; set by signing in, or from the start when only consent is missing. */
  sessionId?: string;
  /** Whether the user signed in for this request, which satisfies prompt=login and max_age. */
  signedIn?: boolean;
  /** Whether the user chose to go on with `sessionId`, which satisfies prompt=select_account. */
  selected?: boolean;
  /** A page of ours the user wants to see: then there is no client, and `request` holds little. */
  returnTo?: string;
  /** Whose password was right, while their second factor is still missing. */
  pending?: PendingSignIn;
}

/** A sign-in that waits for its second factor. It counts for nothing but asking for that. */
export interface PendingSignIn {
  subjectId: string;
  /** The subject's epoch when the password was right: a departure ends this too. */
  subjectEpoch: number;
  /** Digest of the password's hash: changing the password ends this too. */
  password: string;
  /** Milliseconds since the epoch. */
  at: number;
}

export interface Interactions {
  put(tenant: string, id: string, interaction: Interaction): Promise<void>;
  find(tenant: string, id: string): Promise<Interaction | undefined>;
  /** Notes the session of an interaction that is still open; false when it no longer is. */
  signIn(tenant: string, id: string, interaction: Interaction): Promise<boolean>;
  /** Takes the interaction out: of any number of callers exactly one gets it. */
  take(tenant: string, id: string): Promise<Interaction | undefined>;
  /** Keeps how it ended for a moment, sealed by the caller, for a form that is sent twice. */
  conclude(tenant: string, id: string, outcome: Buffer): Promise<void>;
  /** How it ended just now; waits a moment for the caller who took it. Undefined: it didn't, or long ago. */
  outcome(tenant: string, id: string): Promise<Buffer | undefined>;
}
