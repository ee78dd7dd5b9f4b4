import type { Caller } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';

/** What runs by itself, and whoever set it up may know the secret of. */
export type OwnedKind = 'client' | 'service_account' | 'api_key';

/** All of which it is kept whose it is: a token for registrations is its maker's, and given to nobody else. */
export type StoredKind = OwnedKind | 'initial_access_token';

/** A person, or a group: that owns as long as there is the group, whoever is in it. */
export interface CredentialOwner {
  kind: 'user' | 'group';
  id: string;
}

/** A client or service account that calls for itself. */
export type Program = Extract<Caller, { kind: 'program' }>;

/** What a program passes on to what it creates. */
export interface ProgramStanding {
  /** Epoch of the client or service account: tokens of an older one are revoked. */
  epoch: number;
  /** Owner of the API key that was presented, otherwise of the program; null for a program of the platform operator. */
  owner: CredentialOwner | null;
  /** Users and groups that know a live secret of the program. */
  knownTo: CredentialOwner[];
}

/** Says in a transaction whose something new is to be, and holds them until it ends. */
export type OwnerToBe = (tx: Transaction) => Promise<CredentialOwner | null>;

/** Narrows a list to what is somebody's, or nobody's; what is left out doesn't narrow. */
export interface OwnerFilter {
  ownerId?: string;
  /** Whether somebody owns it. */
  hasOwner?: boolean;
}

/** Whose credentials are, and what becomes of them when their owner goes. */
export interface CredentialOwnerStore {
  /** Says whose a credential is from now on. @param owner null: nobody's */
  setOwner(
    tx: Transaction,
    tenant: string,
    kind: StoredKind,
    credentialId: string,
    owner: CredentialOwner | null | undefined,
  ): Promise<void>;
  /** Whose these are, by their ids; those of nobody are left out. */
  ownersOf(
    sql: Transaction,
    tenant: string,
    kind: StoredKind,
    credentialIds: readonly string[],
  ): Promise<Map<string, CredentialOwner>>;
  /** Returns what a program may pass on now; undefined when there is no such program, or the API key has ended. */
  standingOf(tx: Transaction, tenant: string, program: Program): Promise<ProgramStanding | undefined>;
  /** Reports what of this owner there is, and whether they have a role: most own and know nothing. The id is enough, for no user and group share one. */
  ownsAnything(
    tx: Transaction,
    tenant: string,
    owner: CredentialOwner,
  ): Promise<{ here: boolean; connectors: boolean; knows: boolean; hasRole: boolean }>;
  /** Holds a group, of which there is no row here, as an owner: who names it one and who takes in that it has gone come after each other. */
  lockGroupOwner(tx: Transaction, tenant: string, groupId: string): Promise<void>;
  /** What somebody owns of a kind and still works, locked against its changes. In one order, so that nobody waits in a ring. */
  liveOwned(
    tx: Transaction,
    tenant: string,
    owner: CredentialOwner,
    kinds: readonly OwnedKind[],
  ): Promise<Record<OwnedKind, string[]>>;
  /**
   * What somebody owns that is disabled, and would prove who it is as before if it were enabled: locked like what works. Of API keys
   * there is no such state.
   */
  dormantOwned(
    tx: Transaction,
    tenant: string,
    owner: CredentialOwner,
    kinds: readonly OwnedKind[],
  ): Promise<{ client: string[]; service_account: string[] }>;
  /** Ends the tokens with which somebody has clients registered. @returns those that could still be used */
  endInitialAccessTokens(
    tx: Transaction,
    tenant: string,
    owner: CredentialOwner,
  ): Promise<{ id: string; name: string }[]>;
  /** Gives all that somebody owns of some kinds to another. */
  handOver(
    tx: Transaction,
    tenant: string,
    kind: OwnedKind,
    credentialIds: readonly string[],
    to: CredentialOwner,
  ): Promise<void>;
  /**
   * Who a tenant hands credentials over to: a person who is active here, else a group, of which this service knows no more than its
   * id. Undefined for a person who isn't active any more: there is nobody to hand them to.
   */
  successorOf(sql: Transaction, tenant: string, id: string): Promise<CredentialOwner | undefined>;
  /**
   * Disables a client; for good, all goes by which it proves who it is, or by which its registration is changed (RFC 7592): its
   * secrets, its public keys and their address, its registration access token.
   * @returns its new epoch
   */
  disableOwnedClient(tx: Transaction, tenant: string, clientId: string, forGood: boolean): Promise<number>;
  /** Disables a service account; for good, its public keys go and its API keys end. @returns its new epoch, and the API keys that ended */
  disableOwnedAccount(
    tx: Transaction,
    tenant: string,
    id: string,
    forGood: boolean,
  ): Promise<{ epoch: number; apiKeys: string[] }>;
}

/** Whose credentials are. */
export interface CredentialOwners {
  /** The owners of many, by the id of the credential; without an entry: nobody's. */
  of(
    tenant: string,
    kind: OwnedKind,
    credentialIds: readonly string[],
  ): Promise<Map<string, CredentialOwner>>;
}
