import type { Connector, LiveToken } from '../../connectors/index.ts';

/** Connectors, by what their requests come with. */
export interface ConnectorLookup {
  /**
   * The connector a live token belongs to; nothing when the token is unknown, expired or revoked, the connector disabled or its tenant
   * suspended.
   */
  byToken(token: string): Promise<LiveToken | undefined>;
  /** The connector that was admitted with this token, as it is now. */
  byTokenId(tenant: string, connectorId: string, tokenId: string): Promise<Connector | undefined>;
  /** The connector that an OAuth client speaks for, in whatever status; in a tenant that is suspended it counts as disabled. */
  byClient(tenant: string, clientId: string): Promise<Connector | undefined>;
}
