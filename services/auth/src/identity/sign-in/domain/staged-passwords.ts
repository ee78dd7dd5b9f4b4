import type { Revocation } from '@ostiary/access';
import { type Transaction, type Transactions, uuidv7 } from '@ostiary/service';
import type { CarriedRoles, RevocationFeed, SubjectStore } from '../../../tenancy/index.ts';
import type { AccessEnding, CredentialEvents, InvitationStore, PasswordStore } from './credential-store.ts';
import { checkNewPassword, type NewPassword, type PasswordFault } from './new-password.ts';
import type { PasswordHasher } from './password.ts';

/** A password that `checkNewPassword` rejects. */
export class UnfitPassword extends Error {
  readonly fault: PasswordFault;
  constructor(fault: PasswordFault) {
    super(`the password is ${fault}`);
    this.name = 'UnfitPassword';
    this.fault = fault;
  }
}

export interface StagedPasswordsOptions {
  database: Transactions;
  credentials: PasswordStore;
  invitations: InvitationStore;
  subjectLocks: SubjectStore;
  access: AccessEnding;
  events: CredentialEvents;
  passwords: PasswordHasher;
  /** Minimum number of characters of a password. */
  minLength: number;
  /** Returns the words that a password of this user must not consist of. */
  wordsAbout: (tenant: string, subjectId: string) => Promise<Pick<NewPassword, 'names' | 'tenantWords'>>;
  revocations: RevocationFeed;
}

/** Passwords that another party sets for a user, such as an identity source. */
export class StagedPasswords {
  readonly #o: StagedPasswordsOptions;

  constructor(options: StagedPasswordsOptions) {
    this.#o = options;
  }

  /**
   * Stores a password without effect until its ticket is activated. The user may not exist yet.
   * @param o `carriedRoles`: those that the caller could assign; `names`: names of the user that the profile does not
   * contain yet
   * @throws UnfitPassword
   */
  async stage(
    tenant: string,
    subjectId: string,
    password: string,
    { carriedRoles, names = [] }: { carriedRoles: CarriedRoles; names?: readonly string[] },
  ): Promise<string> {
    const { database, credentials, passwords } = this.#o;
    const present = await credentials.inForce(database.sql, tenant, subjectId);
    // Some sources send the same password with every change of the user, which must not end sessions.
    const repeats = present && (await passwords.verify(password, present.hash)) ? present.ticket : undefined;
    const ticket = uuidv7();
    const hash = await this.#fitHash(tenant, subjectId, password, names).catch((error: unknown) => {
      // The current password is accepted even if it is no longer acceptable as a new one.
      if (error instanceof UnfitPassword && repeats !== undefined && present?.hash) return present.hash;
      throw error;
    });
    await credentials.stage(database.sql, tenant, { ticket, subjectId, hash, repeats, carriedRoles });
    return ticket;
  }

  /**
   * Activates a staged password and ends sign-ins with the previous one. Returns false if the ticket does not exist.
   */
  async activate(tenant: string, ticket: string): Promise<boolean> {
    const { database, credentials, revocations } = this.#o;
    const subjectId = await credentials.ownerOfTicket(database.sql, tenant, ticket);
    if (subjectId === undefined) return false;
    await revocations.publish(
      await database.transaction((tx) => this.activateIn(tx, tenant, ticket, subjectId)),
    );
    return true;
  }

  /**
   * Does the same in the caller's transaction for a ticket of this user. The result is published after the commit.
   */
  async activateIn(
    tx: Transaction,
    tenant: string,
    ticket: string,
    subjectId: string,
  ): Promise<Revocation[]> {
    const { subjectLocks, credentials, events, invitations, access } = this.#o;
    // Serializes with sign-ins: a session by the previous password is ended here, or the sign-in finds the new
    // password.
    await subjectLocks.hold(tx, tenant, subjectId);
    const activated = await credentials.activate(tx, tenant, ticket, subjectId, events);
    if (!activated?.replaced) return [];
    await invitations.deleteOf(tx, tenant, subjectId);
    return access.endSignIns(tx, tenant, { subjectId }, 'password replaced');
  }

  async #fitHash(
    tenant: string,
    subjectId: string,
    password: string,
    names: readonly string[],
  ): Promise<string> {
    const { minLength } = this.#o;
    const about = await this.#o.wordsAbout(tenant, subjectId);
    const checked = checkNewPassword({
      tenantWords: about.tenantWords,
      names: [...names, ...about.names],
      password,
      minLength,
    });
    if ('fault' in checked) throw new UnfitPassword(checked.fault);
    return this.#o.passwords.hash(checked.password);
  }
}
