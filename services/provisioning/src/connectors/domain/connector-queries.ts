import type { IdPage } from '@ostiary/service';
import type { Connector, ConnectorToken } from './connector.ts';

/** Narrows the list of connectors; what is left out doesn't narrow. */
export interface ConnectorFilter {
  ownerId?: string | undefined;
  /** Whether anybody owns it. */
  hasOwner?: boolean | undefined;
}

/** Connectors of a tenant and their tokens, to be shown. */
export interface ConnectorQueries {
  /** All connectors of a tenant with these ids, also deleted ones. */
  byIds(tenant: string, ids: readonly string[]): Promise<Connector[]>;
  /** Connectors in the order they were made, or backward from the newest; behind the one with the id `position` that way. */
  list(tenant: string, page: IdPage, filter?: ConnectorFilter): Promise<Connector[]>;
  /** How many a tenant has. */
  count(tenant: string, filter?: ConnectorFilter): Promise<number>;
  /** Live tokens of the connectors, newest first. */
  tokensOf(tenant: string, connectorIds: readonly string[]): Promise<ConnectorToken[]>;
  /** Live tokens of any connector that a user received, newest first; at most 500. */
  tokensKnownTo(tenant: string, userId: string): Promise<ConnectorToken[]>;
}
