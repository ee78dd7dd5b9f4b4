import type { Revocation } from '@ostiary/access';
import type { Database, Sql } from '@ostiary/database';
import { uuidv7 } from '@ostiary/service';
import { type DeparturePorts, endSignIns } from '../../offboarding/index.ts';
import { holdSubject } from '../../subjects/data/subjects.ts';
import type { RevocationFeed } from '../../subjects/index.ts';
import { activateCredential, ownerOfTicket, passwordInForce, stageCredential } from '../data/credentials.ts';
import { deleteInvitations } from '../data/invitations.ts';
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

/** Passwords that somebody else sets for a person: an identity source, mostly. */
export interface StagedPasswords {
  /**
   * Keeps a password, without effect until its ticket is activated. The person may not be there yet.
   * @param names what the person will be called, as far as their profile doesn't say so yet
   * @throws UnfitPassword
   */
  stage(tenant: string, subjectId: string, password: string, names?: readonly string[]): Promise<string>;
  /** Puts a staged password in force, and ends what rests on the one before. False when there is no such ticket. */
  activate(tenant: string, ticket: string): Promise<boolean>;
  /** The same in the caller's transaction, for a ticket that must be this person's; publish what it returns after the commit. */
  activateIn(tx: Sql, tenant: string, ticket: string, subjectId: string): Promise<Revocation[]>;
}

export function createStagedPasswords(o: {
  database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  passwords: PasswordHasher;
  /** Characters a password must have, whoever sets it. */
  minLength: number;
  /** What a password of this person must not be made of. */
  wordsAbout: (tenant: string, subjectId: string) => Promise<Pick<NewPassword, 'names' | 'tenantWords'>>;
  departure: DeparturePorts;
  revocations: Pick<RevocationFeed, 'publish'>;
}): StagedPasswords {
  async function activateIn(
    tx: Sql,
    tenant: string,
    ticket: string,
    subjectId: string,
  ): Promise<Revocation[]> {
    // A sign-in with the password before either has its session ended here, or finds the new one.
    await holdSubject(tx, tenant, subjectId);
    const activated = await activateCredential(tx, tenant, ticket, subjectId);
    if (!activated?.replaced) return [];
    await deleteInvitations(tx, tenant, subjectId);
    return endSignIns(tx, tenant, { subjectId }, 'password replaced', o.departure);
  }

  async function fitHash(
    tenant: string,
    subjectId: string,
    password: string,
    names: readonly string[],
  ): Promise<string> {
    const about = await o.wordsAbout(tenant, subjectId);
    const checked = checkNewPassword({
      tenantWords: about.tenantWords,
      names: [...names, ...about.names],
      password,
      minLength: o.minLength,
    });
    if ('fault' in checked) throw new UnfitPassword(checked.fault);
    return o.passwords.hash(checked.password);
  }

  return {
    async stage(tenant, subjectId, password, names = []) {
      const { sql } = o.database;
      const present = await passwordInForce(sql, tenant, subjectId);
      // Some sources send the password with every change of the person: nobody is signed out for that.
      const repeats =
        present && (await o.passwords.verify(password, present.hash)) ? present.ticket : undefined;
      const ticket = uuidv7();
      const hash = await fitHash(tenant, subjectId, password, names).catch((error: unknown) => {
        // What is in force already is nothing new.
        if (error instanceof UnfitPassword && repeats !== undefined && present?.hash) return present.hash;
        throw error;
      });
      await stageCredential(sql, tenant, { ticket, subjectId, hash, repeats });
      return ticket;
    },
    async activate(tenant, ticket) {
      const subjectId = await ownerOfTicket(o.database.sql, tenant, ticket);
      if (subjectId === undefined) return false;
      await o.revocations.publish(
        await o.database.transaction((tx) => activateIn(tx, tenant, ticket, subjectId)),
      );
      return true;
    },
    activateIn,
  };
}
