import type { Revocation } from '@ostiary/access';
import type { Database, Sql } from '@ostiary/database';
import type { DomainEvent } from '@ostiary/events';
import pLimit from 'p-limit';
import { createSettling } from '../../keys/index.ts';
import type { DeparturePorts } from '../../offboarding/index.ts';
import {
  type DirectoryGroups,
  type MembersAnswer,
  mostMembers,
  type RevocationFeed,
  type Subjects,
} from '../../subjects/index.ts';
import { formerHolders, type Holding, holdersAfter, holdingsOf } from '../data/group-role-holders.ts';
import { groupRolesOf, groupsWithRoles, tenantsWithGroupRoles } from '../data/group-roles.ts';
import {
  addMembershipCheck,
  advanceCheck,
  type DueCheck,
  dueCheck,
  finishChecks,
  lockMembershipChecks,
  noteCompared,
} from '../data/membership-checks.ts';
import { type HoldingsSet, setHoldings } from './role-holders.ts';

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
  note(tx: Sql, events: readonly DomainEvent[]): Promise<string[]>;
  /**
   * Asks the directory until nothing is left to ask about a tenant, and carries out what follows.
   * @throws ServiceUnavailable, DatabaseUnavailable; what wasn't done is noted still
   */
  settle(tenant: string): Promise<void>;
  /** Ends what people have through roles that their groups have no longer: a part of them, in the caller's transaction. */
  endFormer(tx: Sql, tenant: string): Promise<{ revocations: Revocation[]; more: boolean }>;
  /** Resolves when what is under way has ended, whatever came of it. */
  idle(): Promise<void>;
}

export interface RoleProjectionOptions {
  database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  directory: DirectoryGroups;
  subjects: Subjects;
  departure: DeparturePorts;
  revocations: Pick<RevocationFeed, 'publish'>;
  /** Takes every role from groups that don't exist any more. */
  forgetGroups: (tx: Sql, tenant: string, groupIds: readonly string[]) => Promise<void>;
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

export function createRoleProjection(o: RoleProjectionOptions): RoleProjection {
  const limitTenants = pLimit(tenantsAtOnce);
  const limitNewcomers = pLimit(newcomersAtOnce);

  const endFormer = async (tx: Sql, tenant: string): Promise<Step> => {
    const people = await formerHolders(tx, tenant, mostMembers);
    if (people.length === 0) return { revocations: [], more: false };
    const roles = new Set((await groupRolesOf(tx, tenant)).map(({ groupId, role }) => `${groupId} ${role}`));
    const wanted = (await holdingsOf(tx, tenant, people)).filter(({ groupId, role }) =>
      roles.has(`${groupId} ${role}`),
    );
    const { revocations } = await setHoldings(tx, tenant, people, wanted, o.departure);
    return { revocations, more: people.length === mostMembers };
  };

  /** Writes down what the directory answered about these people. */
  async function apply(
    tx: Sql,
    tenant: string,
    people: readonly string[],
    { members, missing }: MembersAnswer,
  ): Promise<HoldingsSet> {
    if (missing.length > 0) await o.forgetGroups(tx, tenant, missing);
    // As of now: a role that was taken away while the directory answered is not given again.
    const roles = Map.groupBy(await groupRolesOf(tx, tenant, { lock: true }), ({ groupId }) => groupId);
    const wanted: Holding[] = people.flatMap((subjectId) =>
      (members.get(subjectId) ?? []).flatMap((groupId) =>
        (roles.get(groupId) ?? []).map(({ role }) => ({ subjectId, groupId, role })),
      ),
    );
    return setHoldings(tx, tenant, people, wanted, o.departure);
  }

  async function askAboutSome(
    tx: Sql,
    tenant: string,
    { due, groups, newcomers }: Question<DueCheck & { everybody: false }>,
  ): Promise<HoldingsSet> {
    const answer = await o.directory.membersAmong(tenant, groups, due.memberIds);
    // A group went into another one or out of it: whoever is in it came or went with it.
    if (answer.nested) await addMembershipCheck(tx, tenant, undefined);
    await finishChecks(tx, due.checkIds);
    const people = due.memberIds.filter((id) => !newcomers.absent.has(id));
    return apply(tx, tenant, people, answer);
  }

  async function askAboutEverybody(
    tx: Sql,
    tenant: string,
    { due, groups, newcomers }: Question<DueCheck & { everybody: true }>,
  ): Promise<HoldingsSet> {
    const answer = await o.directory.members(tenant, groups, due.position);
    const members = [...answer.members.keys()];
    const holders = await holdersAfter(tx, tenant, due.position, mostMembers);
    // Both lists are in the order of ids. Where one of them was cut off, nothing is known of what comes after.
    const ends = [answer.more ? members.at(-1) : undefined, holders[mostMembers - 1]];
    const [end] = ends.filter((id) => id !== undefined).sort();
    const people = [...new Set([...members, ...holders])].filter(
      (id) => (end === undefined || id <= end) && !newcomers.absent.has(id),
    );
    if (end === undefined) {
      await finishChecks(tx, due.checkIds);
      await noteCompared(tx, tenant);
    } else await advanceCheck(tx, due.checkIds, end);
    return apply(tx, tenant, people, answer);
  }

  async function ask(tx: Sql, tenant: string, everybodyFirst: boolean, newcomers: Newcomers): Promise<Step> {
    newcomers.found = [];
    await lockMembershipChecks(tx, tenant);
    const due = await dueCheck(tx, tenant, { limit: mostMembers, everybodyFirst });
    if (!due) return { revocations: [], more: false };
    const groups = await groupsWithRoles(tx, tenant);
    if (groups.length === 0) {
      await finishChecks(tx, due.checkIds);
      return { revocations: [], more: true };
    }
    const { revocations, unknown } = due.everybody
      ? await askAboutEverybody(tx, tenant, { due, groups, newcomers })
      : await askAboutSome(tx, tenant, { due, groups, newcomers });
    newcomers.found = unknown.filter((id) => !newcomers.unanswered.has(id));
    if (newcomers.found.length > 0) await addMembershipCheck(tx, tenant, newcomers.found);
    return { revocations, more: true };
  }

  /** One transaction. @returns whether there may be more to do */
  async function step(work: (tx: Sql) => Promise<Step>): Promise<boolean> {
    const { revocations, more } = await o.database.transaction(work);
    await o.revocations.publish(revocations);
    return more;
  }

  async function settleAll(tenant: string): Promise<void> {
    // Without the directory: nothing it could say keeps a role that the group hasn't any more.
    while (await limitTenants(() => step((tx) => endFormer(tx, tenant))));
    const newcomers: Newcomers = { absent: new Set(), unanswered: new Map(), found: [] };
    for (let turn = 0; ; turn += 1) {
      if (!(await limitTenants(() => step((tx) => ask(tx, tenant, turn % 2 === 1, newcomers))))) break;
      await Promise.all(newcomers.found.map((id) => limitNewcomers(() => getToKnow(tenant, id, newcomers))));
    }
    while (await limitTenants(() => step((tx) => endFormer(tx, tenant))));
    const [[, reason] = []] = newcomers.unanswered;
    if (newcomers.unanswered.size === 0) return;
    await addMembershipCheck(o.database.sql, tenant, [...newcomers.unanswered.keys()]);
    throw reason;
  }

  async function getToKnow(tenant: string, id: string, { absent, unanswered }: Newcomers): Promise<void> {
    try {
      if (!(await o.subjects.find(tenant, id))) absent.add(id);
    } catch (error) {
      unanswered.set(id, error);
    }
  }

  const { settle, idle } = createSettling(settleAll);

  return {
    endFormer,
    async note(tx, events) {
      const tenants = await tenantsWithGroupRoles(tx, concerned(events));
      for (const tenant of tenants) await noteOf(tx, tenant, events);
      return tenants;
    },
    settle,
    idle,
  };
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

async function noteOf(tx: Sql, tenant: string, events: readonly DomainEvent[]): Promise<void> {
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
    await addMembershipCheck(tx, tenant, named.slice(first, first + mostMembers));
  }
  if (everybody) await addMembershipCheck(tx, tenant, undefined);
}
