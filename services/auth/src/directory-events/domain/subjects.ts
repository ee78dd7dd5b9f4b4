import type { Revocation } from '@ostiary/access';
import type { Claim, Database, Sql } from '@ostiary/database';
import type { Actor } from '@ostiary/events';
import { isTypedAsWritten, keysOfTyped, whoIsMeant } from '@ostiary/scim';
import { type HttpPeer, isUuid, ServiceUnavailable } from '@ostiary/service';
import { record } from '../../audit/data/security-log.ts';
import type { NewSecurityEvent } from '../../audit/index.ts';
import { closedDoors } from '../../events/index.ts';
import { closeDoors, type DeparturePorts, roleRemoved, takeNews } from '../../offboarding/index.ts';
import { endGroupOwner } from '../../ownership/index.ts';
import { assignRole, removeRole, rolesOf } from '../../roles/data/roles.ts';
import type { Role, RoleHolderNotices } from '../../roles/index.ts';
import { deleteInvitations } from '../../sign-in/data/invitations.ts';
import {
  findSubject,
  findSubjectsByUserName,
  holdSubject,
  knowsSubject,
} from '../../subjects/data/subjects.ts';
import {
  type DirectoryUser,
  newsFromDirectory,
  type RevocationFeed,
  type Subject,
  type SubjectNews,
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
  /** Takes in news inside a transaction; publish what it returns after the commit. */
  takeNews(tx: Sql, tenant: string, news: SubjectNews): Promise<Revocation[]>;
  /** Does with what a group owned what the tenant's policy says, inside a transaction; publish what it returns after the commit. */
  groupGone(tx: Sql, tenant: string, id: string, actor: Actor): Promise<Revocation[]>;
  /** Ends everything issued to a person who stays. False when the tenant has no such person. */
  signOutEverywhere(tenant: string, id: string, claim?: Claim): Promise<boolean>;
  /**
   * Gives a role; giving it twice is giving it once. An invitation that waits ends: whoever made it could get at the rights
   * of a role that they may not give.
   */
  assignRole(tenant: string, id: string, role: Role, claim?: Claim): Promise<void>;
  /**
   * Takes a role away, and with it everything issued so far, which may rest on it; unless they have the role through a group as
   * well, and so keep it.
   */
  removeRole(tenant: string, id: string, role: Role, claim?: Claim): Promise<void>;
}

export interface SubjectRegisterOptions {
  database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  directory: HttpPeer;
  departure: DeparturePorts;
  revocations: RevocationFeed;
  roleHolders: Pick<RoleHolderNotices, 'follow'>;
  /** Told when an answer of the directory's was that somebody has left. */
  onDeparture?: () => void;
}

export function createSubjects(o: SubjectRegisterOptions): SubjectRegister {
  const { sql } = o.database;

  async function publishing(work: (tx: Sql) => Promise<Revocation[]>): Promise<Revocation[]> {
    const revocations = await o.database.transaction(work);
    await o.revocations.publish(revocations);
    return revocations;
  }

  async function takeIn(tenant: string, user: DirectoryUser): Promise<Subject | undefined> {
    const news = newsFromDirectory(user);
    if (!news)
      throw new ServiceUnavailable('directory', { cause: 'an answer without a user or its version' });
    const ended = await publishing((tx) => takeNews(tx, tenant, news, o.departure));
    if (ended.length > 0) o.onDeparture?.();
    return findSubject(sql, tenant, news.id);
  }

  async function askById(tenant: string, id: string): Promise<Subject | undefined> {
    const { status, body } = await o.directory.request<DirectoryUser>({
      method: 'GET',
      path: `/internal/v1/tenants/${encodeURIComponent(tenant)}/Users/${encodeURIComponent(id)}`,
      query: { verified: 'true' },
    });
    if (status === 404) return undefined;
    if (status !== 200) throw new ServiceUnavailable('directory', { cause: `answered ${status}` });
    return takeIn(tenant, body);
  }

  async function askByUserName(tenant: string, userName: string): Promise<Subject | undefined> {
    const { status, body } = await o.directory.request<{ Resources?: DirectoryUser[] }>({
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
    return user && takeIn(tenant, user);
  }

  async function findLocalByUserName(tenant: string, userName: string): Promise<Subject | undefined> {
    const subjects = await findSubjectsByUserName(sql, tenant, keysOfTyped(userName));
    const [only] = subjects;
    // Typed in another way than it is written, it may also be how somebody else writes theirs, who isn't known here yet.
    const certain = subjects.length === 1 && only && isTypedAsWritten(userName, only.profile.userName);
    return certain ? only : undefined;
  }

  return {
    async find(tenant, id) {
      if (!isUuid(id)) return null;
      const subject = await findSubject(sql, tenant, id);
      if (subject) return subject;
      // Somebody deleted stays deleted, whatever an answer that was on its way says.
      // Somebody whose event came in between the two looks is there now.
      if (await knowsSubject(sql, tenant, id)) return (await findSubject(sql, tenant, id)) ?? null;
      return (await askById(tenant, id)) ?? null;
    },
    findLocalByUserName,
    askByUserName,
    takeNews: (tx, tenant, news) => takeNews(tx, tenant, news, o.departure),
    groupGone: (tx, tenant, id, actor) => endGroupOwner(tx, tenant, { id, actor }, o.departure),
    async signOutEverywhere(tenant, id, claim) {
      if (!isUuid(id) || !(await knowsSubject(sql, tenant, id))) return false;
      await publishing(async (tx) => {
        await claim?.(tx, tenant, id);
        const { revocations, counts } = await closeDoors(
          tx,
          tenant,
          id,
          'signed out everywhere',
          o.departure,
        );
        await record(tx, tenant, {
          action: 'user.signed_out_everywhere',
          resourceType: 'User',
          resourceId: id,
          subjectId: id,
          changes: closedDoors(counts),
        });
        return revocations;
      });
      return true;
    },
    async assignRole(tenant, id, role, claim) {
      await o.database.transaction(async (tx) => {
        await holdSubject(tx, tenant, id);
        await claim?.(tx, tenant, id);
        if (!(await assignRole(tx, tenant, id, role))) return;
        await deleteInvitations(tx, tenant, id);
        await record(tx, tenant, roleEvent('user.role_assigned', id, { after: role }));
      });
      await o.roleHolders.follow(tenant, id);
    },
    async removeRole(tenant, id, role, claim) {
      await publishing(async (tx) => {
        // Against the same role going by another way at the same time: whoever comes second sees that none is left.
        await holdSubject(tx, tenant, id);
        await claim?.(tx, tenant, id);
        if (!(await removeRole(tx, tenant, id, role))) return [];
        await record(tx, tenant, roleEvent('user.role_removed', id, { before: role }));
        const remaining = (await rolesOf(tx, tenant, [id])).get(id) ?? [];
        if (remaining.includes(role)) return [];
        return (await closeDoors(tx, tenant, id, roleRemoved, o.departure)).revocations;
      });
      await o.roleHolders.follow(tenant, id);
    },
  };
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
