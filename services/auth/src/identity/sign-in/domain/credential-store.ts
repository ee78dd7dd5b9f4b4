import type { Revocation } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import type { AccessPathCounts, CarriedRoles, CredentialChange } from '../../../tenancy/index.ts';

export interface PasswordInForce {
  /** Ticket of the password, constant while it is in force. */
  ticket: string;
  /** PHC string. */
  hash: string;
  carriedRoles: CarriedRoles;
}

/** Store of password hashes. */
export interface PasswordStore {
  /** Stores a password's hash under a ticket. It has no effect until the ticket is activated. */
  stage(
    tx: Transaction,
    tenant: string,
    credential: {
      ticket: string;
      subjectId: string;
      hash: string;
      repeats?: string | undefined;
      carriedRoles: CarriedRoles;
    },
  ): Promise<void>;
  /** Returns the user of a ticket. */
  ownerOfTicket(tx: Transaction, tenant: string, ticket: string): Promise<string | undefined>;
  /**
   * Makes a staged password the user's password. Idempotent. The last staged password stays in force in any order of
   * activation.
   * @param subjectId the ticket must be this user's
   * @returns `replaced`: whether another password was in force until now; undefined if the tenant has no such ticket
   */
  activate(
    tx: Transaction,
    tenant: string,
    ticket: string,
    subjectId: string,
    events: CredentialEvents,
  ): Promise<{ replaced: boolean } | undefined>;
  /** Returns the user's password in force. */
  inForce(tx: Transaction, tenant: string, subjectId: string): Promise<PasswordInForce | undefined>;
  /**
   * Replaces the hash of the same password if the password is in force and has the given hash. Of parallel callers
   * with the same hash, exactly one gets true. Does not wait for a simultaneous change of the password.
   * @returns whether the hash was replaced
   */
  replaceHash(tx: Transaction, tenant: string, password: PasswordInForce, hash: string): Promise<boolean>;
  /** Retires the user's password and staged passwords. @returns whether one was in force */
  retire(tx: Transaction, tenant: string, subjectId: string): Promise<boolean>;
}

export interface NewInvitation {
  id: string;
  subjectId: string;
  subjectEpoch: number;
  digest: Buffer;
  resets: boolean;
  lifetimeSeconds: number;
  /** Roles that the credentials set through it carry. */
  carriedRoles: CarriedRoles;
}

export interface LiveInvitation {
  id: string;
  subjectId: string;
  userName: string;
  displayName: string | null;
  /** It replaces every credential of its user. */
  resets: boolean;
  /** Roles that the credentials set through it carry. */
  carriedRoles: CarriedRoles;
}

export interface InvitationStore {
  /** Creates the only invitation of a user: a previous one becomes invalid. @returns the expiry */
  replace(tx: Transaction, tenant: string, invitation: NewInvitation): Promise<Date>;
  /** Returns the usable invitation of a token. Does not consume it, because link scanners open links too. */
  find(tx: Transaction, tenant: string, digest: Buffer): Promise<LiveInvitation | undefined>;
  /** Consumes an invitation. Of parallel callers, exactly one gets true. */
  spend(tx: Transaction, tenant: string, id: string): Promise<boolean>;
  /**
   * Deletes unused invitations. The holder of a link must not get an account that has gained access since its
   * creation.
   */
  deleteOf(tx: Transaction, tenant: string, subjectId: string): Promise<void>;
  /** Reports whether a user has a password or a passkey. */
  canSignIn(tx: Transaction, tenant: string, subjectId: string): Promise<boolean>;
}

export interface StoredPasskey {
  id: string;
  subjectId: string;
  /** base64url. */
  credentialId: string;
  /** COSE key. */
  publicKey: Buffer;
  counter: number;
  transports: string[];
  name: string;
  synced: boolean;
  createdAt: Date;
  lastUsedAt: Date | null;
}

export interface PasskeyStore {
  list(tx: Transaction, tenant: string, subjectId: string): Promise<StoredPasskey[]>;
  /** Returns the tenant's passkey with this credential id, and its user's epoch. */
  find(
    tx: Transaction,
    tenant: string,
    credentialId: string,
  ): Promise<(StoredPasskey & { subjectEpoch: number; carriedRoles: CarriedRoles }) | undefined>;
  /** Returns false if the credential id exists. */
  insert(
    tx: Transaction,
    tenant: string,
    passkey: Omit<StoredPasskey, 'createdAt' | 'lastUsedAt'> & { carriedRoles: CarriedRoles },
  ): Promise<boolean>;
  /**
   * Records a use. A counter that does not increase indicates a cloned key (WebAuthn §6.1.1), also for simultaneous
   * uses. Authenticators without a counter always send 0.
   * @returns false if the counter did not increase or the passkey is deleted
   */
  noteUse(tx: Transaction, tenant: string, id: string, counter: number): Promise<boolean>;
  delete(tx: Transaction, tenant: string, subjectId: string, id: string): Promise<boolean>;
  /** Deletes and returns every passkey of a user. */
  deleteOf(
    tx: Transaction,
    tenant: string,
    subjectId: string,
  ): Promise<Pick<StoredPasskey, 'name' | 'transports'>[]>;
}

export interface StoredTotp {
  /** Sealed. */
  secret: Buffer;
  carriedRoles: CarriedRoles;
}

/** A consumed recovery code. */
export interface SpentCode {
  carriedRoles: CarriedRoles;
}

export interface FactorCounts {
  totp: boolean;
  passkeys: number;
  recoveryCodes: number;
}

/** Store of authenticator apps and recovery codes. */
export interface SecondFactorStore {
  /** Counts a user's second factors in one statement, because each sign-in reads them. */
  count(tx: Transaction, tenant: string, subjectId: string): Promise<FactorCounts>;
  /** Returns the epoch of an active user; undefined for any other. */
  activeEpoch(tx: Transaction, tenant: string, subjectId: string): Promise<number | undefined>;
  findTotp(tx: Transaction, tenant: string, subjectId: string): Promise<StoredTotp | undefined>;
  /** Adds the authenticator app of a user. Returns false if the user has one. */
  insertTotp(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    totp: { secret: Buffer; lastStep: number; carriedRoles: CarriedRoles },
  ): Promise<boolean>;
  /** Consumes a time step and all previous ones. Of parallel callers with one code, exactly one gets true. */
  spendTotpStep(tx: Transaction, tenant: string, subjectId: string, step: number): Promise<boolean>;
  deleteTotp(tx: Transaction, tenant: string, subjectId: string): Promise<boolean>;
  /** Replaces a user's recovery codes; the previous ones become invalid. */
  replaceRecoveryCodes(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    codes: { digests: readonly Buffer[]; carriedRoles: CarriedRoles },
  ): Promise<void>;
  deleteRecoveryCodes(tx: Transaction, tenant: string, subjectId: string): Promise<void>;
  /** Consumes a recovery code. Of parallel callers, exactly one gets the roles that it carries. */
  spendRecoveryCode(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    digest: Buffer,
  ): Promise<SpentCode | undefined>;
  /** Deletes the recovery codes of a user without a second factor. */
  dropNeedlessRecoveryCodes(tx: Transaction, tenant: string, subjectId: string): Promise<void>;
}

/** Publishes changes of a user's credentials to external receivers. */
export interface CredentialEvents {
  credentialsChanged(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    changes: readonly CredentialChange[],
  ): Promise<void>;
}

/** Revokes everything issued on a user's sign-ins. The result is published after the commit. */
export interface AccessEnding {
  /** Revokes everything issued to a user. */
  endEverything(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    reason: string,
  ): Promise<{ revocations: Revocation[]; counts: AccessPathCounts }>;
  /** Revokes a user's sessions and grants, except those of the session to keep. */
  endSignIns(
    tx: Transaction,
    tenant: string,
    who: { subjectId: string; keep?: string },
    reason: string,
  ): Promise<Revocation[]>;
}

export interface RolesHeld {
  of(tx: Transaction, tenant: string, subjectIds: readonly string[]): Promise<ReadonlyMap<string, string[]>>;
}

/** Consents of users for clients. */
export interface RememberedConsents {
  forget(tx: Transaction, tenant: string, subjectId: string): Promise<void>;
}
