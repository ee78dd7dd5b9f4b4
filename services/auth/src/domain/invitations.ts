import type { Database, Sql } from '@ostiary/database';
import { uuidv7 } from '@ostiary/service';
import {
  canSignIn,
  findInvitation,
  type LiveInvitation,
  replaceInvitation,
  spendInvitation,
} from '../data/invitations.ts';
import { lockSubjectForIssuing } from '../data/subjects.ts';
import { deriveKey, keyedDigest, randomSecret } from './secret.ts';

export type InvitationResult =
  | { outcome: 'invited'; url: string; expiresAt: Date }
  /** There is no such person, or they are not active. */
  | { outcome: 'inactive' }
  /** They have a password or a passkey already: an invitation is no way to take over an account. */
  | { outcome: 'settled' };

export interface Invitations {
  /** A link that lets a person set their first password or passkey, once. It replaces one made before. */
  invite(tenant: string, subjectId: string, lifetimeSeconds: number): Promise<InvitationResult>;
  /** The invitation behind a link, as long as it can be accepted. */
  find(tenant: string, token: string | undefined): Promise<LiveInvitation | undefined>;
  /**
   * Uses an invitation up and, in the same transaction, does what it was for.
   * @returns false when it can't be accepted (any more), or `work` said no: then it stays as it was
   */
  accept(tenant: string, invitation: LiveInvitation, work: (tx: Sql) => Promise<boolean>): Promise<boolean>;
}

export function createInvitations(o: {
  database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  encryptionKey: Buffer;
  issuer: (tenant: string) => string;
}): Invitations {
  const key = deriveKey(o.encryptionKey, 'invitation');
  return {
    invite: (tenant, subjectId, lifetimeSeconds) =>
      o.database.transaction(async (tx) => {
        const subjectEpoch = await lockSubjectForIssuing(tx, tenant, subjectId);
        if (subjectEpoch === undefined) return { outcome: 'inactive' };
        if (await canSignIn(tx, tenant, subjectId)) return { outcome: 'settled' };
        const token = randomSecret();
        const expiresAt = await replaceInvitation(tx, tenant, {
          id: uuidv7(),
          subjectId,
          subjectEpoch,
          digest: keyedDigest(key, `${tenant}\0${token}`),
          lifetimeSeconds,
        });
        return { outcome: 'invited', url: `${o.issuer(tenant)}/invitation?token=${token}`, expiresAt };
      }),
    async find(tenant, token) {
      if (token === undefined || !/^[A-Za-z0-9_-]{43}$/.test(token)) return undefined;
      return findInvitation(o.database.sql, tenant, keyedDigest(key, `${tenant}\0${token}`));
    },
    async accept(tenant, invitation, work) {
      try {
        return await o.database.transaction(async (tx) => {
          // The departure takes the same row: it either sees what is done here, or is seen.
          if ((await lockSubjectForIssuing(tx, tenant, invitation.subjectId)) === undefined) return false;
          if (!(await spendInvitation(tx, tenant, invitation.id))) return false;
          if (!(await work(tx))) throw new Unaccepted();
          return true;
        });
      } catch (error) {
        if (error instanceof Unaccepted) return false;
        throw error;
      }
    },
  };
}

/** Rolls back. */
class Unaccepted extends Error {}
