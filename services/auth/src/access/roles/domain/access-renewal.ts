import type { Revocation } from '@ostiary/access';
import type { Transaction } from '@ostiary/service';
import type { CarriedRoles } from '../../../tenancy/index.ts';

export interface AccessRenewal {
  /**
   * Deletes all sign-in methods of a user, revokes everything issued to the user, and creates the link with which the
   * user sets new ones. The caller holds the user. The returned revocations are published after the commit.
   */
  renew(
    tx: Transaction,
    tenant: string,
    user: {
      subjectId: string;
      lifetimeSeconds: number;
      carriedRoles: CarriedRoles;
      /** Reports whether the caller may renew an account with these roles. */
      mayOpen: (roles: readonly string[]) => boolean;
    },
  ): Promise<
    | { outcome: 'invited'; url: string; expiresAt: Date; revocations: Revocation[] }
    | { outcome: 'inactive' | 'settled' | 'privileged' }
  >;
}
