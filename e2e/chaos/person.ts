import type { Answer } from './asking.ts';

export type TenantName = 'demo' | 'rival';

/** A user and all their credentials. */
export interface Person {
  tenant: TenantName;
  id: string;
  user: { userName: string; password: string };
  accessToken: string;
  refreshToken: string;
  ownToken: string;
  /** Session cookie of the browser. */
  cookie: string;
  /** Request parameters of a code that has not been redeemed. */
  code: Record<string, string>;
  /** Token that a service got in exchange for the access token. */
  exchangedToken: string;
  /** Token of an agent that acts for the user. */
  agentToken: string;
}

/** An access path that can be requested repeatedly. */
export interface AccessPath {
  name: string;
  try(): Promise<Answer>;
  /** Whether it opens again after a reactivation. */
  returns?: true;
  close?(): void;
}
