import type { ScimErrorBody } from '@ostiary/scim';
import type { ScimResource } from '../../protocol/index.ts';

/** The outcome of one operation. */
export interface Outcome {
  status: number;
  /** Id of the resource, where there is one. */
  id?: string;
  version?: string;
  error?: ScimErrorBody;
}

/** With the resource, for clients that request it; it is not stored. */
export type ShownOutcome = Outcome & { resource?: ScimResource };

export const failed = (outcome: Outcome): boolean => outcome.status >= 400;

/** Reports whether a repetition of the operation can have another outcome, because nothing was decided. */
export const undecided = (outcome: Outcome): boolean => outcome.status >= 500 && outcome.status !== 501;
