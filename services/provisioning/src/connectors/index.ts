export type { ManagedPrivileges } from './domain/conferred.ts';
export {
  type Connector,
  type ConnectorLimits,
  type ConnectorRules,
  directSource,
  type LiveToken,
  noRules,
} from './domain/connector.ts';
export { isWellFormedConnectorToken, looksLikeConnectorToken } from './domain/connector-token.ts';
export type { VouchingDirectory } from './domain/vouching.ts';
