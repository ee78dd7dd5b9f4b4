import type { Claim } from '../../../platform/index.ts';

export interface Sessions {
  /** Ends a session and its grants. Returns false if the tenant has no such active session. */
  revoke(tenant: string, sessionId: string, claim?: Claim): Promise<boolean>;
}
