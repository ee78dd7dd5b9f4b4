import type { Principal } from '@ostiary/access';
import type { ObservedContext } from '@ostiary/graph';
import type { Charged } from '../../admission/index.ts';

/** The context of an operation, from its request to the requests to subgraphs. */
export interface GatewayContext extends ObservedContext, Charged {
  readonly principal: Principal | undefined;
  /** The caller's Authorization header. */
  readonly authorization: string | undefined;
  /** Identifies the execution of an operation. Apollo Server copies the context; the copies share this object. */
  readonly attempt: object;
}
