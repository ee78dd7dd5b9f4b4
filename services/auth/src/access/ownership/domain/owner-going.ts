import type { Actor } from '@ostiary/events';
import type { Transaction } from '@ostiary/service';
import type { CredentialOwner } from './credential-owner.ts';
import type { Ownable } from './ownable.ts';

/** Makes other processes reload the clients of a tenant. */
export interface ClientAnnouncements {
  announceClientsOf(tx: Transaction, tenant: string): Promise<void>;
}

/** User or group that ends, or that loses the right to some kinds. */
export interface OwnerGoing {
  owner: CredentialOwner;
  /** Kinds that the user or group no longer owns. */
  kinds: readonly Ownable[];
  /** New epoch, for a user. */
  epoch?: number;
  /** Whether the user stays active and only lost a role. */
  lostRole?: boolean;
  /** Reason in the security log. */
  reason: string;
  actor?: Actor | undefined;
  /** Unix seconds at which all tokens issued until now have expired. */
  expiresAt: number;
}
