import type { Actor } from '@ostiary/events';
import type { Transaction } from '@ostiary/service';
import type { CredentialOwner } from './credential-owner.ts';
import type { Ownable } from './ownable.ts';

/** Other processes are to read a tenant's clients anew. */
export interface ClientAnnouncements {
  announceClientsOf(tx: Transaction, tenant: string): Promise<void>;
}

/** A user or group that leaves, or loses the right to some kinds. */
export interface OwnerGoing {
  owner: CredentialOwner;
  /** What they own no longer. */
  kinds: readonly Ownable[];
  /** The person's from now on, of a person. */
  epoch?: number;
  /** Whether a user stays who lost a role. */
  lostRole?: boolean;
  /** What happened, for the log. */
  reason: string;
  actor?: Actor | undefined;
  /** Unix seconds when the last token issued until now has expired. */
  expiresAt: number;
}
