import type { Change } from './history.ts';

/** Ways of building it worse, each of which the model has to notice. */
export type Mistake =
  /** The outbox is written after the change's transaction. */
  | 'outbox beside the transaction'
  /** The relay marks an event as sent before Redis has it. */
  | 'marked before sent'
  /** Nobody asks the consumer what it lacks, nor goes past the queue. */
  | 'no reconciliation'
  /** The inbox row is not part of the effect's transaction. */
  | 'inbox after the effect'
  /** There is no inbox. */
  | 'no inbox'
  /** The newest to arrive wins, whatever its version. */
  | 'last arrival wins'
  /** News older than what is stored are dropped whole. */
  | 'late departures dropped'
  /** A revocation reaches verifiers by the stream only. */
  | 'no pull'
  /** The first event about a user only creates the subject, whatever it reports. */
  | 'first event not reported'
  /** A report names the event that was processed first, not the departure. */
  | 'reported by the event at hand'
  /** A departure is reported only when it revokes. */
  | 'nothing to revoke, nothing to report'
  /** A departure is taken to be next to the event that proves it. */
  | 'a return follows its departure'
  /** Whether a departure is reported already is not looked up. */
  | 'reported without looking';

export interface Plan {
  history: readonly Change[];
  /** Sign-ins that may happen at any moment. */
  tokens: number;
  /** Things that may break, altogether. */
  faults: number;
  mistakes?: readonly Mistake[];
}
