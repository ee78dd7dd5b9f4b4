import type { Outcome } from './outcome.ts';

/** Identifies a submission of a caller; `digest` represents the request. */
export interface SubmissionName {
  tenant: string;
  owner: string;
  key: string;
  digest: Uint8Array;
}

/** A submission that this run executes or continues. */
export interface OpenSubmission {
  state: 'open';
  tenant: string;
  id: string;
  holder: string;
  startedAt: Date;
  /** Whether an earlier run has made progress. */
  resumed: boolean;
  outcomes: Map<number, Outcome>;
}

export type Submission =
  | OpenSubmission
  /** Executed already, with these outcomes. */
  | { state: 'finished'; outcomes: Map<number, Outcome> }
  /** In progress in another run, at least until then. */
  | { state: 'running'; leaseUntil: Date }
  /** The key was used for another request. */
  | { state: 'different' };

/** Lifetime in seconds of the lease of a stopped run. */
export const leaseSeconds = 10;

/** Bulk submissions by their Idempotency-Key. One run at a time executes a submission, across all processes. */
export interface SubmissionStore {
  /** Opens a submission, or returns the reason why not. Of concurrent calls, one opens it. */
  open(name: SubmissionName): Promise<Submission>;
  /**
   * Stores outcomes and extends the lease; without outcomes only the lease.
   * @returns false when another run holds the submission
   */
  keep(submission: OpenSubmission, outcomes: ReadonlyMap<number, Outcome>): Promise<boolean>;
  /** Ends a run: the submission is finished, or open again for a repetition by the client. */
  close(submission: OpenSubmission, finished: boolean): Promise<void>;
}
