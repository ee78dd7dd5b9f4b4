import type { Revocation } from '@ostiary/access';
import { type Key, type Transaction, type Transactions, uuidv7 } from '@ostiary/service';
import type { Changes, SecurityLog } from '../../audit/index.ts';
import { type CredentialChange, closedDoors, passkeyChange } from '../../events/index.ts';
import { keyedDigest, randomSecret } from '../../keys/index.ts';
import type { Knowers } from '../../ownership/index.ts';
import type { Claim } from '../../protocol/index.ts';
import type { AccessRenewal } from '../../roles/index.ts';
import type { CarriedRoles, RevocationFeed, SubjectStore } from '../../subjects/index.ts';
import type {
  AccessEnding,
  CredentialEvents,
  InvitationStore,
  LiveInvitation,
  PasskeyStore,
  PasswordStore,
  RememberedConsents,
  RolesHeld,
  SecondFactorStore,
} from './credential-store.ts';

export interface InvitationRequest {
  subjectId: string;
  lifetimeSeconds: number;
  /** Of an idempotency key. */
  claim?: Claim | undefined;
  /** For a user who can't use what they have any more: it replaces every way to sign in. */
  resets?: boolean;
  /** What they sign in with is known to others: it ends now, with everything of theirs, and not only when the link is accepted. */
  compromised?: boolean;
  /** Roles that what is set by the link carries: those that the caller could give. */
  carriedRoles: CarriedRoles;
  /** Whether the caller may open an account that has these roles. */
  mayOpen: (roles: readonly string[]) => boolean;
}

export type InvitationResult =
  | { outcome: 'invited'; url: string; expiresAt: Date }
  /** There is no such user, or they are not active. */
  | { outcome: 'inactive' }
  /** They have a password or a passkey already, and it was not asked to replace that. */
  | { outcome: 'settled' }
  /** They have a role that the caller may not give. */
  | { outcome: 'privileged' };

export interface InvitationsOptions {
  database: Transactions;
  invitations: InvitationStore;
  credentials: Pick<PasswordStore, 'retire'>;
  passkeys: Pick<PasskeyStore, 'deleteOf'>;
  factors: Pick<SecondFactorStore, 'deleteTotp' | 'deleteRecoveryCodes'>;
  subjectLocks: Pick<SubjectStore, 'lockForIssuing'>;
  knowers: Knowers;
  roles: RolesHeld;
  consents: RememberedConsents;
  access: Pick<AccessEnding, 'endEverything'>;
  events: CredentialEvents;
  securityLog: SecurityLog;
  /** Of the digests of invitations. */
  key: Key;
  issuer: (tenant: string) => string;
  revocations: Pick<RevocationFeed, 'publish'>;
}

/** Links by which users set what they sign in with. */
export class Invitations implements AccessRenewal {
  readonly #o: InvitationsOptions;

  constructor(options: InvitationsOptions) {
    this.#o = options;
  }

  /** A link that lets a user set a password or passkey, once. It replaces one made before. */
  async invite(tenant: string, request: InvitationRequest): Promise<InvitationResult> {
    const { database, revocations } = this.#o;
    const { result, ended } = await database.transaction((tx) => this.#invited(tx, tenant, request));
    await revocations.publish(ended?.revocations ?? []);
    return result;
  }

  /** @see AccessRenewal */
  async renew(
    tx: Transaction,
    tenant: string,
    user: Parameters<AccessRenewal['renew']>[2],
  ): ReturnType<AccessRenewal['renew']> {
    const request = { ...user, resets: true, compromised: true };
    const { result, ended } = await this.#invited(tx, tenant, request);
    return result.outcome === 'invited' ? { ...result, revocations: ended?.revocations ?? [] } : result;
  }

  /** The same in a transaction that holds the subject, for the user themselves: the token of the link. */
  async reset(
    tx: Transaction,
    tenant: string,
    user: {
      subjectId: string;
      subjectEpoch: number;
      lifetimeSeconds: number;
      carriedRoles: CarriedRoles;
    },
  ): Promise<string> {
    const { subjectId } = user;
    await this.#o.securityLog.record(tx, tenant, {
      action: 'user.recovery_begun',
      resourceType: 'User',
      resourceId: subjectId,
      subjectId,
    });
    return (await this.#make(tx, tenant, { ...user, resets: true })).token;
  }

  /** The invitation behind a link, as long as it can be accepted. */
  async find(tenant: string, token: string | undefined): Promise<LiveInvitation | undefined> {
    if (token === undefined || !/^[A-Za-z0-9_-]{43}$/.test(token)) return undefined;
    return this.#o.invitations.find(this.#o.database.sql, tenant, this.#digestOf(tenant, token));
  }

  /**
   * Uses an invitation up and, in the same transaction, does what it was for. One that resets first ends everything: every
   * way to sign in, every session, grant and token.
   * @returns what `work` returned, and the user's epoch by then; undefined when it can't be accepted (any more), or `work` said so:
   * then all stays as it was
   */
  async accept<T>(
    tenant: string,
    invitation: LiveInvitation,
    work: (tx: Transaction) => Promise<T | undefined>,
  ): Promise<{ done: T; subjectEpoch: number } | undefined> {
    try {
      const { revocations, ...accepted } = await this.#o.database.transaction((tx) =>
        this.#accepted(tx, tenant, invitation, work),
      );
      await this.#o.revocations.publish(revocations);
      return accepted;
    } catch (error) {
      if (error instanceof Unaccepted) return undefined;
      throw error;
    }
  }

  async #invited(
    tx: Transaction,
    tenant: string,
    { mayOpen, claim, resets = false, compromised = false, ...request }: InvitationRequest,
  ): Promise<{ result: InvitationResult; ended?: Ended | undefined }> {
    const { subjectLocks, knowers, roles: held, invitations, securityLog, issuer } = this.#o;
    const { subjectId } = request;
    const knownTo = await knowers.holdKnowers(tx, tenant);
    let subjectEpoch = await subjectLocks.lockForIssuing(tx, tenant, subjectId);
    if (subjectEpoch === undefined) return { result: { outcome: 'inactive' } };
    // Under the lock that giving a role takes too: an invitation is never made beside one.
    const roles = (await held.of(tx, tenant, [subjectId])).get(subjectId) ?? [];
    if (!mayOpen(roles)) return { result: { outcome: 'privileged' } };
    if (!resets && (await invitations.canSignIn(tx, tenant, subjectId))) {
      return { result: { outcome: 'settled' } };
    }
    await claim?.(tx, tenant, subjectId);
    let ended: Ended | undefined;
    if (compromised) {
      ended = await this.#endEverything(tx, tenant, subjectId);
      subjectEpoch += 1;
    }
    const { id, token, expiresAt } = await this.#make(tx, tenant, { ...request, subjectEpoch, resets });
    await knowers.recordKnown(tx, tenant, 'invitation', id, knownTo);
    await securityLog.record(tx, tenant, {
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
    const url = `${issuer(tenant)}/invitation?token=${token}`;
    return { result: { outcome: 'invited', url, expiresAt }, ended };
  }

  /** @throws Unaccepted */
  async #accepted<T>(
    tx: Transaction,
    tenant: string,
    invitation: LiveInvitation,
    work: (tx: Transaction) => Promise<T | undefined>,
  ): Promise<{ done: T; subjectEpoch: number; revocations: Revocation[] }> {
    const { subjectLocks, invitations, securityLog } = this.#o;
    const { subjectId } = invitation;
    // The departure takes the same row: it either sees what is done here, or is seen.
    const epoch = await subjectLocks.lockForIssuing(tx, tenant, subjectId);
    if (epoch === undefined) throw new Unaccepted();
    if (!(await invitations.spend(tx, tenant, invitation.id))) throw new Unaccepted();
    const ended = invitation.resets ? await this.#endEverything(tx, tenant, subjectId) : undefined;
    await securityLog.record(tx, tenant, {
      action: invitation.resets ? 'user.access_reset' : 'user.invitation_accepted',
      resourceType: 'User',
      resourceId: subjectId,
      subjectId,
      ...(ended && { changes: ended.changes }),
    });
    const done = await work(tx);
    if (done === undefined) throw new Unaccepted();
    return { done, subjectEpoch: ended ? epoch + 1 : epoch, revocations: ended?.revocations ?? [] };
  }

  async #make(
    tx: Transaction,
    tenant: string,
    user: {
      subjectId: string;
      subjectEpoch: number;
      lifetimeSeconds: number;
      carriedRoles: CarriedRoles;
      resets: boolean;
    },
  ): Promise<{ id: string; token: string; expiresAt: Date }> {
    const [id, token] = [uuidv7(), randomSecret()];
    const digest = this.#digestOf(tenant, token);
    const expiresAt = await this.#o.invitations.replace(tx, tenant, { ...user, id, digest });
    return { id, token, expiresAt };
  }

  async #endEverything(tx: Transaction, tenant: string, subjectId: string): Promise<Ended> {
    const { credentials, passkeys, factors, consents, events, access } = this.#o;
    const gone: CredentialChange[] = [];
    if (await credentials.retire(tx, tenant, subjectId)) {
      gone.push({ credentialType: 'password', changeType: 'revoke' });
    }
    const deleted = await passkeys.deleteOf(tx, tenant, subjectId);
    gone.push(...deleted.map((passkey) => passkeyChange('revoke', passkey)));
    if (await factors.deleteTotp(tx, tenant, subjectId)) {
      gone.push({ credentialType: 'app', changeType: 'revoke' });
    }
    await factors.deleteRecoveryCodes(tx, tenant, subjectId);
    // An intruder may have allowed an app of their own something: it would be let in by the next sign-in, unasked.
    await consents.forget(tx, tenant, subjectId);
    await events.credentialsChanged(tx, tenant, subjectId, gone);
    const { revocations, counts } = await access.endEverything(tx, tenant, subjectId, 'access reset');
    return {
      revocations,
      changes: {
        ...(gone.length > 0 && { credentials: { before: gone.map(({ credentialType }) => credentialType) } }),
        ...closedDoors(counts),
      },
    };
  }

  #digestOf(tenant: string, token: string): Buffer {
    return keyedDigest(this.#o.key(), `${tenant}\0${token}`);
  }
}

/** What there was of a user's ways in, and what to publish after the commit. */
interface Ended {
  revocations: Revocation[];
  changes: Changes;
}

/** Rolls back. */
class Unaccepted extends Error {}
