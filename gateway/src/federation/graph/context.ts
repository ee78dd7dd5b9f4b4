import type { Principal } from '@ostiary/access';
import type { ObservedContext } from '@ostiary/graph';
import type { Allowance } from '@ostiary/service/rates';
import type { FederationContext } from './federation.ts';

/** What an operation carries with it through the gateway. */
export interface GatewayContext extends FederationContext, ObservedContext {
  readonly principal: Principal | undefined;
  /** Whose budget it is charged to (see `callerOf`). */
  readonly caller?: string;
  /** What it was charged, and what the answer was: once, however often it is tried. */
  charged?: Allowance | undefined;
}
