/** What this process has heard of changes: of a tenant itself, its clients, their secrets, its keys, its branding. */
export interface TenantChanges {
  /** Grows with every change that is heard of. What is read from now on shows all that was heard up to here. */
  readonly position: number;
  /** As of when all changes have been heard, by the clock of this process. */
  readonly heardAt: number;
  /** Whether a change of the tenant was heard of after a position. */
  hasChanged(tenant: string, position: number): boolean;
  /** Hears of everything that was committed before the call, or shortly after. Fails when the database does. */
  hear(): Promise<void>;
}
