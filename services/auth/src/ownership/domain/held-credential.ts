import type { Transaction } from '@ostiary/service';
import type { OwnedKind } from './credential-owner.ts';

/** What is to be another's, as its row is while it is locked. */
export interface HeldCredential {
  scopes: string[];
  /** Of an API key there is none. */
  version: number | null;
}

/** What a transfer to another owner changes. */
export interface OwnerTransferStore {
  /** Locks what is to be another's. Undefined when there is no such thing, or it has ended. */
  holdCredential(
    tx: Transaction,
    tenant: string,
    kind: OwnedKind,
    id: string,
  ): Promise<HeldCredential | undefined>;
  /** Notes a change in the version of what has one. */
  advanceVersion(tx: Transaction, tenant: string, kind: OwnedKind, id: string): Promise<void>;
}
