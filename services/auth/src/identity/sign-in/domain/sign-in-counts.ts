export type SignInOutcome = 'accepted' | 'refused' | 'delayed';

/** Number of sign-in attempts of a tenant in a period, by outcome. */
export interface SignInCount {
  tenant: string;
  /** Start of the hour or the day (UTC), such as 2026-01-31T13:00:00.000Z. */
  start: string;
  outcome: SignInOutcome;
  total: number;
}
