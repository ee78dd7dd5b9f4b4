/** Networks of recent sign-ins of a tenant or a user: `whose` is the tenant, or tenant and user name. */
export interface KnownNetworks {
  /** `today`: recorded within a day, no new record required. */
  find(whose: string, network: string): Promise<'today' | 'earlier' | undefined>;
  note(whose: string, network: string): Promise<void>;
}
