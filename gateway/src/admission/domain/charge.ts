import type { Allowance } from '@ostiary/service/rates';

/** What an operation carries with it for the caller's budget. */
export interface Charged {
  /** Whose budget it is charged to (see `callerOf`). */
  readonly caller?: string;
  /** What it was charged, and what the answer was: once, however often it is tried. */
  charged?: Allowance | undefined;
}

/** Every request costs something, also one that turns out to be nonsense: reading it is work. */
export const priceOfReading = (text: string | undefined): number => 10 + Math.ceil((text?.length ?? 0) / 4);
