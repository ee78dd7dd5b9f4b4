import type { Actor } from '@ostiary/events';
import { ScimError } from '@ostiary/scim';
import type { Users } from '../../users/index.ts';

/**
 * A user in a record that outlived a restore: the authorization server's database, or a list that was stored
 * elsewhere.
 */
export interface Remembered {
  tenant: string;
  id: string;
  /** Last version of the user that the directory has published. */
  version: number;
  active: boolean;
  deleted: boolean;
  /**
   * Version up to which every departure was applied. For a user who left and returned, it is above that of an older
   * backup.
   */
  departedVersion: number;
}

/** The user in the directory; without a version, the directory does not have the id. */
export interface Standing extends Pick<Remembered, 'tenant' | 'id'> {
  version: number | undefined;
  active: boolean | undefined;
  /** Version of the deletion, where the audit log has one. */
  deletedVersion: number | undefined;
  /** Version of the last deactivation, where the audit log has one. */
  deactivatedVersion: number | undefined;
  /** Unconfirmed events for the authorization server: whether some are departures. Undefined: there are none. */
  telling: boolean | undefined;
}

/** Number of users, by result. */
export interface Reapplied {
  looked: number;
  /** Offboarded before and active again by the restore: offboarded again. */
  deactivated: number;
  deleted: number;
  /** Raised above the version that other services have, so that they do not ignore later events. */
  raised: number;
  /** Changes or departures that the authorization server has lost: published again. */
  repeated: number;
  /** Users of a tenant that does not exist. */
  unknownTenant: number;
}

/** The directory after a restore. */
export interface RestoredDirectory {
  standings(people: readonly Pick<Remembered, 'tenant' | 'id'>[]): Promise<Standing[]>;
  /** Sets the version of a user, so that the next change is above this one. */
  raise(tenant: string, id: string, version: number): Promise<void>;
  /** @throws ScimError 404 for an unknown tenant */
  of(tenant: string): Promise<{ readonly users: Users }>;
}

const actor: Actor = { kind: 'system', id: 'restore' };

/** @param raise sets the version of the user */
type Step = (users: Users, raise: (version: number) => Promise<void>) => Promise<void>;

/**
 * Repeats changes after a database was restored to an earlier time. Users who left since then are offboarded again,
 * and receivers that lost an event get it again. Each user is compared by version, and versions only grow. Repeating
 * it, or using an old list, therefore undoes nothing.
 */
export async function reapply(
  directory: RestoredDirectory,
  remembered: readonly Remembered[],
): Promise<Reapplied> {
  const done: Reapplied = {
    looked: remembered.length,
    deactivated: 0,
    deleted: 0,
    raised: 0,
    repeated: 0,
    unknownTenant: 0,
  };
  const standings = await directory.standings(remembered);
  const standing = new Map(standings.map((one) => [`${one.tenant} ${one.id}`, one]));
  for (const person of remembered) {
    const due = stepFor(person, standing.get(`${person.tenant} ${person.id}`));
    if (!due) continue;
    const users = await usersOf(directory, person.tenant);
    if (users) await due.step(users, (version) => directory.raise(person.tenant, person.id, version));
    done[users ? due.counts : 'unknownTenant'] += 1;
  }
  return done;
}

async function usersOf(directory: RestoredDirectory, tenant: string): Promise<Users | undefined> {
  try {
    return (await directory.of(tenant)).users;
  } catch (error) {
    if (error instanceof ScimError && error.status === 404) return undefined;
    throw error;
  }
}

/** Returns the step for a user; undefined where both records agree, or the directory's events are still pending. */
export function stepFor(
  { id, version, active, deleted, departedVersion }: Remembered,
  now: Standing | undefined,
): { counts: Exclude<keyof Reapplied, 'looked' | 'unknownTenant'>; step: Step } | undefined {
  if (now?.version === undefined) {
    // A user that the directory does not have can no longer be offboarded there.
    const last = Math.max(version, now?.deletedVersion ?? 0);
    return active && now?.telling !== true
      ? { counts: 'repeated', step: (users) => users.notifyDeleted(id, last + 1, actor) }
      : undefined;
  }
  if (now.version >= version) {
    const hasLeft = !now.active || (now.deactivatedVersion ?? 0) > version;
    const isOnItsWay = hasLeft ? now.telling === true : now.telling !== undefined;
    if (now.version === version || isOnItsWay) return undefined;
    return { counts: 'repeated', step: (users) => users.notifyAgain(id, hasLeft, actor) };
  }
  // One version below, so that the departure has the version at which the user left, and an interrupted step is
  // repeated.
  const leaving =
    (leave: Step): Step =>
    async (users, raise) => {
      await raise(version - 1);
      await leave(users, raise);
    };
  if (deleted) return { counts: 'deleted', step: leaving((users) => users.remove({ id, actor })) };
  if (!active && now.active) {
    return {
      counts: 'deactivated',
      step: leaving(async (users) => void (await users.deactivate({ id, actor }))),
    };
  }
  if (active && departedVersion > now.version) {
    return { counts: 'repeated', step: leaving((users) => users.notifyAgain(id, true, actor)) };
  }
  return { counts: 'raised', step: (_users, raise) => raise(version) };
}
