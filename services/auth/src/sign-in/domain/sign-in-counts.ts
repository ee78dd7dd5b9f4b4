export type SignInOutcome = 'accepted' | 'refused' | 'delayed';

/** So many attempts of a tenant ended so on a day. */
export interface SignInCount {
  tenant: string;
  /** UTC, as 2026-01-31. */
  day: string;
  outcome: SignInOutcome;
  total: number;
}
