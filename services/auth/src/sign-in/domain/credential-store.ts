import type { Revocation } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import type { CredentialChange } from '../../events/index.ts';
import type { CarriedRoles, DoorCounts } from '../../subjects/index.ts';

export interface PasswordInForce {
  /** It came under this one, and keeps it for as long as it is in force. */
  ticket: string;
  /** PHC string. */
  hash: string;
  carriedRoles: CarriedRoles;
}

/** Where passwords are kept, by their hashes. */
export interface PasswordStore {
  /** Keeps a password's hash under a ticket, without effect until the ticket is activated. */
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
  /** Whose password is staged under a ticket. */
  ownerOfTicket(tx: Transaction, tenant: string, ticket: string): Promise<string | undefined>;
  /**
   * Makes a staged password the subject's password; again is fine. Whichever was staged last stays in force, in
   * whatever order the tickets are activated.
   * @param subjectId when given, the ticket must be this subject's
   * @returns whether another password was in force until now, and no longer is; undefined when the tenant has no such ticket
   */
  activate(
    tx: Transaction,
    tenant: string,
    ticket: string,
    subjectId?: string,
  ): Promise<{ replaced: boolean } | undefined>;
  /** The subject's password in force, if there is one. */
  inForce(tx: Transaction, tenant: string, subjectId: string): Promise<PasswordInForce | undefined>;
  /**
   * Keeps another hash of the same password, as long as the password is in force and its hash is the one given.
   * @returns whether it did; what is held by a change of the password isn't waited for
   */
  replaceHash(
    tx: Transaction,
    tenant: string,
    password: Pick<PasswordInForce, 'ticket' | 'hash'>,
    hash: string,
  ): Promise<boolean>;
  /** Takes the subject's password out of force, with what was staged until now. @returns whether one was in force */
  retire(tx: Transaction, tenant: string, subjectId: string): Promise<boolean>;
}

export interface NewInvitation {
  id: string;
  subjectId: string;
  subjectEpoch: number;
  digest: Buffer;
  resets: boolean;
  lifetimeSeconds: number;
  /** Roles that what is set by it carries. */
  carriedRoles: CarriedRoles;
}

export interface LiveInvitation {
  id: string;
  subjectId: string;
  userName: string;
  displayName: string | null;
  /** It replaces every way its user had to sign in. */
  resets: boolean;
  /** Roles that what is set by it carries. */
  carriedRoles: CarriedRoles;
}

export interface InvitationStore {
  /** Makes the only invitation of a user: one made before is worth nothing from then on. @returns when it expires */
  replace(tx: Transaction, tenant: string, invitation: NewInvitation): Promise<Date>;
  /** The invitation behind a token, as long as it can be accepted. Looking doesn't use it up: link scanners look too. */
  find(tx: Transaction, tenant: string, digest: Buffer): Promise<LiveInvitation | undefined>;
  /** Uses an invitation up: of any number of callers, one gets true. */
  spend(tx: Transaction, tenant: string, id: string): Promise<boolean>;
  /** Ends what waits to be accepted: a holder of the link gets no account that is worth more than when it was made. */
  deleteOf(tx: Transaction, tenant: string, subjectId: string): Promise<void>;
  /** Whether a user has a password or a passkey. */
  canSignIn(tx: Transaction, tenant: string, subjectId: string): Promise<boolean>;
}

export interface StoredPasskey {
  id: string;
  subjectId: string;
  /** base64url. */
  credentialId: string;
  /** COSE. */
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
  /** The passkey of this tenant with this credential id, and its user's epoch; those of other tenants don't exist here. */
  find(
    tx: Transaction,
    tenant: string,
    credentialId: string,
  ): Promise<(StoredPasskey & { subjectEpoch: number; carriedRoles: CarriedRoles }) | undefined>;
  /** False when the credential id is taken already. */
  insert(
    tx: Transaction,
    tenant: string,
    passkey: Omit<StoredPasskey, 'createdAt' | 'lastUsedAt'> & { carriedRoles: CarriedRoles },
  ): Promise<boolean>;
  /**
   * Notes a use. A counter that doesn't rise tells of a copied key (WebAuthn §6.1.1), also when two uses come at once;
   * authenticators without a counter always say 0.
   * @returns false when the counter didn't rise, or the passkey is gone
   */
  noteUse(tx: Transaction, tenant: string, id: string, counter: number): Promise<boolean>;
  delete(tx: Transaction, tenant: string, subjectId: string, id: string): Promise<boolean>;
  /** Deletes every passkey of a user; returns what they were. */
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

/** A recovery code that has been used. */
export interface SpentCode {
  carriedRoles: CarriedRoles;
}

export interface FactorCounts {
  totp: boolean;
  passkeys: number;
  recoveryCodes: number;
}

/** Authenticator apps and recovery codes. */
export interface SecondFactorStore {
  /** Which second factors a user has. One statement: it is asked at every sign-in. */
  count(tx: Transaction, tenant: string, subjectId: string): Promise<FactorCounts>;
  /** The subject's epoch while they are active; undefined when they aren't. */
  activeEpoch(tx: Transaction, tenant: string, subjectId: string): Promise<number | undefined>;
  findTotp(tx: Transaction, tenant: string, subjectId: string): Promise<StoredTotp | undefined>;
  /** Adds the authenticator app of a user who has none. False when they have one by now. */
  insertTotp(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    totp: { secret: Buffer; lastStep: number; carriedRoles: CarriedRoles },
  ): Promise<boolean>;
  /** Uses up a time step, and all before it: of any number of callers with one code, one gets true. */
  spendTotpStep(tx: Transaction, tenant: string, subjectId: string, step: number): Promise<boolean>;
  deleteTotp(tx: Transaction, tenant: string, subjectId: string): Promise<boolean>;
  /** Replaces a user's recovery codes; the old ones are worth nothing from then on. */
  replaceRecoveryCodes(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    codes: { digests: readonly Buffer[]; carriedRoles: CarriedRoles },
  ): Promise<void>;
  deleteRecoveryCodes(tx: Transaction, tenant: string, subjectId: string): Promise<void>;
  /** Uses up a recovery code: of any number of callers, one gets the roles that it carries. */
  spendRecoveryCode(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    digest: Buffer,
  ): Promise<SpentCode | undefined>;
  /** Recovery codes stand for a second factor; without one there is nothing to recover. */
  dropNeedlessRecoveryCodes(tx: Transaction, tenant: string, subjectId: string): Promise<void>;
}

/** Notifies receivers outside that what a user signs in with has changed. */
export interface CredentialEvents {
  credentialsChanged(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    changes: readonly CredentialChange[],
  ): Promise<void>;
}

/** Ends what rests on a user's sign-ins; what it returns is published after the commit. */
export interface AccessEnding {
  /** Everything issued to a user so far. */
  endEverything(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    reason: string,
  ): Promise<{ revocations: Revocation[]; counts: DoorCounts }>;
  /** A user's sessions and grants, but for those of the session to keep. */
  endSignIns(
    tx: Transaction,
    tenant: string,
    who: { subjectId: string; keep?: string },
    reason: string,
  ): Promise<Revocation[]>;
}

/** The roles that users have. */
export interface RolesHeld {
  of(tx: Transaction, tenant: string, subjectIds: readonly string[]): Promise<ReadonlyMap<string, string[]>>;
}

/** What users allowed apps. */
export interface RememberedConsents {
  forget(tx: Transaction, tenant: string, subjectId: string): Promise<void>;
}
