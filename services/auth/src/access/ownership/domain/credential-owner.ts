import type { Caller } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';

/** Credential of a program. Its creator may know the secret. */
export type OwnedKind = 'client' | 'service_account' | 'api_key';

/** Kinds whose owner is stored. An initial access token belongs to its creator and is never transferred. */
export type StoredKind = OwnedKind | 'initial_access_token';

/** User, or group. A group owns as long as it exists, independent of its members. */
export interface CredentialOwner {
  kind: 'user' | 'group';
  id: string;
}

/** Client or service account that calls on its own behalf. */
export type Program = Extract<Caller, { kind: 'program' }>;

/** State of a program that its creations inherit. */
export interface ProgramStanding {
  /** Epoch of the client or service account; tokens of earlier epochs are revoked. */
  epoch: number;
  /** Owner of the presented API key, otherwise of the program; null for a program of the platform operator. */
  owner: CredentialOwner | null;
  /** Users and groups that know a live secret of the program. */
  knownTo: CredentialOwner[];
  /** Whether one of them knows a secret whose end was deferred. */
  isEnding: boolean;
}

/** Returns the owner of a new object and locks it until the end of the transaction. */
export type OwnerToBe = (tx: Transaction) => Promise<CredentialOwner | null>;

/** Restricts a list by owner. Omitted conditions do not restrict the result. */
export interface OwnerFilter {
  ownerId?: string;
  hasOwner?: boolean;
}

/** Stores owners of credentials and ends credentials with their owners. */
export interface CredentialOwnerStore {
  /** Sets the owner of a credential. @param owner null: no owner */
  setOwner(
    tx: Transaction,
    tenant: string,
    kind: StoredKind,
    credentialId: string,
    owner: CredentialOwner | null | undefined,
  ): Promise<void>;
  /** Returns the owners by credential id. Credentials without an owner are omitted. */
  ownersOf(
    sql: Transaction,
    tenant: string,
    kind: StoredKind,
    credentialIds: readonly string[],
  ): Promise<Map<string, CredentialOwner>>;
  /** Returns the current state of a program; undefined if it does not exist or the API key has ended. */
  standingOf(tx: Transaction, tenant: string, program: Program): Promise<ProgramStanding | undefined>;
  /**
   * Reports which kinds of objects the owner has and whether the owner has a role: most own and know nothing. The id is
   * enough, because users and groups share no ids.
   */
  ownsAnything(
    tx: Transaction,
    tenant: string,
    owner: CredentialOwner,
  ): Promise<{ here: boolean; connectors: boolean; knows: boolean; hasRole: boolean }>;
  /**
   * Locks a group as an owner; this service has no row of it. The lock serializes naming the group with its deletion.
   */
  lockGroupOwner(tx: Transaction, tenant: string, groupId: string): Promise<void>;
  /** Returns the enabled credentials of an owner and locks them, in one order to prevent deadlocks. */
  liveOwned(
    tx: Transaction,
    tenant: string,
    owner: CredentialOwner,
    kinds: readonly OwnedKind[],
  ): Promise<Record<OwnedKind, string[]>>;
  /**
   * Returns the disabled credentials of an owner that could authenticate after being enabled, and locks them. API keys
   * have no such state.
   */
  dormantOwned(
    tx: Transaction,
    tenant: string,
    owner: CredentialOwner,
    kinds: readonly OwnedKind[],
  ): Promise<{ client: string[]; service_account: string[] }>;
  /** Revokes the initial access tokens of an owner. @returns those that were usable */
  endInitialAccessTokens(
    tx: Transaction,
    tenant: string,
    owner: CredentialOwner,
  ): Promise<{ id: string; name: string }[]>;
  /** Transfers all credentials of some kinds to another owner. */
  handOver(
    tx: Transaction,
    tenant: string,
    kind: OwnedKind,
    credentialIds: readonly string[],
    to: CredentialOwner,
  ): Promise<void>;
  /**
   * Returns the successor configured by a tenant: an active user, otherwise a group, of which this service stores only
   * the id. Undefined for a user who is inactive.
   */
  successorOf(sql: Transaction, tenant: string, id: string): Promise<CredentialOwner | undefined>;
  /**
   * Disables a client. With `forGood` it also deletes everything with which the client authenticates or changes its
   * registration (RFC 7592): secrets, public keys and their address, registration access token.
   * @returns its new epoch
   */
  disableOwnedClient(tx: Transaction, tenant: string, clientId: string, forGood: boolean): Promise<number>;
  /**
   * Disables a service account. With `forGood` it also deletes its public keys and revokes its API keys. @returns its
   * new epoch, and the revoked API keys
   */
  disableOwnedAccount(
    tx: Transaction,
    tenant: string,
    id: string,
    forGood: boolean,
  ): Promise<{ epoch: number; apiKeys: string[] }>;
}
