import type { Revocation } from '@ostiary/access';
import { type Transaction, type Transactions, uuidv7 } from '@ostiary/service';
import type { CarriedRoles, RevocationFeed, SubjectStore } from '../../subjects/index.ts';
import type { AccessEnding, InvitationStore, PasswordStore } from './credential-store.ts';
import { checkNewPassword, type NewPassword, type PasswordFault } from './new-password.ts';
import type { PasswordHasher } from './password.ts';

/** A password that nobody may have. */
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
  invitations: Pick<InvitationStore, 'deleteOf'>;
  subjectLocks: Pick<SubjectStore, 'hold'>;
  access: Pick<AccessEnding, 'endSignIns'>;
  passwords: PasswordHasher;
  /** Characters a password must have, whoever sets it. */
  minLength: number;
  /** What a password of this user must not be made of. */
  wordsAbout: (tenant: string, subjectId: string) => Promise<Pick<NewPassword, 'names' | 'tenantWords'>>;
  revocations: Pick<RevocationFeed, 'publish'>;
}

/** Passwords that are set for a user by another party: an identity source, mostly. */
export class StagedPasswords {
  readonly #o: StagedPasswordsOptions;

  constructor(options: StagedPasswordsOptions) {
    this.#o = options;
  }

  /**
   * Keeps a password, without effect until its ticket is activated. The user may not be there yet.
   * @param o `carriedRoles`: those that the caller could give; `names`: what the user will be called, as far as their profile
   * doesn't say so yet
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
    // Some sources send the password with every change of the user: nobody is signed out for that.
    const repeats = present && (await passwords.verify(password, present.hash)) ? present.ticket : undefined;
    const ticket = uuidv7();
    const hash = await this.#fitHash(tenant, subjectId, password, names).catch((error: unknown) => {
      // What is in force already is nothing new.
      if (error instanceof UnfitPassword && repeats !== undefined && present?.hash) return present.hash;
      throw error;
    });
    await credentials.stage(database.sql, tenant, { ticket, subjectId, hash, repeats, carriedRoles });
    return ticket;
  }

  /** Puts a staged password in force, and ends what rests on the one before. False when there is no such ticket. */
  async activate(tenant: string, ticket: string): Promise<boolean> {
    const { database, credentials, revocations } = this.#o;
    const subjectId = await credentials.ownerOfTicket(database.sql, tenant, ticket);
    if (subjectId === undefined) return false;
    await revocations.publish(
      await database.transaction((tx) => this.activateIn(tx, tenant, ticket, subjectId)),
    );
    return true;
  }

  /** The same in the caller's transaction, for a ticket that must be this user's; publish what it returns after the commit. */
  async activateIn(
    tx: Transaction,
    tenant: string,
    ticket: string,
    subjectId: string,
  ): Promise<Revocation[]> {
    const { subjectLocks, credentials, invitations, access } = this.#o;
    // A sign-in with the password before either has its session ended here, or finds the new one.
    await subjectLocks.hold(tx, tenant, subjectId);
    const activated = await credentials.activate(tx, tenant, ticket, subjectId);
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
