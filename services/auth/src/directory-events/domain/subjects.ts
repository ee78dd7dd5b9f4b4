import type { Revocation } from '@ostiary/access';
import type { Actor } from '@ostiary/events';
import { isTypedAsWritten, keysOfTyped, whoIsMeant } from '@ostiary/scim';
import {
  type HttpPeer,
  isUuid,
  ServiceUnavailable,
  type Transaction,
  type Transactions,
} from '@ostiary/service';
import type { NewSecurityEvent, SecurityLog } from '../../audit/index.ts';
import { closedDoors, type ReportedDeparture } from '../../events/index.ts';
import {
  type AppliedNews,
  applyNews,
  closeDoors,
  type DeparturePorts,
  roleRemoved,
} from '../../offboarding/index.ts';
import { endGroupOwner } from '../../ownership/index.ts';
import type { Claim } from '../../protocol/index.ts';
import type { InvitationEnds, Role, RoleHolderNotices, RoleStore, WayIn } from '../../roles/index.ts';
import {
  type DirectoryUser,
  newsFromDirectory,
  type RevocationFeed,
  type Subject,
  type SubjectNews,
  type SubjectStore,
  type Subjects,
} from '../../subjects/index.ts';

/** The people of every tenant: a projection of the directory that fills itself where it has gaps. */
export interface SubjectRegister extends Subjects {
  /** Whom this user name means, as it was typed, as far as the projection alone knows. Undefined also when it isn't sure. */
  findLocalByUserName(tenant: string, userName: string): Promise<Subject | undefined>;
  /**
   * Asks the directory whom this user name means, as it was typed, and takes the answer in.
   * @throws ServiceUnavailable
   */
  askByUserName(tenant: string, userName: string): Promise<Subject | undefined>;
  /** Applies an event inside a transaction; publish what it returns after the commit. */
  applyNews(tx: Transaction, tenant: string, news: SubjectNews): Promise<AppliedNews>;
  /** Does with what a group owned what the tenant's policy says, inside a transaction; publish what it returns after the commit. */
  groupGone(tx: Transaction, tenant: string, id: string, actor: Actor): Promise<Revocation[]>;
  /** Ends everything issued to a person who stays. False when the tenant has no such person. */
  signOutEverywhere(tenant: string, id: string, claim?: Claim): Promise<boolean>;
  /**
   * Gives a role; giving it twice is giving it once. An invitation that waits ends: whoever made it could get at the rights
   * of a role that they may not give.
   * @returns the ways in that do not carry the role, as they were before `renew`
   */
  assignRole(tenant: string, id: string, role: Role, o?: RoleAssignment): Promise<AssignedRole>;
  /**
   * Takes a role away, and with it everything issued so far, which may rest on it; unless they have the role through a group as
   * well, and so keep it.
   */
  removeRole(tenant: string, id: string, role: Role, claim?: Claim): Promise<void>;
}

export interface RoleAssignment {
  /** Of an idempotency key. */
  claim?: Claim | undefined;
  /** Called in the transaction when what the user signs in with does not carry the role; what it returns is published after the commit. */
  renew?: ((tx: Transaction) => Promise<Revocation[]>) | undefined;
}

export interface AssignedRole {
  notCarriedBy: WayIn[];
}

export interface SubjectRegisterOptions {
  database: Transactions;
  directory: HttpPeer;
  departure: DeparturePorts;
  revocations: RevocationFeed;
  roleHolders: Pick<RoleHolderNotices, 'follow'>;
  securityLog: SecurityLog;
  subjectStore: Pick<SubjectStore, 'find' | 'findByUserName' | 'hold' | 'knows'>;
  roleStore: Pick<RoleStore, 'assignRole' | 'removeRole' | 'rolesOf' | 'roleSourcesOf'>;
  invitationEnds: InvitationEnds;
  /** Called after the commit when an answer of the directory revealed a departure. */
  onDeparture?: (departure: ReportedDeparture) => void;
}

/** A person's rights and what they rest on, kept from what the directory says. */
export class ProjectedSubjects implements SubjectRegister {
  readonly #o: SubjectRegisterOptions;

  constructor(options: SubjectRegisterOptions) {
    this.#o = options;
  }

  async find(tenant: string, id: string): Promise<Subject | null> {
    if (!isUuid(id)) return null;
    const { subjectStore } = this.#o;
    const { sql } = this.#o.database;
    const subject = await subjectStore.find(sql, tenant, id);
    if (subject) return subject;
    // Somebody deleted stays deleted, whatever an answer that was on its way says.
    // Somebody whose event came in between the two looks is there now.
    if (await subjectStore.knows(sql, tenant, id)) return (await subjectStore.find(sql, tenant, id)) ?? null;
    return (await this.#askById(tenant, id)) ?? null;
  }

  async findLocalByUserName(tenant: string, userName: string): Promise<Subject | undefined> {
    const { database, subjectStore } = this.#o;
    const subjects = await subjectStore.findByUserName(database.sql, tenant, keysOfTyped(userName));
    const [only] = subjects;
    // Typed in another way than it is written, it may also be how somebody else writes theirs, who isn't known here yet.
    const certain = subjects.length === 1 && only && isTypedAsWritten(userName, only.profile.userName);
    return certain ? only : undefined;
  }

  async askByUserName(tenant: string, userName: string): Promise<Subject | undefined> {
    const { status, body } = await this.#o.directory.request<{ Resources?: DirectoryUser[] }>({
      method: 'POST',
      path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/Users/search`,
      // A JSON string is also a filter string (RFC 7644 §3.4.2.2), so nothing typed can leave its quotes.
      body: {
        filter: keysOfTyped(userName)
          .map((key) => `userName eq ${JSON.stringify(key)}`)
          .join(' or '),
        count: 10,
        verified: true,
      },
      idempotent: true,
    });
    // 400: the directory finds that no user name could look like this. 404: it has no such tenant.
    if (status === 400 || status === 404) return undefined;
    if (status !== 200) throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
    const user = whoIsMeant(userName, body.Resources ?? [], (found) => String(found.userName));
    return user && this.#takeIn(tenant, user);
  }

  applyNews(tx: Transaction, tenant: string, news: SubjectNews): Promise<AppliedNews> {
    return applyNews(tx, tenant, news, this.#o.departure);
  }

  groupGone(tx: Transaction, tenant: string, id: string, actor: Actor): Promise<Revocation[]> {
    return endGroupOwner(tx, tenant, { id, actor }, this.#o.departure);
  }

  async signOutEverywhere(tenant: string, id: string, claim?: Claim): Promise<boolean> {
    const { database, departure, securityLog, subjectStore } = this.#o;
    if (!isUuid(id) || !(await subjectStore.knows(database.sql, tenant, id))) return false;
    await this.#publishing(async (tx) => {
      await claim?.(tx, tenant, id);
      const reason = 'signed out everywhere';
      const { revocations, counts } = await closeDoors(tx, tenant, id, reason, departure);
      await securityLog.record(tx, tenant, {
        action: 'user.signed_out_everywhere',
        resourceType: 'User',
        resourceId: id,
        subjectId: id,
        changes: closedDoors(counts),
      });
      return revocations;
    });
    return true;
  }

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
      // A binding is none of the things that a user renews: it is removed and bound again.
      return notCarriedBy.some((way) => way !== 'trusted_issuer') ? ((await renew?.(tx)) ?? []) : [];
    });
    await roleHolders.follow(tenant, id);
    return { notCarriedBy };
  }

  async removeRole(tenant: string, id: string, role: Role, claim?: Claim): Promise<void> {
    const { departure, roleHolders, roleStore, securityLog, subjectStore } = this.#o;
    await this.#publishing(async (tx) => {
      // Against the same role going by another way at the same time: whoever comes second sees that none is left.
      await subjectStore.hold(tx, tenant, id);
      await claim?.(tx, tenant, id);
      if (!(await roleStore.removeRole(tx, tenant, id, role))) return [];
      await securityLog.record(tx, tenant, roleEvent('user.role_removed', id, { before: role }));
      const remaining = (await roleStore.rolesOf(tx, tenant, [id])).get(id) ?? [];
      if (remaining.includes(role)) return [];
      return (await closeDoors(tx, tenant, id, roleRemoved, departure)).revocations;
    });
    await roleHolders.follow(tenant, id);
  }

  async #publishing(work: (tx: Transaction) => Promise<Revocation[]>): Promise<Revocation[]> {
    const revocations = await this.#o.database.transaction(work);
    await this.#o.revocations.publish(revocations);
    return revocations;
  }

  async #takeIn(tenant: string, user: DirectoryUser): Promise<Subject | undefined> {
    const news = newsFromDirectory(user);
    if (!news)
      throw new ServiceUnavailable('directory', { cause: 'an answer without a user or its version' });
    const { reported, revocations } = await this.#o.database.transaction((tx) =>
      applyNews(tx, tenant, news, this.#o.departure),
    );
    if (reported) this.#o.onDeparture?.(reported);
    await this.#o.revocations.publish(revocations);
    return this.#o.subjectStore.find(this.#o.database.sql, tenant, news.id);
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
