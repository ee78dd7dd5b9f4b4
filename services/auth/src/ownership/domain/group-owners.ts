import { isDeepStrictEqual } from 'node:util';
import type { Revocation } from '@ostiary/access';
import type { Database, Sql } from '@ostiary/database';
import type { Actor, DomainEvent } from '@ostiary/events';
import pLimit from 'p-limit';
import { createSettling } from '../../keys/index.ts';
import type { DeparturePorts } from '../../offboarding/index.ts';
import {
  type DirectoryGroups,
  mostGroups,
  type RevocationFeed,
  revocationExpiry,
} from '../../subjects/index.ts';
import { lockGroupOwner } from '../data/credential-owners.ts';
import {
  addOwnerCheck,
  dueOwnerChecks,
  finishOwnerChecks,
  forgetGroupOwner,
  groupOwners,
  ownedByGroup,
  tenantsWithGroupOwners,
} from '../data/owner-checks.ts';
import { endOwned } from './owned-credentials.ts';
import { allOwnable } from './owners.ts';

/**
 * Groups own as long as somebody active is in them, directly or through others: else whoever leaves would keep what they know the
 * secret of by giving it to a group of their own.
 *
 * No event says whether anybody is left, so those that take somebody away only note that the directory has to be asked (`note`), with
 * their effects. So does whoever names a group an owner, in that transaction: whatever went before it was committed is found after
 * it. Nothing is forgotten before it was asked (`settle`), and an answer that ends something is given under the group's lock.
 */
export interface GroupOwners {
  /** Notes what events make necessary, in their transaction. @returns the tenants to settle after the commit */
  note(tx: Sql, events: readonly DomainEvent[]): Promise<string[]>;
  /**
   * Ends what groups own in which nobody is left, or that aren't there.
   * @throws ServiceUnavailable, DatabaseUnavailable; what wasn't done is noted still
   */
  settle(tenant: string): Promise<void>;
  /** Resolves when what is under way has ended, whatever came of it. */
  idle(): Promise<void>;
}

export interface GroupOwnersOptions {
  database: Pick<Database<unknown>, 'sql' | 'transaction'>;
  directory: Pick<DirectoryGroups, 'attended'>;
  departure: DeparturePorts;
  revocations: Pick<RevocationFeed, 'publish'>;
}

/** Groups ended at the same time: each holds a connection while the directory answers. */
const atOnce = 2;

/** Why a group owns nothing any more, for the logs. */
const deleted = 'owner: group deleted';
const deserted = 'owner: nobody active left in the group';

export function createGroupOwners(o: GroupOwnersOptions): GroupOwners {
  const { sql } = o.database;
  const inTurn = pLimit(atOnce);

  async function endDeserted(tenant: string, id: string, actor: Actor | undefined): Promise<void> {
    const work = async (tx: Sql): Promise<Revocation[]> => {
      await lockGroupOwner(tx, tenant, id);
      // Somebody may have come since, and it may have been named for that; or another process was faster.
      if ((await groupOwners(tx, tenant, [id])).length === 0) return [];
      const { active, missing } = await o.directory.attended(tenant, [id]);
      if (active.has(id)) return [];
      const reason = missing.has(id) ? deleted : deserted;
      return endGroupOwner(tx, tenant, { id, reason, actor }, o.departure);
    };
    await o.revocations.publish(await inTurn(() => o.database.transaction(work)));
  }

  const settling = createSettling(async (tenant) => {
    const { ids, actors } = await dueOwnerChecks(sql, tenant);
    if (ids.length === 0) return;
    const actor = theOneOf(actors);
    const owning = await groupOwners(sql, tenant);
    const failures: unknown[] = [];
    for (let first = 0; first < owning.length; first += mostGroups) {
      const asked = owning.slice(first, first + mostGroups);
      const { active } = await o.directory.attended(tenant, asked);
      for (const id of asked.filter((group) => !active.has(group))) {
        // One that doesn't work must not keep the others waiting.
        await endDeserted(tenant, id, actor).catch((error) => failures.push(error));
      }
    }
    if (failures.length > 0) throw failures[0];
    await finishOwnerChecks(sql, tenant, ids);
  });

  return {
    ...settling,
    async note(tx, events) {
      const leaving = Map.groupBy(events.filter(takesSomebodyAway), ({ tenant }) => tenant);
      const tenants = await tenantsWithGroupOwners(tx, [...leaving.keys()]);
      for (const tenant of tenants) {
        const actors = (leaving.get(tenant) ?? []).map(({ actor }) => actor);
        await addOwnerCheck(tx, tenant, theOneOf(actors) ?? itself);
      }
      return tenants;
    },
  };
}

/**
 * Does with what a group owned what the tenant's policy says, and leaves what is still there nobody's, so that it ends once and not
 * each time somebody asks. In the caller's transaction; publish what it returns after the commit.
 */
export async function endGroupOwner(
  tx: Sql,
  tenant: string,
  { id, reason = deleted, actor }: { id: string; reason?: string; actor: Actor | undefined },
  ports: DeparturePorts,
): Promise<Revocation[]> {
  await lockGroupOwner(tx, tenant, id);
  // What somebody who leaves hands over to it meanwhile is seen by none of what follows: it stays the group's, and the question that comes
  // with it finds it.
  const owned = await ownedByGroup(tx, tenant, id);
  const expiresAt = revocationExpiry(ports.accessTokenSeconds);
  const going = { owner: { kind: 'group', id }, kinds: allOwnable, reason, actor, expiresAt } as const;
  const { revocations } = await endOwned(tx, tenant, going, ports);
  await forgetGroupOwner(tx, tenant, id, owned);
  return revocations;
}

/** Whether there may be a group with nobody active left in it. */
function takesSomebodyAway(event: DomainEvent): boolean {
  switch (event.type) {
    case 'user.deactivated':
    case 'user.deleted':
    case 'group.deleted':
      return true;
    case 'user.updated':
      return !event.payload.active;
    case 'group.updated':
      return event.payload.membersTruncated === true || event.payload.membersRemoved !== undefined;
    default:
      return false;
  }
}

/** Whoever did all of it; several people are no one to name in the log. */
const theOneOf = ([first, ...others]: readonly Actor[]): Actor | undefined =>
  others.every((other) => isDeepStrictEqual(first, other)) ? first : undefined;

const itself: Actor = { kind: 'system', id: 'auth' };
