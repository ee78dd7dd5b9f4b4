import { SentinelConnector } from 'ioredis';

/**
 * Connects to the primary and ignores failover messages while it resolves the primary's address. ioredis
 * keeps its subscriptions after a lost connection and treats `+switch-master` as a reason to disconnect:
 * received during the resolution, it ended the client permanently. Each new connection subscribes again.
 */
export class PrimaryConnector extends SentinelConnector {
  // ioredis passes options to a custom connector without a type.
  constructor(options: unknown) {
    super(options as ConstructorParameters<typeof SentinelConnector>[0]);
  }

  override connect(
    ...given: Parameters<SentinelConnector['connect']>
  ): ReturnType<SentinelConnector['connect']> {
    // State of the last connection: the closed socket and its subscription.
    this.disconnect();
    return super.connect(...given);
  }
}
