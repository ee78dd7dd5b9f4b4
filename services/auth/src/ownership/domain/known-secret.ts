import type { Caller } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import { isUuid, type Transaction } from '@ostiary/service';
import type { CredentialOwner } from './credential-owner.ts';
import type { Ownable } from './ownable.ts';

/**
 * The kind of right that a holder of a secret needs. This is the list of everything that gives access and is known to a user: a new
 * kind of secret gets a line here and in `data/known-secrets.ts`.
 */
export const rightOfKind = {
  client_secret: 'client',
  /** `jwks` or `jwks_uri` of a client. */
  client_keys: 'client',
  /** RFC 7592 section 1.2. */
  registration_access_token: 'client',
  initial_access_token: 'client',
  service_account_key: 'service_account',
  api_key: 'api_key',
  /** A trusted issuer with its keys. */
  trusted_issuer: 'client',
  /** The user that a trusted issuer means by one of its subjects. */
  issuer_subject: 'client',
  invitation: 'invitation',
  /** Address to which a webhook sends events. */
  webhook_endpoint: 'webhook',
  /** Secret with which a webhook's messages are signed: who knows it can forge them. */
  webhook_secret: 'webhook',
  /** Address of a push stream of shared signals with its authorization header. */
  stream_endpoint: 'client',
} as const satisfies Readonly<Record<string, Ownable>>;

export type SecretKind = keyof typeof rightOfKind;

/** A live secret that a user or a group received or supplied. */
export interface KnownSecret {
  kind: SecretKind;
  secretId: string;
  /** Id of the client, service account, issuer or user that it belongs to. */
  credentialId: string;
  /** Owner of the client, service account or API key: to notify when the secret ends. */
  owner: CredentialOwner | null;
}

/** A secret in the report of an offboarding: ended, or handed over with its value unchanged. */
export interface ReportedSecret extends KnownSecret {
  ended: boolean;
  /** RFC 3339; of a secret whose end was put off. */
  endsAt?: string;
}

/** A secret whose end was put off, and who left that knows it. */
export interface SecretEnd {
  tenant: string;
  kind: SecretKind;
  secretId: string;
  knower: CredentialOwner;
  reason: string;
  actor: Actor;
}

/** A grant that was issued on the word of a trusted issuer. */
export interface GrantOfIssuer {
  id: string;
  subjectId: string;
  clientId: string;
}

/** Who knows which secret. */
export interface KnownSecretStore {
  /** Records who received or supplied a secret, in the transaction that stores it. @param knownTo ids of users and groups */
  recordKnown(
    tx: Transaction,
    tenant: string,
    kind: SecretKind,
    secretId: string,
    knownTo: readonly CredentialOwner[],
  ): Promise<void>;
  /** Returns the live secrets that a user or a group knows, in the order in which changes of them are locked. */
  knownTo(sql: Transaction, tenant: string, knowerId: string): Promise<KnownSecret[]>;
  /**
   * Ends one secret.
   * @returns the grants issued on the word of an issuer, to revoke; undefined when it had ended
   */
  endKnown(tx: Transaction, tenant: string, secret: KnownSecret): Promise<GrantOfIssuer[] | undefined>;
  /**
   * Puts the end of a secret off, unless it was put off before.
   * @returns when it ends
   */
  endLater(tx: Transaction, end: SecretEnd, endsAt: Date): Promise<Date>;
  /** Removes and returns ends that are due, of one user or group. */
  takeDueEnds(tx: Transaction): Promise<SecretEnd[]>;
  /** Records another user or group instead of one that knew secrets. */
  replaceKnower(
    tx: Transaction,
    tenant: string,
    kinds: readonly SecretKind[],
    knowerId: string,
    successorId: string,
  ): Promise<void>;
  /** Notes that a group knows a secret, so that it is found when no active member could manage it any longer. */
  noteGroupKnower(tx: Transaction, tenant: string, groupId: string): Promise<void>;
  /** Locks the clients and service accounts that a user or group owns or knows a secret of, in one order. */
  holdPrograms(tx: Transaction, tenant: string, knowerId: string): Promise<void>;
  /**
   * Counts up the epoch of a client or service account and keeps the grants of users: tokens that were issued to it end.
   * @returns the epoch
   */
  nextProgramEpoch(
    tx: Transaction,
    tenant: string,
    kind: 'client' | 'service_account',
    id: string,
  ): Promise<number | undefined>;
  /** Returns those of the ids that are users; the others are groups. */
  usersAmong(sql: Transaction, tenant: string, ids: readonly string[]): Promise<Set<string>>;
}

/** Records who receives or supplies secrets. */
export interface Knowers {
  /**
   * Holds the users and groups that receive what the current request answers or supplied what it carries, until the transaction ends: a
   * user, or the owner of a program and everyone who knows a secret of it. Call it before rows of secrets are locked.
   * @param callers by default those of the current request
   * @throws NoSuchOwner when one of them has left, or the program has ended, since the request was accepted
   */
  holdKnowers(tx: Transaction, tenant: string, callers?: readonly Caller[]): Promise<CredentialOwner[]>;
  recordKnown: KnownSecretStore['recordKnown'];
}

/** Maximum number of secrets of one user that are shown. */
const mostShown = 500;

/** Reads which live secrets a user knows. */
export class KnownSecretReader {
  readonly #sql: Transaction;
  readonly #store: Pick<KnownSecretStore, 'knownTo'>;

  constructor(sql: Transaction, store: Pick<KnownSecretStore, 'knownTo'>) {
    this.#sql = sql;
    this.#store = store;
  }

  async of(tenant: string, userId: string): Promise<KnownSecret[]> {
    if (!isUuid(userId)) return [];
    return (await this.#store.knownTo(this.#sql, tenant, userId)).slice(0, mostShown);
  }
}
