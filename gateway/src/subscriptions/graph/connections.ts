import type { Logger } from '@ostiary/service';
import type { AllowedOrigins } from '../domain/allowed-origins.ts';
import type { NetworkConnections } from '../domain/network-connections.ts';
import type { Caller, HubLimits, LiveHub } from './hub.ts';
import type { SubscribableOperations } from './subscribable-operations.ts';
import type { TokenAuthentication } from './token-authentication.ts';

/** Dependencies of the transports (server-sent events, WebSockets). */
export interface Connections {
  readonly log: Logger;
  /** Unix ms. */
  readonly clock: () => number;
  readonly hub: LiveHub;
  readonly limits: HubLimits;
  readonly networks: NetworkConnections;
  readonly authentication: TokenAuthentication;
  readonly operations: SubscribableOperations;
  readonly origins: AllowedOrigins;
  /** Admits a connection; in a process that has just started, as soon as events are read. @throws GraphQLError */
  admit(caller: Caller): Promise<void>;
}
