import type { Actor } from '@ostiary/events';

/** What a memory that outlived a restore says of a person: the authorization server's database, or a list that was kept elsewhere. */
export interface Remembered {
  tenant: string;
  id: string;
  /** Of the person, as the directory told it last. */
  version: number;
  active: boolean;
  deleted: boolean;
  /** Up to which version every departure is carried out: who is active, and left and came back, has one above an older backup's. */
  departedVersion: number;
}

/** How the directory has the person; without a version it has nobody of that id. */
export interface Standing extends Pick<Remembered, 'tenant' | 'id'> {
  version: number | undefined;
  active: boolean | undefined;
  /** Of the deletion, where the audit log knows of one. */
  deletedVersion: number | undefined;
  /** Of the last deactivation, likewise. */
  deactivatedVersion: number | undefined;
  /** Of news that the authorization server hasn't confirmed: whether some are of leaving. Undefined: there are none. */
  telling: boolean | undefined;
}

/** How many people something was done about. */
export interface Reapplied {
  looked: number;
  /** Had left, and were back by the restore: they leave again. */
  deactivated: number;
  deleted: number;
  /** The directory goes on behind the version that others know, or they would not believe it. */
  raised: number;
  /** Have left or changed as far as the directory knows, and the authorization server has lost it: it is told again. */
  repeated: number;
  /** Of a tenant that isn't there. */
  unknownTenant: number;
}

/** What it takes of a tenant. */
export interface RestoredTenant {
  /** The next change leads to a version above this one. */
  raise(id: string, version: number): Promise<void>;
  deactivate(id: string, actor: Actor): Promise<void>;
  remove(id: string, actor: Actor): Promise<void>;
  /** How they are is told once more, as news. @param left also that they have left, whether or not they came back */
  tellAgain(id: string, left: boolean, actor: Actor): Promise<void>;
  tellDeleted(id: string, version: number, actor: Actor): Promise<void>;
}

export interface RestoredDirectory {
  standings(people: readonly Pick<Remembered, 'tenant' | 'id'>[]): Promise<Standing[]>;
  /** Undefined: there is no such tenant. */
  tenant(id: string): Promise<RestoredTenant | undefined>;
}

const actor: Actor = { kind: 'system', id: 'restore' };

type Step = (tenant: RestoredTenant) => Promise<void>;

/**
 * After a database was restored to an earlier time: whoever left since then leaves again, and is told to whom that was lost. Each person is
 * judged by the versions, which only grow, so that doing it twice, or with an old list, undoes nothing.
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

/** What is to be done about a person; nothing where both agree, or the directory's news are still on their way. */
export function stepFor(
  { id, version, active, deleted, departedVersion }: Remembered,
  now: Standing | undefined,
): { counts: Exclude<keyof Reapplied, 'looked' | 'unknownTenant'>; step: Step } | undefined {
  if (now?.version === undefined) {
    // Whoever the directory doesn't have can be offboarded by nobody.
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
  // One below, so that leaving is of the version at which they left, and what is interrupted in between is done the next time.
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
