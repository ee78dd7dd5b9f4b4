/** Changes known to this process: of a tenant itself, its clients, secrets, keys and branding. */
export interface TenantChanges {
  /** Increases with every known change. Values read from now on include all changes up to here. */
  readonly position: number;
  /** Time up to which all changes are known, by the clock of this process. */
  readonly heardAt: number;
  /** Reports whether the tenant has changed after a position. */
  hasChanged(tenant: string, position: number): boolean;
  /** Reads all changes that were committed before the call. Fails if the database does. */
  hear(): Promise<void>;
}
