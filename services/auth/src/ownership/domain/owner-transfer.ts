import { isDeepStrictEqual } from 'node:util';
import type { Transactions } from '@ostiary/service';
import type { SecurityLog } from '../../audit/index.ts';
import { type ChangeTerms, requireVersion } from '../../protocol/index.ts';
import type { CredentialOwner, CredentialOwnerStore, OwnedKind } from './credential-owner.ts';
import type { OwnerTransferStore } from './held-credential.ts';
import { entryOf } from './owned-credentials.ts';
import type { ClientAnnouncements } from './owner-going.ts';
import type { Owners } from './owners.ts';

export interface Transfer {
  kind: OwnedKind;
  id: string;
  to: CredentialOwner;
  /** Has the last word, by the scopes that it has at that moment: nobody hands over what they may not do themselves. */
  mayHandOver: (scopes: readonly string[]) => void;
}

export interface TransferPorts {
  database: Pick<Transactions, 'transaction'>;
  owners: Pick<Owners, 'hold'>;
  securityLog: SecurityLog;
  credentialOwnerStore: Pick<CredentialOwnerStore, 'ownersOf' | 'setOwner'>;
  ownerTransfers: OwnerTransferStore;
  clientAnnouncements: ClientAnnouncements;
}

/**
 * Gives something that works by itself to another owner, with whom it goes from then on. What was issued to it stays, and who knew its
 * secret still does.
 * @returns false when the tenant has no such thing, or it has ended
 * @throws NoSuchOwner, VersionChanged, ServiceUnavailable
 */
export async function transferCredential(
  o: TransferPorts,
  tenant: string,
  { kind, id, to, mayHandOver }: Transfer,
  terms: ChangeTerms = {},
): Promise<boolean> {
  return o.database.transaction(async (tx) => {
    // A departure locks who owns before what they own.
    await o.owners.hold(tx, tenant, kind, to);
    const held = await o.ownerTransfers.holdCredential(tx, tenant, kind, id);
    if (!held) return false;
    mayHandOver(held.scopes);
    await terms.claim?.(tx, tenant, id);
    if (held.version !== null) requireVersion(terms, held.version);
    const before = (await o.credentialOwnerStore.ownersOf(tx, tenant, kind, [id])).get(id) ?? null;
    if (isDeepStrictEqual(before, to)) return true;
    await o.credentialOwnerStore.setOwner(tx, tenant, kind, id, to);
    await o.ownerTransfers.advanceVersion(tx, tenant, kind, id);
    if (kind === 'client') await o.clientAnnouncements.announceClientsOf(tx, tenant);
    const { type, changed } = entryOf[kind];
    await o.securityLog.record(tx, tenant, {
      action: changed,
      resourceType: type,
      resourceId: id,
      changes: { owner: { ...(before && { before }), after: to } },
    });
    return true;
  });
}
