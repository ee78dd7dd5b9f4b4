/** From which networks users of a tenant, or one of them, have signed in lately: `whose` is the tenant, or tenant and name. */
export interface KnownNetworks {
  /** `today`: it was noted within a day, and needn't be again. */
  find(whose: string, network: string): Promise<'today' | 'earlier' | undefined>;
  note(whose: string, network: string): Promise<void>;
}
