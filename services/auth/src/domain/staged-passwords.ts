import type { Revocation } from '@ostiary/access';
import type { Database, Sql } from '@ostiary/database';
import { uuidv7 } from '@ostiary/service';
import { activateCredential, ownerOfTicket, passwordInForce, stageCredential } from '../data/credentials.ts';
import { deleteInvitations } from '../data/invitations.ts';
import { holdSubject } from '../data/subjects.ts';
import { type DeparturePorts, endSignIns } from './departure.ts';
import type { PasswordHasher } from './password.ts';
import type { RevocationFeed } from './ports.ts';

/** Passwords that somebody else sets for a person: an identity source, mostly. */
export interface StagedPasswords {
  /** Keeps a password, without effect until its ticket is activated. The person may not be there yet. */
  stage(tenant: string, subjectId: string, password: string): Promise<string>;
  /** Puts a staged password in force, and ends what rests on the one before. False when there is no such ticket. */
  activate(tenant: string, ticket: string): Promise<boolean>;
  /** The same in the caller's transaction, for a ticket that must be this person's; publish what it returns after the commit. */
  activateIn(tx: Sql, tenant: string, ticket: string, subjectId: string): Promise<Revocation[]>;
}

export function createStagedPasswords(o: {
  database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  passwords: PasswordHasher;
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

  return {
    async stage(tenant, subjectId, password) {
      const { sql } = o.database;
      const present = await passwordInForce(sql, tenant, subjectId);
      // Some sources send the password with every change of the person: nobody is signed out for that.
      const repeats =
        present && (await o.passwords.verify(password, present.hash)) ? present.ticket : undefined;
      const ticket = uuidv7();
      const hash = await o.passwords.hash(password);
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
