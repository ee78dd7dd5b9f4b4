import type { Transaction } from '@ostiary/service';
import type { OwnedKind } from './credential-owner.ts';

/** Row of a credential to transfer, while it is locked. */
export interface HeldCredential {
  scopes: string[];
  /** Null for an API key. */
  version: number | null;
}

export interface OwnerTransferStore {
  /** Locks a credential to transfer. Undefined if it does not exist or has ended. */
  holdCredential(
    tx: Transaction,
    tenant: string,
    kind: OwnedKind,
    id: string,
  ): Promise<HeldCredential | undefined>;
  /** Increments the version, if the kind has one. */
  advanceVersion(tx: Transaction, tenant: string, kind: OwnedKind, id: string): Promise<void>;
}
