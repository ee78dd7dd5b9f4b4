import type { Revocation } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import type { CarriedRoles } from '../../subjects/index.ts';

/** Replaces what a user signs in with. */
export interface AccessRenewal {
  /**
   * Ends every way in of a user, with everything issued to them, and makes the link by which they set new ones. The caller holds
   * the user. What is returned is published after the commit.
   */
  renew(
    tx: Transaction,
    tenant: string,
    user: {
      subjectId: string;
      lifetimeSeconds: number;
      carriedRoles: CarriedRoles;
      /** Whether the caller may open an account that has these roles. */
      mayOpen: (roles: readonly string[]) => boolean;
    },
  ): Promise<
    | { outcome: 'invited'; url: string; expiresAt: Date; revocations: Revocation[] }
    | { outcome: 'inactive' | 'settled' | 'privileged' }
  >;
}
