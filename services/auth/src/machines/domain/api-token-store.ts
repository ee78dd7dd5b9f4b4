import type { LiveApiToken } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import type { CountingRoles } from '../../roles/index.ts';
import type { CarriedRoles } from '../../subjects/index.ts';
import type { ApiTokenSummary } from './token-list.ts';

/** Whose a token is: the column that names the owner. */
export type ApiTokenOwner = 'subject_id' | 'service_account_id';

export interface NewApiToken {
  id: string;
  ownerId: string;
  name: string;
  digest: Buffer;
  hint: string;
  scopes: readonly string[];
  ownerEpoch: number;
  expiresAt: Date;
  /** The app that made it in its owner's name; undefined when they did themselves. */
  clientId?: string | undefined;
  /** The authorization it made it under: the token ends with it, and no later. */
  grantId?: string | undefined;
  /** The session its owner made it in. What carries roles is the session's, or the grant's; without either, no role. */
  sessionId?: string | undefined;
  /** Class of the sign-in in which its person made it. */
  acr?: string | null | undefined;
}

/** A live token, and what introspection says beyond it. */
export interface FoundApiToken extends LiveApiToken {
  /** Unix seconds. */
  issuedAt: number;
  /** Of a person's token. */
  userName: string | null;
}

/** What it hangs on whether the roles behind a personal access token count. */
export interface HeldByOwner {
  roles: readonly string[];
  /** Class of the sign-in in which the token was made; null for one from before that was noted. */
  acr: string | null;
  /** Roles that count in it: those of the session or the grant it was made in. */
  carriedRoles: CarriedRoles;
  /** The person has a second factor now. */
  secondFactor: boolean;
}

/** Personal access tokens and API keys. */
export interface ApiTokenStore {
  /**
   * The live token with this digest, in whichever tenant: neither revoked nor expired, its owner there, active, and (a
   * person) not signed out everywhere since. One statement, by index.
   */
  findLiveApiToken(
    sql: Transaction,
    digest: Buffer,
    counting: (tenant: string, held: HeldByOwner) => Promise<CountingRoles>,
  ): Promise<FoundApiToken | undefined>;
  /** Adds a token. The caller holds its owner's lock. */
  insertApiToken(
    tx: Transaction,
    tenant: string,
    owner: ApiTokenOwner,
    token: NewApiToken,
  ): Promise<ApiTokenSummary>;
  /** How many live tokens an owner has. */
  countApiTokens(tx: Transaction, tenant: string, owner: ApiTokenOwner, ownerId: string): Promise<number>;
  /** Tokens of these owners that weren't revoked, newest first; expired ones for as long as they are kept. */
  listApiTokens(
    sql: Transaction,
    tenant: string,
    owner: ApiTokenOwner,
    ownerIds: readonly string[],
  ): Promise<ApiTokenSummary[]>;
  /** Those of these tokens that weren't revoked and have an owner of this kind. */
  apiTokensById(
    sql: Transaction,
    tenant: string,
    owner: ApiTokenOwner,
    ids: readonly string[],
  ): Promise<ApiTokenSummary[]>;
  /** The owner of a token that wasn't revoked. */
  apiTokenOwner(
    sql: Transaction,
    tenant: string,
    owner: ApiTokenOwner,
    id: string,
  ): Promise<string | undefined>;
  /** False when there was nothing left to revoke. */
  revokeApiToken(
    tx: Transaction,
    tenant: string,
    id: string,
  ): Promise<{ subjectId: string | null; serviceAccountId: string | null; name: string } | undefined>;
  /** Revokes what an app made in a person's name; returns the tokens' ids. */
  revokeApiTokensBy(tx: Transaction, tenant: string, subjectId: string, clientId: string): Promise<string[]>;
}
