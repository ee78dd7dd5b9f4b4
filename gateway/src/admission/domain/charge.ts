import type { Allowance } from '@ostiary/service/rates';

/** The part of an operation's context that concerns the caller's budget. */
export interface Charged {
  /** Owner of the budget (see `callerOf`). */
  readonly caller?: string;
  /** Result of the charge, kept so that an operation is charged once, however often it is tried. */
  charged?: Allowance | undefined;
}

/** Price of reading a request, also of a malformed one. */
export const priceOfReading = (text: string | undefined): number => 10 + Math.ceil((text?.length ?? 0) / 4);
