export type SignInOutcome = 'accepted' | 'refused' | 'delayed';

/** Number of sign-in attempts of a tenant by day and outcome. */
export interface SignInCount {
  tenant: string;
  /** UTC date, such as 2026-01-31. */
  day: string;
  outcome: SignInOutcome;
  total: number;
}
