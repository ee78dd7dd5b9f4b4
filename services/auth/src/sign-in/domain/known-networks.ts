/** From which networks users of a tenant, or one of them, have signed in lately: `whose` is the tenant, or tenant and name. */
export interface KnownNetworks {
  has(whose: string, network: string): Promise<boolean>;
  note(whose: string, network: string): Promise<void>;
}
