export { provisioningConferring } from './conferring.ts';
export { connectorLogResolvers } from './connector-log.ts';
export { connectorResolvers } from './connectors.ts';
export { type ConnectorLoaders, connectorLoaders, existingConnector } from './loaders.ts';
export { provisioningSourceOf } from './provisioning-source.ts';
export type { ConnectorServices } from './services.ts';
export { storable } from './storable.ts';
