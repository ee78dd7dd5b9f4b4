import type { ScimErrorBody } from '@ostiary/scim';
import type { ScimResource } from '../../protocol/index.ts';

/** What became of one operation. */
export interface Outcome {
  status: number;
  /** Of the resource, where there is one. */
  id?: string;
  version?: string;
  error?: ScimErrorBody;
}

/** With the resource, for a client that wants to see it; this isn't kept anywhere. */
export type ShownOutcome = Outcome & { resource?: ScimResource };

export const failed = (outcome: Outcome): boolean => outcome.status >= 400;

/** Whether the same operation may have another outcome when it is sent again because nothing was decided. */
export const undecided = (outcome: Outcome): boolean => outcome.status >= 500 && outcome.status !== 501;
