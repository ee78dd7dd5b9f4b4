import type { SignInPolicy, TokenVerifier } from '@ostiary/access';
import { actorResolvers, subgraphPlugin } from '@ostiary/graph';
import { isUuid, type ServiceKit, type Transaction } from '@ostiary/service';
import type { FastifyPluginAsync } from 'fastify';
import type { ConnectorLogQueries } from '../connectors/domain/connector-log.ts';
import { provisioningConferring } from '../connectors/graph/conferring.ts';
import { connectorLogResolvers } from '../connectors/graph/connector-log.ts';
import { connectorResolvers } from '../connectors/graph/connectors.ts';
import { type ConnectorLoaders, connectorLoaders, existingConnector } from '../connectors/graph/loaders.ts';
import type { ConnectorServices } from '../connectors/graph/services.ts';
import type { ResourceLinks } from '../events/domain/resource-links.ts';
import { type LinkLoaders, linkLoaders, provisioningResolvers } from '../events/graph/provisioning.ts';
import { type LogLoaders, logLoaders } from '../provisioning-log/graph/loaders.ts';
import { provisioningLogResolvers } from '../provisioning-log/graph/provisioning-log.ts';
import type { ProvisioningLogQueries } from '../provisioning-log/provisioning-log.ts';
import { typeDefs } from './schema.ts';

export interface SubgraphDependencies extends ConnectorServices {
  sql: Transaction;
  connectorLog: ConnectorLogQueries;
  provisioningLog: ProvisioningLogQueries;
  links: ResourceLinks;
  verifier: TokenVerifier;
  /** Returns a tenant's policy for sign-ins of administrators. */
  signInPolicy: (tenant: string) => Promise<SignInPolicy>;
  publicOrigin: string;
  kit: ServiceKit;
  introspection: boolean;
  /** Notified of mutations, where a replica serves some reads. */
  writing: ((tenant: string) => () => void) | undefined;
}

type Loaders = ConnectorLoaders & LinkLoaders & LogLoaders;

/** Actors of connector changes; users and clients belong to other subgraphs. */
const ofActors = actorResolvers<Loaders>({
  user: (id) => (isUuid(id) ? { id } : null),
  client: (id) => ({ id }),
  connector: (id, { loaders }) => existingConnector(loaders, id),
});

/** The provisioning subgraph at POST /graphql. */
export function provisioningSubgraph(options: SubgraphDependencies): FastifyPluginAsync {
  const { sql, connectors, connectorLog, provisioningLog, links } = options;
  const { verifier, publicOrigin, kit, introspection, writing } = options;
  const ofConnectors = connectorResolvers(options);
  const ofConnectorLog = connectorLogResolvers(sql, connectorLog);
  const ofProvisioningLog = provisioningLogResolvers(sql, provisioningLog);
  const loadersOf = [
    connectorLoaders(sql, connectors, connectorLog),
    linkLoaders(sql, links),
    logLoaders(sql, provisioningLog),
  ] as const;
  return subgraphPlugin<Loaders>({
    name: 'provisioning',
    typeDefs,
    resolvers: {
      ...ofConnectors,
      ...ofConnectorLog,
      ...ofProvisioningLog,
      ...provisioningResolvers,
      ...ofActors,
      User: { ...ofConnectors.User, ...provisioningResolvers.User },
      Query: { ...ofConnectors.Query, ...ofConnectorLog.Query, ...ofProvisioningLog.Query },
    },
    loaders: (scope) => {
      const [ofConnector, ofLinks, ofLog] = loadersOf;
      return { ...ofConnector(scope), ...ofLinks(scope), ...ofLog(scope) };
    },
    conferring: provisioningConferring(options),
    verifier,
    publicOrigin,
    kit,
    introspection,
    writing,
  });
}
