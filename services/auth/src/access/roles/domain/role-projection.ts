import type { Revocation } from '@ostiary/access';
import type { DomainEvent } from '@ostiary/events';
import type { Transaction, Transactions } from '@ostiary/service';
import pLimit from 'p-limit';
import {
  type DirectoryGroups,
  type MembersAnswer,
  maxMembers,
  type RevocationFeed,
  Settling,
  type Subjects,
} from '../../../tenancy/index.ts';
import type { GroupRoleHolderStore, Holding } from './group-role-holders.ts';
import { forgetGroups, type GroupRolePorts } from './group-roles.ts';
import type { DueCheck, MembershipCheckStore } from './membership-checks.ts';
import { type HoldingPorts, type HoldingsSet, setHoldings } from './role-holders.ts';

export interface RoleProjectionOptions extends GroupRolePorts {
  database: Transactions;
  directory: DirectoryGroups;
  subjects: Subjects;
  departure: HoldingPorts;
  revocations: RevocationFeed;
  groupRoleHolders: GroupRoleHolderStore;
  membershipChecks: MembershipCheckStore;
}

/** Maximum number of tenants handled concurrently: each holds a connection while the directory answers. */
const concurrentTenants = 2;
/** Maximum number of users requested concurrently. */
const concurrentNewcomers = 4;

interface Step {
  revocations: Revocation[];
  more: boolean;
}

/** Members that are not stored here, because their own events have not arrived. */
interface Newcomers {
  /** Users that the directory no longer has. They are in no group. */
  absent: Set<string>;
  /** Users whose request failed, with the failure. They must not delay the others. */
  unanswered: Map<string, unknown>;
  /** Users to request next. */
  found: string[];
}

/** Memberships to request, and the groups concerned. */
interface Question<D> {
  due: D;
  groups: string[];
  newcomers: Newcomers;
}

/**
 * Stores which users have roles through groups, from memberships in the directory, so that issuing a token needs no
 * request.
 *
 * Events arrive late, twice and in any order, so an event does not prove a membership. It only identifies whose
 * memberships to request from the directory, which is recorded in its transaction (`note`). `settle` holds the tenant's
 * lock from before the request until the answer is stored, so answers are stored in the order in which they were given.
 * The last stored answer about a user was requested after the last event about that user, and therefore after the
 * change that the event reports.
 */
export class RoleProjection {
  readonly #o: RoleProjectionOptions;
  readonly #limitTenants = pLimit(concurrentTenants);
  readonly #limitNewcomers = pLimit(concurrentNewcomers);
  readonly #settling = new Settling((tenant) => this.#settleAll(tenant));

  constructor(options: RoleProjectionOptions) {
    this.#o = options;
  }

  /** Records the users that events concern, in their transaction. @returns the tenants to settle after the commit */
  async note(tx: Transaction, events: readonly DomainEvent[]): Promise<string[]> {
    const tenants = await this.#o.groupRoleStore.tenantsWithGroupRoles(tx, concerned(events));
    for (const tenant of tenants) await noteOf(this.#o, tx, tenant, events);
    return tenants;
  }

  /**
   * Sends all pending questions about a tenant to the directory and applies the answers.
   * @throws ServiceUnavailable, DatabaseUnavailable; questions that are not done stay recorded
   */
  settle(tenant: string): Promise<void> {
    return this.#settling.settle(tenant);
  }

  /** Resolves when current work has ended, successfully or not. */
  idle(): Promise<void> {
    return this.#settling.idle();
  }

  /** Ends holdings of roles that the groups no longer have, up to a limit, in the caller's transaction. */
  async endFormer(tx: Transaction, tenant: string): Promise<Step> {
    const people = await this.#o.groupRoleHolders.formerHolders(tx, tenant, maxMembers);
    if (people.length === 0) return { revocations: [], more: false };
    const roles = new Set(
      (await this.#o.groupRoleStore.groupRolesOf(tx, tenant)).map(
        ({ groupId, role }) => `${groupId} ${role}`,
      ),
    );
    const wanted = (await this.#o.groupRoleHolders.holdingsOf(tx, tenant, people)).filter(
      ({ groupId, role }) => roles.has(`${groupId} ${role}`),
    );
    const { revocations } = await setHoldings(tx, tenant, people, wanted, this.#o.departure);
    return { revocations, more: people.length === maxMembers };
  }

  /** Stores the directory's answer about these users. */
  async #apply(
    tx: Transaction,
    tenant: string,
    people: readonly string[],
    { members, missing }: MembersAnswer,
  ): Promise<HoldingsSet> {
    if (missing.length > 0) await forgetGroups(this.#o, tx, tenant, missing);
    // Read now: a role that was removed while the directory answered is not assigned again.
    const roles = Map.groupBy(
      await this.#o.groupRoleStore.groupRolesOf(tx, tenant, { lock: true }),
      ({ groupId }) => groupId,
    );
    const wanted: Holding[] = people.flatMap((subjectId) =>
      (members.get(subjectId) ?? []).flatMap((groupId) =>
        (roles.get(groupId) ?? []).map(({ role }) => ({ subjectId, groupId, role })),
      ),
    );
    return setHoldings(tx, tenant, people, wanted, this.#o.departure);
  }

  async #askAboutSome(
    tx: Transaction,
    tenant: string,
    { due, groups, newcomers }: Question<DueCheck & { everybody: false }>,
  ): Promise<HoldingsSet> {
    const answer = await this.#o.directory.membersAmong(tenant, groups, due.memberIds);
    // A group was added to or removed from another group, so the memberships of all its members changed.
    if (answer.nested) await this.#o.membershipChecks.addMembershipCheck(tx, tenant, undefined);
    await this.#o.membershipChecks.finishChecks(tx, due.checkIds);
    const people = due.memberIds.filter((id) => !newcomers.absent.has(id));
    return this.#apply(tx, tenant, people, answer);
  }

  async #askAboutEverybody(
    tx: Transaction,
    tenant: string,
    { due, groups, newcomers }: Question<DueCheck & { everybody: true }>,
  ): Promise<HoldingsSet> {
    const answer = await this.#o.directory.members(tenant, groups, due.position);
    const members = [...answer.members.keys()];
    const holders = await this.#o.groupRoleHolders.holdersAfter(tx, tenant, due.position, maxMembers);
    // Both lists are in the order of ids. Beyond the end of the shorter one, nothing is known.
    const ends = [answer.more ? members.at(-1) : undefined, holders[maxMembers - 1]];
    const [end] = ends.filter((id) => id !== undefined).sort();
    const people = [...new Set([...members, ...holders])].filter(
      (id) => (end === undefined || id <= end) && !newcomers.absent.has(id),
    );
    if (end === undefined) {
      await this.#o.membershipChecks.finishChecks(tx, due.checkIds);
      await this.#o.membershipChecks.noteCompared(tx, tenant);
    } else await this.#o.membershipChecks.advanceCheck(tx, due.checkIds, end);
    return this.#apply(tx, tenant, people, answer);
  }

  async #ask(tx: Transaction, tenant: string, everybodyFirst: boolean, newcomers: Newcomers): Promise<Step> {
    newcomers.found = [];
    await this.#o.membershipChecks.lockMembershipChecks(tx, tenant);
    const due = await this.#o.membershipChecks.dueCheck(tx, tenant, { limit: maxMembers, everybodyFirst });
    if (!due) return { revocations: [], more: false };
    const groups = await this.#o.groupRoleStore.groupsWithRoles(tx, tenant);
    if (groups.length === 0) {
      await this.#o.membershipChecks.finishChecks(tx, due.checkIds);
      return { revocations: [], more: true };
    }
    const { revocations, unknown } = due.everybody
      ? await this.#askAboutEverybody(tx, tenant, { due, groups, newcomers })
      : await this.#askAboutSome(tx, tenant, { due, groups, newcomers });
    newcomers.found = unknown.filter((id) => !newcomers.unanswered.has(id));
    if (newcomers.found.length > 0)
      await this.#o.membershipChecks.addMembershipCheck(tx, tenant, newcomers.found);
    return { revocations, more: true };
  }

  /** Runs one transaction. @returns whether more work may be pending */
  async #step(work: (tx: Transaction) => Promise<Step>): Promise<boolean> {
    const { revocations, more } = await this.#o.database.transaction(work);
    await this.#o.revocations.publish(revocations);
    return more;
  }

  async #settleAll(tenant: string): Promise<void> {
    // Needs no directory: a role that the group no longer has ends in any case.
    while (await this.#limitTenants(() => this.#step((tx) => this.endFormer(tx, tenant))));
    const newcomers: Newcomers = { absent: new Set(), unanswered: new Map(), found: [] };
    for (let turn = 0; ; turn += 1) {
      if (
        !(await this.#limitTenants(() =>
          this.#step((tx) => this.#ask(tx, tenant, turn % 2 === 1, newcomers)),
        ))
      )
        break;
      await Promise.all(
        newcomers.found.map((id) => this.#limitNewcomers(() => this.#getToKnow(tenant, id, newcomers))),
      );
    }
    while (await this.#limitTenants(() => this.#step((tx) => this.endFormer(tx, tenant))));
    const [[, reason] = []] = newcomers.unanswered;
    if (newcomers.unanswered.size === 0) return;
    await this.#o.membershipChecks.addMembershipCheck(this.#o.database.sql, tenant, [
      ...newcomers.unanswered.keys(),
    ]);
    throw reason;
  }

  async #getToKnow(tenant: string, id: string, { absent, unanswered }: Newcomers): Promise<void> {
    try {
      if (!(await this.#o.subjects.find(tenant, id))) absent.add(id);
    } catch (error) {
      unanswered.set(id, error);
    }
  }
}

/** Reports whether members of a group may have changed. A new group is in no other group and has no role. */
const changesMembers = (event: DomainEvent): boolean =>
  event.type === 'group.deleted' ||
  (event.type === 'group.updated' &&
    (event.payload.membersTruncated === true ||
      event.payload.membersAdded !== undefined ||
      event.payload.membersRemoved !== undefined));

const concerned = (events: readonly DomainEvent[]): string[] => [
  ...new Set(events.filter(changesMembers).map(({ tenant }) => tenant)),
];

async function noteOf(
  o: RoleProjectionOptions,
  tx: Transaction,
  tenant: string,
  events: readonly DomainEvent[],
): Promise<void> {
  const ids = new Set<string>();
  let everybody = false;
  for (const event of events) {
    if (event.tenant !== tenant || !changesMembers(event)) continue;
    // Only the directory can find the members of a deleted group, or more members than an event lists.
    if (event.type === 'group.deleted') everybody = true;
    if (event.type !== 'group.updated') continue;
    const { membersAdded = [], membersRemoved = [], membersTruncated = false } = event.payload;
    if (membersTruncated) everybody = true;
    for (const id of [...membersAdded, ...membersRemoved]) ids.add(id);
  }
  const named = [...ids];
  for (let first = 0; first < named.length; first += maxMembers) {
    await o.membershipChecks.addMembershipCheck(tx, tenant, named.slice(first, first + maxMembers));
  }
  if (everybody) await o.membershipChecks.addMembershipCheck(tx, tenant, undefined);
}
