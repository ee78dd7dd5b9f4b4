import type { Revocation } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import { isTypedAsWritten, keysOfTyped, userMeant } from '@ostiary/scim';
import {
  type HttpPeer,
  isUuid,
  ServiceUnavailable,
  type Transaction,
  type Transactions,
} from '@ostiary/service';
import type {
  DirectoryRoleHolderNotices,
  InvitationEnds,
  Role,
  RoleStore,
  WayIn,
} from '../../access/index.ts';
import { endGroupOwner } from '../../access/index.ts';
import type { Claim, NewSecurityEvent, SecurityLog } from '../../platform/index.ts';
import {
  closedAccessPaths,
  type DirectoryUser,
  type ReportedOffboarding,
  type RevocationFeed,
  type Subject,
  type SubjectLookup,
  type SubjectStore,
  type Subjects,
  type UserChange,
  userChangeFromDirectory,
} from '../../tenancy/index.ts';
import {
  type AppliedUserChange,
  applyUserChange,
  closeAccessPaths,
  type OffboardingPorts,
  roleRemoved,
} from '../offboarding/domain/departure.ts';

export interface RoleAssignment {
  claim?: Claim | undefined;
  /**
   * Called in the transaction when the user's sign-in methods do not carry the role. The returned revocations are
   * published after the commit.
   */
  renew?: ((tx: Transaction) => Promise<Revocation[]>) | undefined;
}

export interface AssignedRole {
  notCarriedBy: WayIn[];
}

export interface SubjectRegisterOptions {
  database: Transactions;
  directory: HttpPeer;
  departure: OffboardingPorts;
  revocations: RevocationFeed;
  roleHolders: DirectoryRoleHolderNotices;
  securityLog: SecurityLog;
  subjectStore: SubjectStore;
  subjectReads: SubjectLookup;
  roleStore: RoleStore;
  invitationEnds: InvitationEnds;
  /** Called after the commit when an answer of the directory revealed an offboarding. */
  onOffboarding?: (departure: ReportedOffboarding) => void;
}

/**
 * Users of every tenant: a projection of the directory that fetches missing users on demand. Stores users and their
 * status from events and answers of the directory.
 */
export class ProjectedSubjects implements Subjects {
  readonly #o: SubjectRegisterOptions;

  constructor(options: SubjectRegisterOptions) {
    this.#o = options;
  }

  async find(tenant: string, id: string): Promise<Subject | null> {
    if (!isUuid(id)) return null;
    const { subjectReads, subjectStore } = this.#o;
    const { sql } = this.#o.database;
    const subject = await subjectReads.find(sql, tenant, id);
    if (subject) return subject;
    // A deleted user stays deleted, even if an older answer of the directory arrives later. An event may have stored
    // the user between the two reads, so the second read decides.
    if (await subjectStore.knows(sql, tenant, id)) return (await subjectReads.find(sql, tenant, id)) ?? null;
    return (await this.#askById(tenant, id)) ?? null;
  }

  /**
   * Returns the user with this user name, as typed, from the projection. Undefined also when the projection alone
   * cannot decide.
   */
  async findLocalByUserName(tenant: string, userName: string): Promise<Subject | undefined> {
    const { database, subjectReads } = this.#o;
    const subjects = await subjectReads.findByUserName(database.sql, tenant, keysOfTyped(userName));
    const [only] = subjects;
    // A user name typed differently from its stored form may also match a user who is not stored here yet.
    const certain = subjects.length === 1 && only && isTypedAsWritten(userName, only.profile.userName);
    return certain ? only : undefined;
  }

  /**
   * Asks the directory for the user with this user name, as typed, and stores the answer.
   * @throws ServiceUnavailable
   */
  async askByUserName(tenant: string, userName: string): Promise<Subject | undefined> {
    const { status, body } = await this.#o.directory.request<{ Resources?: DirectoryUser[] }>({
      method: 'POST',
      path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/Users/search`,
      // A JSON string is also a filter string (RFC 7644 §3.4.2.2), so input cannot escape its quotes.
      body: {
        filter: keysOfTyped(userName)
          .map((key) => `userName eq ${JSON.stringify(key)}`)
          .join(' or '),
        count: 10,
        verified: true,
      },
      idempotent: true,
    });
    // 400: no user name can have this form. 404: the directory has no such tenant.
    if (status === 400 || status === 404) return undefined;
    if (status !== 200) throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
    const user = userMeant(userName, body.Resources ?? [], (found) => String(found.userName));
    return user && this.#takeIn(tenant, user);
  }

  /** Applies an event in the caller's transaction. The caller publishes the returned revocations after the commit. */
  applyChange(tx: Transaction, tenant: string, change: UserChange): Promise<AppliedUserChange> {
    return applyUserChange(tx, tenant, change, this.#o.departure);
  }

  /**
   * Applies the tenant's policy to the objects that a deleted group owned, in the caller's transaction. The caller
   * publishes the returned revocations after the commit.
   */
  groupGone(tx: Transaction, tenant: string, id: string, actor: Actor): Promise<Revocation[]> {
    return endGroupOwner(tx, tenant, { id, actor }, this.#o.departure);
  }

  /** Revokes everything issued to an active user. Returns false if the tenant has no such user. */
  async signOutEverywhere(tenant: string, id: string, claim?: Claim): Promise<boolean> {
    const { database, departure, securityLog, subjectStore } = this.#o;
    if (!isUuid(id) || !(await subjectStore.knows(database.sql, tenant, id))) return false;
    await this.#publishing(async (tx) => {
      await claim?.(tx, tenant, id);
      const reason = 'signed out everywhere';
      const { revocations, counts } = await closeAccessPaths(tx, tenant, id, reason, departure);
      await securityLog.record(tx, tenant, {
        action: 'user.signed_out_everywhere',
        resourceType: 'User',
        resourceId: id,
        subjectId: id,
        changes: closedAccessPaths(counts),
      });
      return revocations;
    });
    return true;
  }

  /**
   * Assigns a role; idempotent. Ends a pending invitation, because its creator could gain the rights of a role that the
   * creator may not assign.
   * @returns the sign-in methods that do not carry the role, as they were before `renew`
   */
  async assignRole(
    tenant: string,
    id: string,
    role: Role,
    { claim, renew }: RoleAssignment = {},
  ): Promise<AssignedRole> {
    const { invitationEnds, roleHolders, roleStore, securityLog, subjectStore } = this.#o;
    let notCarriedBy: WayIn[] = [];
    await this.#publishing(async (tx) => {
      await subjectStore.hold(tx, tenant, id);
      await claim?.(tx, tenant, id);
      if (await roleStore.assignRole(tx, tenant, id, role)) {
        await invitationEnds.deleteInvitations(tx, tenant, id);
        await securityLog.record(tx, tenant, roleEvent('user.role_assigned', id, { after: role }));
      }
      const sources = await roleStore.roleSourcesOf(tx, tenant, [id]);
      notCarriedBy = sources.find((source) => source.role === role)?.notCarriedBy ?? [];
      // A user cannot renew a binding to a trusted issuer; an administrator removes it and creates it again.
      return notCarriedBy.some((way) => way !== 'trusted_issuer') ? ((await renew?.(tx)) ?? []) : [];
    });
    await roleHolders.follow(tenant, id);
    return { notCarriedBy };
  }

  /**
   * Removes a role and revokes everything issued so far, which may depend on it. Nothing is revoked if the user still
   * has the role through a group.
   */
  async removeRole(tenant: string, id: string, role: Role, claim?: Claim): Promise<void> {
    const { departure, roleHolders, roleStore, securityLog, subjectStore } = this.#o;
    await this.#publishing(async (tx) => {
      // Serializes removals of the same role from different sources: the second transaction sees that none is left.
      await subjectStore.hold(tx, tenant, id);
      await claim?.(tx, tenant, id);
      if (!(await roleStore.removeRole(tx, tenant, id, role))) return [];
      await securityLog.record(tx, tenant, roleEvent('user.role_removed', id, { before: role }));
      const remaining = (await roleStore.rolesOf(tx, tenant, [id])).get(id) ?? [];
      if (remaining.includes(role)) return [];
      return (await closeAccessPaths(tx, tenant, id, roleRemoved, departure)).revocations;
    });
    await roleHolders.follow(tenant, id);
  }

  async #publishing(work: (tx: Transaction) => Promise<Revocation[]>): Promise<Revocation[]> {
    const revocations = await this.#o.database.transaction(work);
    await this.#o.revocations.publish(revocations);
    return revocations;
  }

  async #takeIn(tenant: string, user: DirectoryUser): Promise<Subject | undefined> {
    const change = userChangeFromDirectory(user);
    if (!change)
      throw new ServiceUnavailable('directory', { cause: 'an answer without a user or its version' });
    const { reported, revocations } = await this.#o.database.transaction((tx) =>
      applyUserChange(tx, tenant, change, this.#o.departure),
    );
    if (reported) this.#o.onOffboarding?.(reported);
    await this.#o.revocations.publish(revocations);
    return this.#o.subjectReads.find(this.#o.database.sql, tenant, change.id);
  }

  async #askById(tenant: string, id: string): Promise<Subject | undefined> {
    const { status, body } = await this.#o.directory.request<DirectoryUser>({
      method: 'GET',
      path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/Users/${encodeURIComponent(id)}`,
      query: { verified: 'true' },
    });
    if (status === 404) return undefined;
    if (status !== 200) throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
    return this.#takeIn(tenant, body);
  }
}

const roleEvent = (
  action: 'user.role_assigned' | 'user.role_removed',
  id: string,
  role: { before?: Role; after?: Role },
): NewSecurityEvent => ({
  action,
  resourceType: 'User',
  resourceId: id,
  subjectId: id,
  changes: { role },
});
