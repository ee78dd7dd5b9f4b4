import type { Actor } from '@ostiary/events';

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

/** The operations on a tenant that are needed after a restore. */
export interface RestoredTenant {
  /** Sets the version so that the next change is above this one. */
  raise(id: string, version: number): Promise<void>;
  deactivate(id: string, actor: Actor): Promise<void>;
  remove(id: string, actor: Actor): Promise<void>;
  /** Publishes the user's state again. @param left also the departure, even if the user has returned since */
  tellAgain(id: string, left: boolean, actor: Actor): Promise<void>;
  tellDeleted(id: string, version: number, actor: Actor): Promise<void>;
}

export interface RestoredDirectory {
  standings(people: readonly Pick<Remembered, 'tenant' | 'id'>[]): Promise<Standing[]>;
  /** Returns undefined for an unknown tenant. */
  tenant(id: string): Promise<RestoredTenant | undefined>;
}

const actor: Actor = { kind: 'system', id: 'restore' };

type Step = (tenant: RestoredTenant) => Promise<void>;

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
    const tenant = await directory.tenant(person.tenant);
    if (tenant) await due.step(tenant);
    done[tenant ? due.counts : 'unknownTenant'] += 1;
  }
  return done;
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
      ? { counts: 'repeated', step: (tenant) => tenant.tellDeleted(id, last + 1, actor) }
      : undefined;
  }
  if (now.version >= version) {
    const hasLeft = !now.active || (now.deactivatedVersion ?? 0) > version;
    const isOnItsWay = hasLeft ? now.telling === true : now.telling !== undefined;
    if (now.version === version || isOnItsWay) return undefined;
    return { counts: 'repeated', step: (tenant) => tenant.tellAgain(id, hasLeft, actor) };
  }
  // One version below, so that the departure has the version at which the user left, and an interrupted step is
  // repeated.
  const leaving =
    (leave: Step): Step =>
    async (tenant) => {
      await tenant.raise(id, version - 1);
      await leave(tenant);
    };
  if (deleted) return { counts: 'deleted', step: leaving((tenant) => tenant.remove(id, actor)) };
  if (!active && now.active) {
    return { counts: 'deactivated', step: leaving((tenant) => tenant.deactivate(id, actor)) };
  }
  if (active && departedVersion > now.version) {
    return { counts: 'repeated', step: leaving((tenant) => tenant.tellAgain(id, true, actor)) };
  }
  return { counts: 'raised', step: (tenant) => tenant.raise(id, version) };
}
