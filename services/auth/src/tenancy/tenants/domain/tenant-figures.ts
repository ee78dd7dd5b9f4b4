/** Number of live objects in a tenant. */
export interface TenantFigures {
  sessions: number;
  grants: number;
  personalAccessTokens: number;
  apiKeys: number;
  clients: number;
  serviceAccounts: number;
}

/** Periods of a statistic: those from `since` on, the start of the first one, such as 2026-01-31T00:00:00.000Z. */
export interface SignInPeriods {
  per: 'day' | 'hour';
  since: string;
}

/** Statistics of a tenant. Each reads many rows and must not run for every request. */
export interface TenantStatistics {
  figures(tenant: string): Promise<TenantFigures>;
  /** Returns sign-ins by the start of their day (UTC) or hour, and by outcome. */
  signIns(
    tenant: string,
    periods: SignInPeriods,
  ): Promise<{ start: string; outcome: string; total: number }[]>;
}
