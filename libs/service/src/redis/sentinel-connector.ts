import { SentinelConnector } from 'ioredis';

/**
 * Leads to the primary, and while it asks for that heeds no Sentinel that says who it is. ioredis keeps listening as before when a connection
 * is lost, and takes `+switch-master` for a reason to give up whatever is there: heard while a Sentinel is being asked, that ended the client
 * for good, with nothing to reconnect it. Whoever is connected listens anew.
 */
export class PrimaryConnector extends SentinelConnector {
  // ioredis hands a connector of one's own its options without a type.
  constructor(options: unknown) {
    super(options as ConstructorParameters<typeof SentinelConnector>[0]);
  }

  override connect(
    ...given: Parameters<SentinelConnector['connect']>
  ): ReturnType<SentinelConnector['connect']> {
    // Of the last connection: the socket, which is closed, and who listened for it.
    this.disconnect();
    return super.connect(...given);
  }
}
