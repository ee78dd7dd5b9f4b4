import type { Connector, LiveToken } from '../../connectors/index.ts';

/** Finds the connectors of requests. */
export interface ConnectorLookup {
  /**
   * Returns the connector of a live token; undefined when the token is unknown, expired or revoked, the connector
   * disabled or its tenant suspended.
   */
  byToken(token: string): Promise<LiveToken | undefined>;
  /** Returns the current state of the connector that was admitted with this token. */
  byTokenId(tenant: string, connectorId: string, tokenId: string): Promise<Connector | undefined>;
  /** Returns the connector of an OAuth client, in any status; in a suspended tenant it counts as disabled. */
  byClient(tenant: string, clientId: string): Promise<Connector | undefined>;
}
