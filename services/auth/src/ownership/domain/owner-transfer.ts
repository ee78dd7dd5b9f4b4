import { isDeepStrictEqual } from 'node:util';
import type { Database } from '@ostiary/database';
import { record } from '../../audit/data/security-log.ts';
import { announceClientsOf } from '../../clients/data/clients.ts';
import { type ChangeTerms, requireVersion } from '../../protocol/index.ts';
import { ownersOf, setOwner } from '../data/credential-owners.ts';
import { advanceVersion, holdCredential } from '../data/owner-transfer.ts';
import type { CredentialOwner, OwnedKind } from './credential-owner.ts';
import { entryOf } from './owned-credentials.ts';
import type { Owners } from './owners.ts';

export interface Transfer {
  kind: OwnedKind;
  id: string;
  to: CredentialOwner;
  /** Has the last word, by the scopes that it has at that moment: nobody hands over what they may not do themselves. */
  mayHandOver: (scopes: readonly string[]) => void;
}

/**
 * Gives something that works by itself to another owner, with whom it goes from then on. What was issued to it stays, and who knew its
 * secret still does.
 * @returns false when the tenant has no such thing, or it has ended
 * @throws NoSuchOwner, VersionChanged, ServiceUnavailable
 */
export async function transferCredential(
  { database, owners }: { database: Pick<Database<unknown>, 'transaction'>; owners: Pick<Owners, 'hold'> },
  tenant: string,
  { kind, id, to, mayHandOver }: Transfer,
  terms: ChangeTerms = {},
): Promise<boolean> {
  return database.transaction(async (tx) => {
    // A departure locks who owns before what they own.
    await owners.hold(tx, tenant, kind, to);
    const held = await holdCredential(tx, tenant, kind, id);
    if (!held) return false;
    mayHandOver(held.scopes);
    await terms.claim?.(tx, tenant, id);
    if (held.version !== null) requireVersion(terms, held.version);
    const before = (await ownersOf(tx, tenant, kind, [id])).get(id) ?? null;
    if (isDeepStrictEqual(before, to)) return true;
    await setOwner(tx, tenant, kind, id, to);
    await advanceVersion(tx, tenant, kind, id);
    if (kind === 'client') await announceClientsOf(tx, tenant);
    const { type, changed } = entryOf[kind];
    await record(tx, tenant, {
      action: changed,
      resourceType: type,
      resourceId: id,
      changes: { owner: { ...(before && { before }), after: to } },
    });
    return true;
  });
}
