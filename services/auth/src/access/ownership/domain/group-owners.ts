import { isDeepStrictEqual } from 'node:util';
import type { Revocation } from '@ostiary/access';
import type { Actor, DomainEvent } from '@ostiary/events';
import type { Transaction, Transactions } from '@ostiary/service';
import pLimit from 'p-limit';
import {
  type DirectoryGroups,
  maxGroups,
  type RevocationFeed,
  revocationExpiry,
  Settling,
} from '../../../tenancy/index.ts';
import { kindsOfScopes, managedGroups } from './group-managers.ts';
import { allOwnable, type Ownable } from './ownable.ts';
import { endOwned, type OwnershipPorts } from './owned-credentials.ts';
import type { OwningGroup, OwningScope } from './owner-checks.ts';

export interface GroupOwnersOptions {
  database: Transactions;
  groups: DirectoryGroups;
  departure: OwnershipPorts & { accessTokenSeconds: number };
  revocations: RevocationFeed;
}

/** Maximum number of groups ended concurrently: each holds a connection while the directory answers. */
const concurrentTenants = 2;

/** Reasons in the security log. */
const deleted = 'owner: group deleted';
const unmanaged = 'owner: no active member of the group may manage it';

/**
 * Ends the ownership of groups. A group owns as long as an active member, direct or through other groups, has a role
 * that manages its objects. Otherwise an offboarded user, or one who lost the role, would keep a program by giving it
 * to a group of their own.
 *
 * No event reports whether such a member is left. Offboarding, removals of members and losses of roles therefore record
 * that the directory has to be asked (`note`, `endOwned`), in the same transaction. The transaction that makes a group
 * an owner records it too: the check finds every change that was committed before it, in every order. A check is
 * deleted only after its answer was applied (`settle`). An answer that ends something is applied under the group's
 * lock.
 */
export class GroupOwners {
  readonly #o: GroupOwnersOptions;
  readonly #inTurn = pLimit(concurrentTenants);
  readonly #settling = new Settling((tenant) => this.#settleAll(tenant));

  constructor(options: GroupOwnersOptions) {
    this.#o = options;
  }

  /** Records checks that events require, in their transaction. @returns the tenants to settle after the commit */
  async note(tx: Transaction, events: readonly DomainEvent[]): Promise<string[]> {
    const { ownerChecks } = this.#o.departure;
    const leaving = Map.groupBy(events.filter(endsUser), ({ tenant }) => tenant);
    const tenants = await ownerChecks.tenantsWithGroupOwners(tx, [...leaving.keys()]);
    for (const tenant of tenants) {
      const actors = (leaving.get(tenant) ?? []).map(({ actor }) => actor);
      await ownerChecks.addOwnerCheck(tx, tenant, theOneOf(actors) ?? itself);
    }
    return tenants;
  }

  /**
   * Ends the ownership of groups that no active member may manage, or that do not exist.
   * @throws ServiceUnavailable, DatabaseUnavailable; checks that are not done stay recorded
   */
  settle(tenant: string): Promise<void> {
    return this.#settling.settle(tenant);
  }

  /** Resolves when current work has ended, successfully or not. */
  idle(): Promise<void> {
    return this.#settling.idle();
  }

  async #settleAll(tenant: string): Promise<void> {
    const { sql } = this.#o.database;
    const { ownerChecks } = this.#o.departure;
    const { ids, actors } = await ownerChecks.dueOwnerChecks(sql, tenant);
    if (ids.length === 0) return;
    const actor = theOneOf(actors);
    const owning = await ownerChecks.groupOwners(sql, tenant);
    const failures: unknown[] = [];
    for (let first = 0; first < owning.length; first += maxGroups) {
      const asked = owning.slice(first, first + maxGroups);
      const { scopes } = await this.#unmanaged(sql, tenant, asked);
      for (const { id } of asked.filter((group) => scopes(group).length > 0)) {
        // A failure of one group does not delay the others.
        await this.#endUnmanaged(tenant, id, actor).catch((error) => failures.push(error));
      }
    }
    if (failures.length > 0) throw failures[0];
    await ownerChecks.finishOwnerChecks(sql, tenant, ids);
  }

  /** Returns the scopes with which no active member manages each group's objects, and the groups that do not exist. */
  async #unmanaged(
    sql: Transaction,
    tenant: string,
    owning: readonly OwningGroup[],
  ): Promise<{ scopes: (group: OwningGroup) => OwningScope[]; missing: ReadonlySet<string> }> {
    const { groups, departure } = this.#o;
    const managed = new Map<OwningScope, ReadonlySet<string>>();
    const missing = new Set<string>();
    for (const scope of new Set(owning.flatMap((group) => group.scopes))) {
      const ids = owning.filter((group) => group.scopes.includes(scope)).map(({ id }) => id);
      const answer = await managedGroups({ ...departure, groups }, sql, tenant, ids, scope);
      managed.set(scope, answer.managed);
      for (const id of answer.missing) missing.add(id);
    }
    return { scopes: ({ id, scopes }) => scopes.filter((scope) => !managed.get(scope)?.has(id)), missing };
  }

  async #endUnmanaged(tenant: string, id: string, actor: Actor | undefined): Promise<void> {
    const { database, departure, revocations } = this.#o;
    const work = async (tx: Transaction): Promise<Revocation[]> => {
      await departure.credentialOwnerStore.lockGroupOwner(tx, tenant, id);
      // Read again under the lock: a member may have joined, the group may have been named for that reason, or another
      // process may have ended it.
      const owning = await departure.ownerChecks.groupOwners(tx, tenant, [id]);
      const { scopes, missing } = await this.#unmanaged(tx, tenant, owning);
      const kinds = kindsOfScopes(owning.flatMap(scopes));
      if (kinds.length === 0) return [];
      const reason = missing.has(id) ? deleted : unmanaged;
      return endGroupOwner(tx, tenant, { id, kinds, reason, actor }, departure);
    };
    await revocations.publish(await this.#inTurn(() => database.transaction(work)));
  }
}

/**
 * Applies the tenant's policy to the objects of a group and removes the owner from those that remain, so that the end
 * is not repeated by each check. Runs in the caller's transaction; the caller publishes the returned revocations after
 * the commit.
 */
export async function endGroupOwner(
  tx: Transaction,
  tenant: string,
  {
    id,
    kinds = allOwnable,
    reason = deleted,
    actor,
  }: { id: string; kinds?: readonly Ownable[]; reason?: string; actor: Actor | undefined },
  ports: OwnershipPorts & { accessTokenSeconds: number },
): Promise<Revocation[]> {
  await ports.credentialOwnerStore.lockGroupOwner(tx, tenant, id);
  // Objects that a concurrent offboarding transfers to the group are not visible here and stay the group's. The check
  // that the offboarding records finds them.
  const all = await ports.ownerChecks.ownedByGroup(tx, tenant, id);
  const owned = kinds.includes('client') ? all : [];
  const expiresAt = revocationExpiry(ports.accessTokenSeconds);
  const going = { owner: { kind: 'group', id }, kinds, reason, actor, expiresAt } as const;
  const { revocations } = await endOwned(tx, tenant, going, ports);
  await ports.ownerChecks.forgetGroupOwner(tx, tenant, id, owned);
  return revocations;
}

/** Reports whether a group may have lost its last active member. */
function endsUser(event: DomainEvent): boolean {
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

/** Returns the common actor; undefined if there are several, because the log has one. */
const theOneOf = ([first, ...others]: readonly Actor[]): Actor | undefined =>
  others.every((other) => isDeepStrictEqual(first, other)) ? first : undefined;

const itself: Actor = { kind: 'system', id: 'auth' };
