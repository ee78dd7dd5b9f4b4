export type { ManagedPrivileges } from './domain/conferred.ts';
export {
  type Connector,
  type ConnectorLimits,
  type ConnectorRules,
  directSource,
  type LiveToken,
  noRules,
} from './domain/connector.ts';
export { ConnectorAdministration } from './domain/connector-administration.ts';
export type { ConnectorLogQueries } from './domain/connector-log.ts';
export { isWellFormedConnectorToken, looksLikeConnectorToken } from './domain/connector-token.ts';
export type { Counted } from './domain/counted.ts';
export { OwnerSearch } from './domain/owner-search.ts';
export type { Owners } from './domain/ownership.ts';
export { OwnershipEnds } from './domain/ownership-ends.ts';
export type { VouchingDirectory } from './domain/vouching.ts';
