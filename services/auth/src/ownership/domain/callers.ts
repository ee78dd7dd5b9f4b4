import { type Caller, callersOf } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import { currentOrigin } from '../../audit/index.ts';
import { NoSuchOwner } from '../../protocol/index.ts';
import type { CredentialOwner, CredentialOwnerStore, Program, ProgramStanding } from './credential-owner.ts';

/** Returns the users and programs on whose authority the current request acts; none for what the service does by itself. */
export function currentCallers(): Caller[] {
  const principal = currentOrigin()?.principal;
  return principal ? callersOf(principal) : [];
}

/**
 * Returns the owner of what a caller creates: the user, or the owner of the program. A chain of programs therefore has one owner.
 * @throws NoSuchOwner when the program has ended since the request was accepted
 */
export async function ownerOfCaller(
  store: Pick<CredentialOwnerStore, 'standingOf'>,
  tx: Transaction,
  tenant: string,
  caller: Caller | undefined,
): Promise<CredentialOwner | null> {
  if (!caller) return null;
  if (caller.kind === 'user') return { kind: 'user', id: caller.id };
  return (await requireStanding(store, tx, tenant, caller)).owner;
}

/** @throws NoSuchOwner when the program, its API key or the token it presented has ended */
async function requireStanding(
  store: Pick<CredentialOwnerStore, 'standingOf'>,
  tx: Transaction,
  tenant: string,
  program: Program,
): Promise<ProgramStanding> {
  const standing = await store.standingOf(tx, tenant, program);
  if (!standing || (program.epoch !== undefined && program.epoch < standing.epoch)) throw new NoSuchOwner();
  return standing;
}
