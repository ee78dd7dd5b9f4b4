import type { Transaction } from '@ostiary/service';
import type { GroupOwners } from '../domain/group-owners.ts';
import type { OwnerCheckStore } from '../domain/owner-checks.ts';

/** Tenants of one round. */
const atOnce = 20;

/** Asks what was noted about groups that own something, and wasn't asked, for the same reasons; as many processes may. */
export async function catchUpOnGroupOwners(
  deps: {
    database: { sql: Transaction };
    groupOwners: Pick<GroupOwners, 'settle'>;
    ownerChecks: Pick<OwnerCheckStore, 'tenantsWithOwnerChecks'>;
  },
  signal: AbortSignal,
): Promise<void> {
  const tenants = await deps.ownerChecks.tenantsWithOwnerChecks(deps.database.sql, atOnce);
  if (signal.aborted) return;
  await allDone(tenants.map((tenant) => deps.groupOwners.settle(tenant)));
}

/** Waits for all of them: one tenant's trouble must not keep the others waiting. Throws the first failure. */
async function allDone(work: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(work);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}
