import type { Transaction } from '@ostiary/service';
import type { GroupOwners } from './domain/group-owners.ts';
import type { OwnerCheckStore } from './domain/owner-checks.ts';

/** Maximum number of tenants per run. */
const batchSize = 20;

/**
 * Carries out recorded checks of owning groups that were not done after their transaction. Every process may run it
 * concurrently.
 */
export async function catchUpOnGroupOwners(
  deps: {
    database: { sql: Transaction };
    groupOwners: GroupOwners;
    ownerChecks: OwnerCheckStore;
  },
  signal: AbortSignal,
): Promise<void> {
  const tenants = await deps.ownerChecks.tenantsWithOwnerChecks(deps.database.sql, batchSize);
  if (signal.aborted) return;
  await allDone(tenants.map((tenant) => deps.groupOwners.settle(tenant)));
}

/** Waits for all, so that a failure of one tenant does not delay the others. Throws the first failure. */
async function allDone(work: readonly Promise<unknown>[]): Promise<void> {
  const outcomes = await Promise.allSettled(work);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed) throw failed.reason;
}
