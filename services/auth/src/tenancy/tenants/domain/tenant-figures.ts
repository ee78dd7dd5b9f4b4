/** Number of live objects in a tenant. */
export interface TenantFigures {
  sessions: number;
  grants: number;
  personalAccessTokens: number;
  apiKeys: number;
  clients: number;
  serviceAccounts: number;
}

/** Statistics of a tenant. Each reads many rows and must not run for every request. */
export interface TenantStatistics {
  figures(tenant: string): Promise<TenantFigures>;
  /** Returns sign-ins by day (UTC, as 2026-01-31) and outcome. @param since the first day */
  signIns(tenant: string, since: string): Promise<{ day: string; outcome: string; total: number }[]>;
}
