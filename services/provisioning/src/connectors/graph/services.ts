import type { SchemaRegistry } from '@ostiary/scim';
import type { ManagedPrivileges } from '../domain/conferred.ts';
import type { ConnectorAdministration } from '../domain/connector-administration.ts';
import type { ConnectorQueries } from '../domain/connector-queries.ts';
import type { IdempotencyKeys } from '../domain/idempotency.ts';
import type { Owners } from '../domain/ownership.ts';

/** Returns the schemas of a tenant's resources. */
export type SchemasOf = (tenant: string) => Promise<SchemaRegistry>;

export interface ConnectorServices {
  connectors: ConnectorQueries;
  administration: ConnectorAdministration;
  schemasOf: SchemasOf;
  privileges: ManagedPrivileges;
  owners: Owners;
  keys: IdempotencyKeys;
}
