import type { Outcome } from './outcome.ts';

/** Which submission of whom; `digest` stands for the request. */
export interface SubmissionName {
  tenant: string;
  owner: string;
  key: string;
  digest: Uint8Array;
}

/** A submission that is to be carried out now, or on. */
export interface OpenSubmission {
  state: 'open';
  tenant: string;
  id: string;
  holder: string;
  startedAt: Date;
  /** Whether an earlier run got somewhere. */
  resumed: boolean;
  outcomes: Map<number, Outcome>;
}

export type Submission =
  | OpenSubmission
  /** Carried out already; this is what came of it. */
  | { state: 'finished'; outcomes: Map<number, Outcome> }
  /** Under way elsewhere, at least until then. */
  | { state: 'running'; leaseUntil: Date }
  /** The key was used for another request. */
  | { state: 'different' };

/** How long the lease of a run that has stopped keeps others out. */
export const leaseSeconds = 10;

/** Bulk submissions by their Idempotency-Key. One run at a time carries a submission out, over all processes. */
export interface SubmissionStore {
  /** Takes a submission up, or says why not. Of several at once, one gets it. */
  open(name: SubmissionName): Promise<Submission>;
  /**
   * Keeps outcomes and the lease; without outcomes just the lease.
   * @returns false when another run has taken over
   */
  keep(submission: OpenSubmission, outcomes: ReadonlyMap<number, Outcome>): Promise<boolean>;
  /** Ends a run: the submission is finished, or open again for a client that sends it again. */
  close(submission: OpenSubmission, finished: boolean): Promise<void>;
}
