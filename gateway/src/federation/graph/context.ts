import type { Principal } from '@ostiary/access';
import type { ObservedContext } from '@ostiary/graph';
import type { Charged } from '../../admission/index.ts';
import type { FederationContext } from './federation.ts';

export interface GatewayContext extends FederationContext, ObservedContext, Charged {
  readonly principal: Principal | undefined;
}
