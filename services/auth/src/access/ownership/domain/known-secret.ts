import type { Caller } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import { isUuid, type Transaction } from '@ostiary/service';
import type { CredentialOwner } from './credential-owner.ts';
import type { Ownable } from './ownable.ts';

/**
 * Right that a holder of each kind of secret needs. This is the complete list of secrets that give access and that a
 * user knows: a new kind needs a line here and in `data/known-secrets.ts` of its district.
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
  trusted_issuer: 'client',
  /** User bound to a subject of a trusted issuer. */
  issuer_subject: 'client',
  invitation: 'invitation',
  /** Address to which a webhook sends events. */
  webhook_endpoint: 'webhook',
  /** Secret that signs a webhook's messages. Its holder can forge them. */
  webhook_secret: 'webhook',
  /** Address of a push stream of shared signals with its authorization header. */
  stream_endpoint: 'client',
} as const satisfies Readonly<Record<string, Ownable>>;

export type SecretKind = keyof typeof rightOfKind;

/** Live secret that a user or group received or supplied. */
export interface KnownSecret {
  kind: SecretKind;
  secretId: string;
  /** Id of the client, service account, issuer or user that it belongs to. */
  credentialId: string;
  /** Name of the secret, or of the object that it belongs to; null for an invitation. */
  name: string | null;
  /** Owner of the client, service account or API key, who is notified when the secret ends. */
  owner: CredentialOwner | null;
}

/** Secret in the report of an offboarding: revoked, to be revoked at `endsAt`, or transferred with its value unchanged. */
export interface ReportedSecret extends KnownSecret {
  ended: boolean;
  /** RFC 3339, for a secret whose end was deferred. */
  endsAt?: string;
}

/** Secret whose end was deferred, and the offboarded user or group that knows it. */
export interface SecretEnd {
  tenant: string;
  kind: SecretKind;
  secretId: string;
  knower: CredentialOwner;
  reason: string;
  actor: Actor;
}

/** Grant that was issued on an assertion of a trusted issuer. */
export interface GrantOfIssuer {
  id: string;
  subjectId: string;
  clientId: string;
}

export interface KnownSecretStore {
  /**
   * Records the users and groups that received or supplied a secret, in the transaction that stores it. @param knownTo
   * ids of users and groups
   */
  recordKnown(
    tx: Transaction,
    tenant: string,
    kind: SecretKind,
    secretId: string,
    knownTo: readonly CredentialOwner[],
  ): Promise<void>;
  /** Returns the live secrets that a user or group knows, in the order in which changes of them are locked. */
  knownTo(sql: Transaction, tenant: string, knowerId: string): Promise<KnownSecret[]>;
  /**
   * Ends one secret.
   * @returns the grants issued on assertions of an issuer, to revoke; undefined if the secret had ended
   */
  endKnown(tx: Transaction, tenant: string, secret: KnownSecret): Promise<GrantOfIssuer[] | undefined>;
  /**
   * Defers the end of a secret, unless it was deferred before.
   * @returns the time at which it ends
   */
  endLater(tx: Transaction, end: SecretEnd, endsAt: Date): Promise<Date>;
  /** Deletes and returns the due ends of one user or group. */
  takeDueEnds(tx: Transaction): Promise<SecretEnd[]>;
  /** Replaces a user or group that knew secrets with another. */
  replaceKnower(
    tx: Transaction,
    tenant: string,
    kinds: readonly SecretKind[],
    knowerId: string,
    successorId: string,
  ): Promise<void>;
  /** Records that a group knows a secret, so that a check of owning groups includes it. */
  noteGroupKnower(tx: Transaction, tenant: string, groupId: string): Promise<void>;
  /** Locks the clients and service accounts that a user or group owns or knows a secret of, in one order. */
  holdPrograms(tx: Transaction, tenant: string, knowerId: string): Promise<void>;
  /**
   * Increments the epoch of a client or service account, which revokes tokens issued to it, and keeps the grants of
   * users.
   * @returns the epoch
   */
  nextProgramEpoch(
    tx: Transaction,
    tenant: string,
    kind: 'client' | 'service_account',
    id: string,
  ): Promise<number | undefined>;
  /** Returns the ids that belong to users; the others belong to groups. */
  usersAmong(sql: Transaction, tenant: string, ids: readonly string[]): Promise<Set<string>>;
}

export interface Knowers {
  /**
   * Locks the users and groups that receive secrets in the response of the current request, or supplied them in the
   * request, until the end of the transaction: a user, or the owner of a program and all users and groups that know a
   * secret of it. Must run before rows of secrets are locked.
   * @param callers default: the callers of the current request
   * @throws NoSuchOwner when one of them was offboarded, or the program has ended, since the request was accepted
   */
  holdKnowers(tx: Transaction, tenant: string, callers?: readonly Caller[]): Promise<CredentialOwner[]>;
  recordKnown: KnownSecretStore['recordKnown'];
}

/** Maximum number of secrets listed for a user. */
const maxShown = 500;

export class KnownSecretReader {
  readonly #sql: Transaction;
  readonly #store: KnownSecretStore;

  constructor(sql: Transaction, store: KnownSecretStore) {
    this.#sql = sql;
    this.#store = store;
  }

  async of(tenant: string, userId: string): Promise<KnownSecret[]> {
    if (!isUuid(userId)) return [];
    return (await this.#store.knownTo(this.#sql, tenant, userId)).slice(0, maxShown);
  }
}
