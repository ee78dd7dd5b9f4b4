import type { Revocation } from '@ostiary/access';
import type { Claim, Database, Sql } from '@ostiary/database';
import { type Key, uuidv7 } from '@ostiary/service';
import { record } from '../../audit/data/security-log.ts';
import type { Changes } from '../../audit/index.ts';
import { tellOfCredentials } from '../../events/data/index.ts';
import { type CredentialChange, closedDoors, passkeyChange } from '../../events/index.ts';
import { forgetConsents } from '../../grants/data/consents.ts';
import { keyedDigest, randomSecret } from '../../keys/index.ts';
import { closeDoors, type DeparturePorts } from '../../offboarding/index.ts';
import { rolesOf } from '../../roles/data/roles.ts';
import { lockSubjectForIssuing } from '../../subjects/data/subjects.ts';
import type { RevocationFeed } from '../../subjects/index.ts';
import { retirePassword } from '../data/credentials.ts';
import {
  canSignIn,
  findInvitation,
  type LiveInvitation,
  replaceInvitation,
  spendInvitation,
} from '../data/invitations.ts';
import { deletePasskeysOf } from '../data/passkeys.ts';
import { deleteRecoveryCodes, deleteTotp } from '../data/second-factors.ts';

export interface InvitationRequest {
  subjectId: string;
  lifetimeSeconds: number;
  /** Of an idempotency key. */
  claim?: Claim | undefined;
  /** For somebody who can't use what they have any more: it replaces every way to sign in. */
  resets?: boolean;
  /** Somebody else has what they sign in with: it ends now, with everything of theirs, and not only when the link is accepted. */
  compromised?: boolean;
  /** Whether whoever asks may open an account that has these roles. */
  mayOpen: (roles: readonly string[]) => boolean;
}

export type InvitationResult =
  | { outcome: 'invited'; url: string; expiresAt: Date }
  /** There is no such person, or they are not active. */
  | { outcome: 'inactive' }
  /** They have a password or a passkey already, and nobody asked for that to be replaced. */
  | { outcome: 'settled' }
  /** They have a role that whoever asks may not give. */
  | { outcome: 'privileged' };

export interface Invitations {
  /** A link that lets a person set a password or passkey, once. It replaces one made before. */
  invite(tenant: string, request: InvitationRequest): Promise<InvitationResult>;
  /** The same in a transaction that holds the subject, for the person themselves: the token of the link. */
  reset(
    tx: Sql,
    tenant: string,
    o: { subjectId: string; subjectEpoch: number; lifetimeSeconds: number },
  ): Promise<string>;
  /** The invitation behind a link, as long as it can be accepted. */
  find(tenant: string, token: string | undefined): Promise<LiveInvitation | undefined>;
  /**
   * Uses an invitation up and, in the same transaction, does what it was for. One that resets first ends everything: every
   * way to sign in, every session, grant and token.
   * @returns what `work` returned, and the person's epoch by then; undefined when it can't be accepted (any more), or `work` said so:
   * then all stays as it was
   */
  accept<T>(
    tenant: string,
    invitation: LiveInvitation,
    work: (tx: Sql) => Promise<T | undefined>,
  ): Promise<{ done: T; subjectEpoch: number } | undefined>;
}

export function createInvitations(o: {
  database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  /** Of the digests of invitations. */
  key: Key;
  issuer: (tenant: string) => string;
  departure: DeparturePorts;
  revocations: Pick<RevocationFeed, 'publish'>;
}): Invitations {
  async function make(
    tx: Sql,
    tenant: string,
    person: { subjectId: string; subjectEpoch: number; lifetimeSeconds: number; resets: boolean },
  ): Promise<{ token: string; expiresAt: Date }> {
    const token = randomSecret();
    const digest = keyedDigest(o.key(), `${tenant}\0${token}`);
    return { token, expiresAt: await replaceInvitation(tx, tenant, { ...person, id: uuidv7(), digest }) };
  }

  return {
    async invite(tenant, { mayOpen, claim, resets = false, compromised = false, ...request }) {
      let ended: Ended | undefined;
      const result = await o.database.transaction(async (tx): Promise<InvitationResult> => {
        const { subjectId } = request;
        let subjectEpoch = await lockSubjectForIssuing(tx, tenant, subjectId);
        if (subjectEpoch === undefined) return { outcome: 'inactive' };
        // Under the lock that giving a role takes too: an invitation is never made beside one.
        const roles = (await rolesOf(tx, tenant, [subjectId])).get(subjectId) ?? [];
        if (!mayOpen(roles)) return { outcome: 'privileged' };
        if (!resets && (await canSignIn(tx, tenant, subjectId))) return { outcome: 'settled' };
        await claim?.(tx, tenant, subjectId);
        if (compromised) {
          ended = await endEverything(tx, tenant, subjectId);
          subjectEpoch += 1;
        }
        const { token, expiresAt } = await make(tx, tenant, { ...request, subjectEpoch, resets });
        await record(tx, tenant, {
          action: 'user.invited',
          resourceType: 'User',
          resourceId: subjectId,
          subjectId,
          changes: {
            resets: { after: resets },
            expiresAt: { after: expiresAt },
            ...(ended && { compromised: { after: true }, ...ended.changes }),
          },
        });
        return { outcome: 'invited', url: `${o.issuer(tenant)}/invitation?token=${token}`, expiresAt };
      });
      await o.revocations.publish(ended?.revocations ?? []);
      return result;
    },
    async reset(tx, tenant, person) {
      const { subjectId } = person;
      await record(tx, tenant, {
        action: 'user.recovery_begun',
        resourceType: 'User',
        resourceId: subjectId,
        subjectId,
      });
      return (await make(tx, tenant, { ...person, resets: true })).token;
    },
    async find(tenant, token) {
      if (token === undefined || !/^[A-Za-z0-9_-]{43}$/.test(token)) return undefined;
      return findInvitation(o.database.sql, tenant, keyedDigest(o.key(), `${tenant}\0${token}`));
    },
    async accept(tenant, invitation, work) {
      const { subjectId } = invitation;
      try {
        const { revocations, ...accepted } = await o.database.transaction(async (tx) => {
          // The departure takes the same row: it either sees what is done here, or is seen.
          const epoch = await lockSubjectForIssuing(tx, tenant, subjectId);
          if (epoch === undefined) throw new Unaccepted();
          if (!(await spendInvitation(tx, tenant, invitation.id))) throw new Unaccepted();
          const ended = invitation.resets ? await endEverything(tx, tenant, subjectId) : undefined;
          await record(tx, tenant, {
            action: invitation.resets ? 'user.access_reset' : 'user.invitation_accepted',
            resourceType: 'User',
            resourceId: subjectId,
            subjectId,
            ...(ended && { changes: ended.changes }),
          });
          const done = await work(tx);
          if (done === undefined) throw new Unaccepted();
          return { done, subjectEpoch: ended ? epoch + 1 : epoch, revocations: ended?.revocations ?? [] };
        });
        await o.revocations.publish(revocations);
        return accepted;
      } catch (error) {
        if (error instanceof Unaccepted) return undefined;
        throw error;
      }
    },
  };

  async function endEverything(tx: Sql, tenant: string, subjectId: string): Promise<Ended> {
    const gone: CredentialChange[] = [];
    if (await retirePassword(tx, tenant, subjectId)) {
      gone.push({ credentialType: 'password', changeType: 'revoke' });
    }
    const passkeys = await deletePasskeysOf(tx, tenant, subjectId);
    gone.push(...passkeys.map((passkey) => passkeyChange('revoke', passkey)));
    if (await deleteTotp(tx, tenant, subjectId)) gone.push({ credentialType: 'app', changeType: 'revoke' });
    await deleteRecoveryCodes(tx, tenant, subjectId);
    // Who had their way in may have allowed an app of their own something: it would be let in by the next sign-in, unasked.
    await forgetConsents(tx, tenant, subjectId);
    await tellOfCredentials(tx, tenant, subjectId, gone);
    const { revocations, counts } = await closeDoors(tx, tenant, subjectId, 'access reset', o.departure);
    return {
      revocations,
      changes: {
        ...(gone.length > 0 && { credentials: { before: gone.map(({ credentialType }) => credentialType) } }),
        ...closedDoors(counts),
      },
    };
  }
}

/** What there was of a person's ways in, and what to publish after the commit. */
interface Ended {
  revocations: Revocation[];
  changes: Changes;
}

/** Rolls back. */
class Unaccepted extends Error {}
