/** How much of what there is in a tenant. */
export interface TenantFigures {
  sessions: number;
  grants: number;
  personalAccessTokens: number;
  apiKeys: number;
  clients: number;
  serviceAccounts: number;
}

/** A tenant in figures. Each reads much: not for every request. */
export interface TenantStatistics {
  /** Counts what is live in a tenant. */
  figures(tenant: string): Promise<TenantFigures>;
  /** Sign-ins by day (UTC, as 2026-01-31) and outcome. @param since the first day */
  signIns(tenant: string, since: string): Promise<{ day: string; outcome: string; total: number }[]>;
}
