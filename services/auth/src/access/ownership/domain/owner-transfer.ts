import { isDeepStrictEqual } from 'node:util';
import type { Transactions } from '@ostiary/service';
import type { SecurityLog } from '../../../platform/index.ts';
import { type ChangeTerms, requireVersion } from '../../../platform/index.ts';
import type { CredentialOwner, CredentialOwnerStore, OwnedKind } from './credential-owner.ts';
import type { OwnerTransferStore } from './held-credential.ts';
import { entryOf } from './owned-credentials.ts';
import type { ClientAnnouncements } from './owner-going.ts';
import type { Owners } from './owners.ts';

export interface Transfer {
  kind: OwnedKind;
  id: string;
  to: CredentialOwner;
  /**
   * Throws if the caller may not transfer a credential with these scopes. Runs in the transaction, with the scopes at
   * that time.
   */
  mayHandOver: (scopes: readonly string[]) => void;
}

export interface TransferPorts {
  database: Transactions;
  owners: Owners;
  securityLog: SecurityLog;
  credentialOwnerStore: CredentialOwnerStore;
  ownerTransfers: OwnerTransferStore;
  clientAnnouncements: ClientAnnouncements;
}

/**
 * Transfers a credential to another owner. It ends with the new owner. Issued tokens stay valid, and users who knew its
 * secret still know it.
 * @returns false if the tenant has no such credential, or it has ended
 * @throws NoSuchOwner, VersionChanged, ServiceUnavailable
 */
export async function transferCredential(
  o: TransferPorts,
  tenant: string,
  { kind, id, to, mayHandOver }: Transfer,
  terms: ChangeTerms = {},
): Promise<boolean> {
  return o.database.transaction(async (tx) => {
    // Offboarding locks owners before their objects.
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
