import type { LiveApiToken } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import type { CarriedRoles } from '../../../tenancy/index.ts';
import type { CountingRoles } from '../../roles/domain/counting-roles.ts';
import type { ApiTokenSummary } from './token-list.ts';

/** Column of the token's owner. */
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
  /** App that created the token for its owner; undefined when the owner did. */
  clientId?: string | undefined;
  /** Grant under which the app created it; the token ends with it. */
  grantId?: string | undefined;
  /**
   * Session in which the owner created it. The carried roles are those of the session or grant; without either, none.
   */
  sessionId?: string | undefined;
  /** Authentication class of the sign-in in which the user created it. */
  acr?: string | null | undefined;
}

/** A live token with further data for introspection. */
export interface FoundApiToken extends LiveApiToken {
  /** Unix seconds. */
  issuedAt: number;
  /** Set for tokens of users. */
  userName: string | null;
}

/** Facts that decide whether the roles behind a personal access token count. */
export interface HeldByOwner {
  roles: readonly string[];
  /**
   * Authentication class of the sign-in in which the token was created; null for tokens created before it was recorded.
   */
  acr: string | null;
  /** Roles that count for the token: those of its session or grant. */
  carriedRoles: CarriedRoles;
  /** True when the user has a second factor now. */
  secondFactor: boolean;
}

export interface LiveApiTokenStore {
  /**
   * Returns the live token of any tenant with this digest: neither revoked nor expired, with an active owner who has
   * not been signed out everywhere since. One statement, by index.
   */
  findLiveApiToken(
    sql: Transaction,
    digest: Buffer,
    counting: (tenant: string, held: HeldByOwner) => Promise<CountingRoles>,
  ): Promise<FoundApiToken | undefined>;
}

export interface ApiTokenStore {
  /** Inserts a token. The caller holds its owner's lock. */
  insertApiToken(
    tx: Transaction,
    tenant: string,
    owner: ApiTokenOwner,
    token: NewApiToken,
  ): Promise<ApiTokenSummary>;
  /** Counts the live tokens of an owner. */
  countApiTokens(tx: Transaction, tenant: string, owner: ApiTokenOwner, ownerId: string): Promise<number>;
  /** Returns tokens of these owners that are not revoked, newest first, including stored expired ones. */
  listApiTokens(
    sql: Transaction,
    tenant: string,
    owner: ApiTokenOwner,
    ownerIds: readonly string[],
  ): Promise<ApiTokenSummary[]>;
  /** Returns the tokens among these ids that are not revoked and have an owner of this kind. */
  apiTokensById(
    sql: Transaction,
    tenant: string,
    owner: ApiTokenOwner,
    ids: readonly string[],
  ): Promise<ApiTokenSummary[]>;
  /** Returns the owner of a token that is not revoked. */
  apiTokenOwner(
    sql: Transaction,
    tenant: string,
    owner: ApiTokenOwner,
    id: string,
  ): Promise<string | undefined>;
  /** Returns the revoked token; undefined when there is no such live token. */
  revokeApiToken(
    tx: Transaction,
    tenant: string,
    id: string,
  ): Promise<{ subjectId: string | null; serviceAccountId: string | null; name: string } | undefined>;
  /**
   * Revokes the tokens that an app created for a user.
   * @returns ids of the tokens
   */
  revokeApiTokensBy(tx: Transaction, tenant: string, subjectId: string, clientId: string): Promise<string[]>;
}
