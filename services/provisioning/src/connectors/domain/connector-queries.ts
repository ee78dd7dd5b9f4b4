import type { IdPage } from '@ostiary/service';
import type { Connector, ConnectorToken } from './connector.ts';

/** Conditions on the list of connectors; an absent one does not narrow it. */
export interface ConnectorFilter {
  ownerId?: string | undefined;
  /** Whether the connector has an owner. */
  hasOwner?: boolean | undefined;
}

/** Queries of a tenant's connectors and their tokens. */
export interface ConnectorQueries {
  /** Returns all connectors of a tenant with these ids, including deleted ones. */
  byIds(tenant: string, ids: readonly string[]): Promise<Connector[]>;
  /** Returns connectors in the order of creation, or backward from the newest, after the one with the id `position`. */
  list(tenant: string, page: IdPage, filter?: ConnectorFilter): Promise<Connector[]>;
  /** Counts the connectors of a tenant. */
  count(tenant: string, filter?: ConnectorFilter): Promise<number>;
  /** Returns live tokens of the connectors, newest first. */
  tokensOf(tenant: string, connectorIds: readonly string[]): Promise<ConnectorToken[]>;
  /** Returns live tokens of any connector that a user received, newest first; at most 500. */
  tokensKnownTo(tenant: string, userId: string): Promise<ConnectorToken[]>;
}
