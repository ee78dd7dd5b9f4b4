import type { Revocation } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import type { SecurityLog } from '../../../platform/index.ts';
import { apiRoleOf, isApiRole } from '../../../tenancy/index.ts';
import type { GroupRoleHolderStore, Holding } from './group-role-holders.ts';
import { roleChange } from './role-change.ts';

/** Deletes the pending invitations of a user. */
export interface InvitationEnds {
  deleteInvitations(tx: Transaction, tenant: string, subjectId: string): Promise<unknown>;
}

export interface HoldingPorts {
  securityLog: SecurityLog;
  /** Returns the roles of many subjects, by subject id. */
  roleStore: {
    rolesOf(
      tx: Transaction,
      tenant: string,
      subjectIds: readonly string[],
    ): Promise<ReadonlyMap<string, string[]>>;
  };
  /** Revokes everything issued to a user who loses a role. The returned revocations are published after the commit. */
  endIssued(tx: Transaction, tenant: string, subjectId: string): Promise<Revocation[]>;
  /** Revokes the grants of a user for these APIs. The returned revocations are published after the commit. */
  endIssuedForApis(
    tx: Transaction,
    tenant: string,
    subjectId: string,
    apiIds: readonly string[],
  ): Promise<Revocation[]>;
  groupRoleHolders: GroupRoleHolderStore;
  invitationEnds: InvitationEnds;
}

export interface HoldingsSet {
  /** To publish after the commit. */
  revocations: Revocation[];
  /** Users without holdings so far, because they are not stored here yet. */
  unknown: string[];
}

/**
 * Sets the holdings of users, in the caller's transaction. Users who lose a role by it lose everything issued to them
 * in the same transaction, or the grants for the API if it is a role of an API. Users who gain a role of the tenant
 * lose a pending invitation, because its creator could gain the rights of a role that the creator may not assign.
 * @param wanted complete holdings of these users
 */
export async function setHoldings(
  tx: Transaction,
  tenant: string,
  people: readonly string[],
  wanted: readonly Holding[],
  ports: HoldingPorts,
): Promise<HoldingsSet> {
  const change = difference(await ports.groupRoleHolders.holdingsOf(tx, tenant, people), wanted);
  const concerned = [...new Set([...change.add, ...change.remove].map(({ subjectId }) => subjectId))].sort();
  if (concerned.length === 0) return { revocations: [], unknown: [] };
  // From here on the lock excludes other changes of their roles and new tokens for them.
  const known = await ports.groupRoleHolders.holdSubjects(tx, tenant, concerned);
  const ids = concerned.filter((id) => known.has(id));
  const before = await ports.roleStore.rolesOf(tx, tenant, ids);
  await ports.groupRoleHolders.changeHoldings(
    tx,
    tenant,
    difference(await ports.groupRoleHolders.holdingsOf(tx, tenant, ids), wantedOf(ids, wanted)),
  );
  const after = await ports.roleStore.rolesOf(tx, tenant, ids);

  const revocations: Revocation[] = [];
  for (const id of ids) {
    const [had = [], has = []] = [before.get(id), after.get(id)];
    const gained = has.filter((role) => !had.includes(role));
    const lost = had.filter((role) => !has.includes(role));
    for (const role of gained) await tell(ports, tx, tenant, id, roleChange(role, ['after']));
    for (const role of lost) await tell(ports, tx, tenant, id, roleChange(role, ['before']));
    if (!gained.every(isApiRole)) await ports.invitationEnds.deleteInvitations(tx, tenant, id);
    if (!known.get(id)?.deleted) revocations.push(...(await endFor(ports, tx, tenant, id, lost)));
  }
  return { revocations, unknown: concerned.filter((id) => !known.has(id)) };
}

/** Revokes what may depend on lost roles: everything, or the grants for the APIs if only roles of APIs were lost. */
async function endFor(
  ports: HoldingPorts,
  tx: Transaction,
  tenant: string,
  id: string,
  lost: readonly string[],
): Promise<Revocation[]> {
  if (!lost.every(isApiRole)) return ports.endIssued(tx, tenant, id);
  const apiIds = new Set(lost.flatMap((role) => apiRoleOf(role)?.apiId ?? []));
  return apiIds.size === 0 ? [] : ports.endIssuedForApis(tx, tenant, id, [...apiIds]);
}

const keyOf = ({ subjectId, groupId, role }: Holding): string => `${subjectId} ${groupId} ${role}`;

function difference(
  held: readonly Holding[],
  wanted: readonly Holding[],
): { add: Holding[]; remove: Holding[] } {
  const [has, should] = [new Set(held.map(keyOf)), new Set(wanted.map(keyOf))];
  return {
    add: wanted.filter((holding) => !has.has(keyOf(holding))),
    remove: held.filter((holding) => !should.has(keyOf(holding))),
  };
}

function wantedOf(ids: readonly string[], wanted: readonly Holding[]): Holding[] {
  const these = new Set(ids);
  return wanted.filter(({ subjectId }) => these.has(subjectId));
}

/** Records the change without an initiating user: a membership or the roles of a group changed. */
const tell = (
  ports: HoldingPorts,
  tx: Transaction,
  tenant: string,
  id: string,
  changes: ReturnType<typeof roleChange>,
): Promise<void> =>
  ports.securityLog.record(tx, tenant, {
    action: Object.values(changes).some(({ after }) => after !== undefined)
      ? 'user.role_assigned'
      : 'user.role_removed',
    resourceType: 'User',
    resourceId: id,
    subjectId: id,
    actor: { kind: 'system', id: 'auth' },
    changes,
  });
