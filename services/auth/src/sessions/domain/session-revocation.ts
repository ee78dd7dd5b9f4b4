import type { Claim } from '../../protocol/index.ts';

export interface Sessions {
  /** Ends one session and everything granted in it. False when the tenant has no such live session. */
  revoke(tenant: string, sessionId: string, claim?: Claim): Promise<boolean>;
}
