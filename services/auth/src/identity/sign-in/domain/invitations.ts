import type { Revocation } from '@ostiary/access';
import { type Key, type Transaction, type Transactions, uuidv7 } from '@ostiary/service';
import type { AccessRenewal, Knowers } from '../../../access/index.ts';
import type { Changes, Claim, SecurityLog } from '../../../platform/index.ts';
import type { CarriedRoles, RevocationFeed, SubjectStore } from '../../../tenancy/index.ts';
import {
  type CredentialChange,
  closedAccessPaths,
  keyedDigest,
  passkeyChange,
  randomSecret,
} from '../../../tenancy/index.ts';
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
  /** Claim of the idempotency key. */
  claim?: Claim | undefined;
  /** Replaces every credential of a user who can no longer use them. */
  resets?: boolean;
  /**
   * The credentials are compromised: everything of the user is revoked immediately, not at the acceptance of the
   * link.
   */
  compromised?: boolean;
  /** Roles that the credentials set through the link carry: those that the caller could assign. */
  carriedRoles: CarriedRoles;
  /** Reports whether the caller may create access to an account with these roles. */
  mayOpen: (roles: readonly string[]) => boolean;
}

export type InvitationResult =
  | { outcome: 'invited'; url: string; expiresAt: Date }
  /** The user does not exist or is not active. */
  | { outcome: 'inactive' }
  /** The user has a password or a passkey, and a reset was not requested. */
  | { outcome: 'settled' }
  /** The user has a role that the caller may not assign. */
  | { outcome: 'privileged' };

export interface InvitationsOptions {
  database: Transactions;
  invitations: InvitationStore;
  credentials: PasswordStore;
  passkeys: PasskeyStore;
  factors: SecondFactorStore;
  subjectLocks: SubjectStore;
  knowers: Knowers;
  roles: RolesHeld;
  consents: RememberedConsents;
  access: AccessEnding;
  events: CredentialEvents;
  securityLog: SecurityLog;
  /** Key of the digests of invitations. */
  key: Key;
  issuer: (tenant: string) => string;
  revocations: RevocationFeed;
}

/** Links through which users set their credentials. */
export class Invitations implements AccessRenewal {
  readonly #o: InvitationsOptions;

  constructor(options: InvitationsOptions) {
    this.#o = options;
  }

  /** Creates a single-use link that lets a user set a password or passkey. It replaces a previous one. */
  async invite(tenant: string, request: InvitationRequest): Promise<InvitationResult> {
    const { database, revocations } = this.#o;
    const { result, ended } = await database.transaction((tx) => this.#invited(tx, tenant, request));
    await revocations.publish(ended?.revocations ?? []);
    return result;
  }

  async renew(
    tx: Transaction,
    tenant: string,
    user: Parameters<AccessRenewal['renew']>[2],
  ): ReturnType<AccessRenewal['renew']> {
    const request = { ...user, resets: true, compromised: true };
    const { result, ended } = await this.#invited(tx, tenant, request);
    return result.outcome === 'invited' ? { ...result, revocations: ended?.revocations ?? [] } : result;
  }

  /**
   * Creates a resetting invitation for the user, in a transaction that holds the user. Returns the token of the link.
   */
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

  /** Returns the usable invitation of a link. */
  async find(tenant: string, token: string | undefined): Promise<LiveInvitation | undefined> {
    if (token === undefined || !/^[A-Za-z0-9_-]{43}$/.test(token)) return undefined;
    return this.#o.invitations.find(this.#o.database.sql, tenant, this.#digestOf(tenant, token));
  }

  /**
   * Consumes an invitation and runs `work` in the same transaction. A resetting one first revokes every credential,
   * session, grant and token.
   * @returns the result of `work` and the user's epoch after it; undefined after a rollback, if the invitation is not
   * usable or `work` returns undefined
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
    // Under the lock that assigning a role also takes, so that no invitation is created beside a new role.
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
    // Offboarding locks the same row, so the two are serialized.
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
    // An attacker may have consented for an application, which would get access again at the next sign-in without a
    // question.
    await consents.forget(tx, tenant, subjectId);
    await events.credentialsChanged(tx, tenant, subjectId, gone);
    const { revocations, counts } = await access.endEverything(tx, tenant, subjectId, 'access reset');
    return {
      revocations,
      changes: {
        ...(gone.length > 0 && { credentials: { before: gone.map(({ credentialType }) => credentialType) } }),
        ...closedAccessPaths(counts),
      },
    };
  }

  #digestOf(tenant: string, token: string): Buffer {
    return keyedDigest(this.#o.key(), `${tenant}\0${token}`);
  }
}

/** Revoked credentials and the revocations to publish after the commit. */
interface Ended {
  revocations: Revocation[];
  changes: Changes;
}

/** Causes a rollback. */
class Unaccepted extends Error {}
