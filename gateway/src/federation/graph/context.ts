import type { Principal } from '@ostiary/access';
import type { ObservedContext } from '@ostiary/graph';
import type { Charged } from '../../admission/index.ts';
import type { FederationContext } from './federation.ts';

/** What an operation carries with it through the gateway. */
export interface GatewayContext extends FederationContext, ObservedContext, Charged {
  readonly principal: Principal | undefined;
}
