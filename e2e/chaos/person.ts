import type { Answer } from './asking.ts';

export type TenantName = 'demo' | 'rival';

/** A person, and everything they can get in with. */
export interface Person {
  tenant: TenantName;
  id: string;
  user: { userName: string; password: string };
  accessToken: string;
  refreshToken: string;
  /** A personal access token. */
  ownToken: string;
  /** Of the browser in which they are signed in. */
  cookie: string;
  /** A code that nobody has redeemed yet. */
  code: Record<string, string>;
  /** What a service got in exchange for the access token. */
  exchangedToken: string;
}

/** One way in, that can be tried again and again. */
export interface Door {
  name: string;
  try(): Promise<Answer>;
  /** Whether it is open again when the person comes back. */
  returns?: true;
  close?(): void;
}
