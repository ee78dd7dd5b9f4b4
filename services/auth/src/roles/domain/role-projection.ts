import type { Revocation } from '@ostiary/access';
import type { DomainEvent } from '@ostiary/events';
import type { Transaction, Transactions } from '@ostiary/service';
import pLimit from 'p-limit';
import { Settling } from '../../keys/index.ts';
import {
  type DirectoryGroups,
  type MembersAnswer,
  mostMembers,
  type RevocationFeed,
  type Subjects,
} from '../../subjects/index.ts';
import type { GroupRoleHolderStore, Holding } from './group-role-holders.ts';
import { forgetGroups, type GroupRolePorts } from './group-roles.ts';
import type { DueCheck, MembershipCheckStore } from './membership-checks.ts';
import { type HoldingPorts, type HoldingsSet, setHoldings } from './role-holders.ts';

/**
 * Who has roles through groups: what the directory says about memberships, written down here, so that issuing a token asks nobody.
 *
 * Events come late, twice and in any order, so none of them says who is in a group: it says about whom to ask the directory, and
 * that is written down with it (`note`). Who asks (`settle`) holds the tenant's lock from before the question until the answer is
 * written, so answers are written in the order in which they were given. The last one written about a person was asked for after
 * the last event about them, and so after the change that the event tells of.
 */
export interface RoleProjection {
  /** Notes whom events concern, in their transaction. @returns the tenants to settle after the commit */
  note(tx: Transaction, events: readonly DomainEvent[]): Promise<string[]>;
  /**
   * Asks the directory until nothing is left to ask about a tenant, and carries out what follows.
   * @throws ServiceUnavailable, DatabaseUnavailable; what wasn't done is noted still
   */
  settle(tenant: string): Promise<void>;
  /** Ends what people have through roles that their groups have no longer: a part of them, in the caller's transaction. */
  endFormer(tx: Transaction, tenant: string): Promise<{ revocations: Revocation[]; more: boolean }>;
  /** Resolves when what is under way has ended, whatever came of it. */
  idle(): Promise<void>;
}

export interface RoleProjectionOptions extends GroupRolePorts {
  database: Transactions;
  directory: DirectoryGroups;
  subjects: Subjects;
  departure: HoldingPorts;
  revocations: Pick<RevocationFeed, 'publish'>;
  groupRoleHolders: GroupRoleHolderStore;
  membershipChecks: MembershipCheckStore;
}

/** Tenants asked about at the same time: each holds a connection while the directory answers. */
const tenantsAtOnce = 2;
/** People asked for at the same time. */
const newcomersAtOnce = 4;

interface Step {
  revocations: Revocation[];
  more: boolean;
}

/** Members who had to be asked for, because their own events are still on their way, and what came of it. */
interface Newcomers {
  /** Whom the directory doesn't have any more: they are in no group either. */
  absent: Set<string>;
  /** Who couldn't be asked for, and why: they must not hold up the others. */
  unanswered: Map<string, unknown>;
  /** Who is to be asked for next. */
  found: string[];
}

/** What is to be asked, and of which groups. */
interface Question<D> {
  due: D;
  groups: string[];
  newcomers: Newcomers;
}

export class DirectoryRoleProjection implements RoleProjection {
  readonly #o: RoleProjectionOptions;
  readonly #limitTenants = pLimit(tenantsAtOnce);
  readonly #limitNewcomers = pLimit(newcomersAtOnce);
  readonly #settling = new Settling((tenant) => this.#settleAll(tenant));

  constructor(options: RoleProjectionOptions) {
    this.#o = options;
  }

  async note(tx: Transaction, events: readonly DomainEvent[]): Promise<string[]> {
    const tenants = await this.#o.groupRoleStore.tenantsWithGroupRoles(tx, concerned(events));
    for (const tenant of tenants) await noteOf(this.#o, tx, tenant, events);
    return tenants;
  }

  settle(tenant: string): Promise<void> {
    return this.#settling.settle(tenant);
  }

  idle(): Promise<void> {
    return this.#settling.idle();
  }

  async endFormer(tx: Transaction, tenant: string): Promise<Step> {
    const people = await this.#o.groupRoleHolders.formerHolders(tx, tenant, mostMembers);
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
    return { revocations, more: people.length === mostMembers };
  }

  /** Writes down what the directory answered about these people. */
  async #apply(
    tx: Transaction,
    tenant: string,
    people: readonly string[],
    { members, missing }: MembersAnswer,
  ): Promise<HoldingsSet> {
    if (missing.length > 0) await forgetGroups(this.#o, tx, tenant, missing);
    // As of now: a role that was taken away while the directory answered is not given again.
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
    // A group went into another one or out of it: whoever is in it came or went with it.
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
    const holders = await this.#o.groupRoleHolders.holdersAfter(tx, tenant, due.position, mostMembers);
    // Both lists are in the order of ids. Where one of them was cut off, nothing is known of what comes after.
    const ends = [answer.more ? members.at(-1) : undefined, holders[mostMembers - 1]];
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
    const due = await this.#o.membershipChecks.dueCheck(tx, tenant, { limit: mostMembers, everybodyFirst });
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

  /** One transaction. @returns whether there may be more to do */
  async #step(work: (tx: Transaction) => Promise<Step>): Promise<boolean> {
    const { revocations, more } = await this.#o.database.transaction(work);
    await this.#o.revocations.publish(revocations);
    return more;
  }

  async #settleAll(tenant: string): Promise<void> {
    // Without the directory: nothing it could say keeps a role that the group hasn't any more.
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

/** Whether members of a group may have changed. What a new group holds is in no other group yet, and the group has no role. */
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
  o: Pick<RoleProjectionOptions, 'membershipChecks'>,
  tx: Transaction,
  tenant: string,
  events: readonly DomainEvent[],
): Promise<void> {
  const ids = new Set<string>();
  let everybody = false;
  for (const event of events) {
    if (event.tenant !== tenant || !changesMembers(event)) continue;
    // Who was in a group that is gone, or in more of them than an event names, only the directory knows.
    if (event.type === 'group.deleted') everybody = true;
    if (event.type !== 'group.updated') continue;
    const { membersAdded = [], membersRemoved = [], membersTruncated = false } = event.payload;
    if (membersTruncated) everybody = true;
    for (const id of [...membersAdded, ...membersRemoved]) ids.add(id);
  }
  const named = [...ids];
  for (let first = 0; first < named.length; first += mostMembers) {
    await o.membershipChecks.addMembershipCheck(tx, tenant, named.slice(first, first + mostMembers));
  }
  if (everybody) await o.membershipChecks.addMembershipCheck(tx, tenant, undefined);
}
