import { type Caller, callersOf } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import { currentOrigin, NoSuchOwner } from '../../../platform/index.ts';
import type { SubjectStore } from '../../../tenancy/index.ts';
import type { CredentialOwner, CredentialOwnerStore, Program, ProgramStanding } from './credential-owner.ts';
import type { KnownSecretStore } from './known-secret.ts';

/** Returns the users and programs on whose authority the current request acts; empty in jobs. */
export function currentCallers(): Caller[] {
  const principal = currentOrigin()?.principal;
  return principal ? callersOf(principal) : [];
}

/**
 * Returns the owner of objects that a caller creates: the user, or the owner of the program. A chain of programs
 * therefore has one owner.
 * @throws NoSuchOwner when the program has ended since the request was accepted
 */
export async function ownerOfCaller(
  store: CredentialOwnerStore,
  tx: Transaction,
  tenant: string,
  caller: Caller | undefined,
): Promise<CredentialOwner | null> {
  if (!caller) return null;
  if (caller.kind === 'user') return { kind: 'user', id: caller.id };
  return (await requireStanding(store, tx, tenant, caller)).owner;
}

/**
 * @throws NoSuchOwner when the program, its API key or its presented token has ended, and while a deferred end of a
 * secret is pending: its knower may be active again, and must not replace the secret by one without an end
 */
async function requireStanding(
  store: CredentialOwnerStore,
  tx: Transaction,
  tenant: string,
  program: Program,
): Promise<ProgramStanding> {
  const standing = await store.standingOf(tx, tenant, program);
  if (!standing || standing.isEnding || (program.epoch !== undefined && program.epoch < standing.epoch))
    throw new NoSuchOwner();
  return standing;
}

export interface KnowerPorts {
  credentialOwnerStore: CredentialOwnerStore;
  knownSecrets: KnownSecretStore;
  subjectStore: SubjectStore;
}

/** @see Knowers.holdKnowers */
export async function holdKnowers(
  ports: KnowerPorts,
  tx: Transaction,
  tenant: string,
  callers: readonly Caller[] = currentCallers(),
): Promise<CredentialOwner[]> {
  const knowers = await knowersOf(ports, tx, tenant, callers);
  for (const { kind, id } of knowers) {
    if (kind === 'group') {
      await ports.credentialOwnerStore.lockGroupOwner(tx, tenant, id);
      await ports.knownSecrets.noteGroupKnower(tx, tenant, id);
    } else if ((await ports.subjectStore.lockForIssuing(tx, tenant, id)) === undefined)
      throw new NoSuchOwner();
  }
  // An offboarding that held the locks before may have ended the program's token.
  if (callers.some(({ kind }) => kind === 'program')) await knowersOf(ports, tx, tenant, callers);
  return knowers;
}

/** Locks in one order, so that requests that hold several knowers cannot deadlock. */
async function knowersOf(
  { credentialOwnerStore }: KnowerPorts,
  tx: Transaction,
  tenant: string,
  callers: readonly Caller[],
): Promise<CredentialOwner[]> {
  const knowers = new Map<string, CredentialOwner>();
  for (const caller of callers) {
    if (caller.kind === 'user') {
      knowers.set(caller.id, { kind: 'user', id: caller.id });
      continue;
    }
    const { owner, knownTo } = await requireStanding(credentialOwnerStore, tx, tenant, caller);
    for (const knower of [...(owner ? [owner] : []), ...knownTo]) knowers.set(knower.id, knower);
  }
  return [...knowers.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}
