import type { Change } from './history.ts';

/** Wrong implementations, each of which the model must detect. */
export type Mistake =
  /** The outbox is written after the change's transaction. */
  | 'outbox beside the transaction'
  /** The relay marks an event as sent before Redis has it. */
  | 'marked before sent'
  /** The sender neither asks the consumer for missing events nor sends them directly. */
  | 'no reconciliation'
  /** The inbox row is not part of the effect's transaction. */
  | 'inbox after the effect'
  /** There is no inbox. */
  | 'no inbox'
  /** The last arriving event wins, regardless of its version. */
  | 'last arrival wins'
  /** Events older than the stored version are ignored completely. */
  | 'late departures dropped'
  /** A revocation reaches verifiers by the stream only. */
  | 'no pull'
  /** The first event about a user only creates the subject and reports no offboarding. */
  | 'first event not reported'
  /** A report names the event that was processed first, not the offboarding. */
  | 'reported by the event at hand'
  /** An offboarding is reported only if it revokes. */
  | 'nothing to revoke, nothing to report'
  /** An offboarding is assumed to have the version before the event that proves it. */
  | 'a return follows its departure'
  /** Existing reports are not looked up. */
  | 'reported without looking';

export interface Plan {
  history: readonly Change[];
  /** Maximum number of sign-ins, each at any time. */
  tokens: number;
  /** Maximum number of failures. */
  faults: number;
  mistakes?: readonly Mistake[];
}
