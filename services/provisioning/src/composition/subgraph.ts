import type { SignInPolicy, TokenVerifier } from '@ostiary/access';
import { actorResolvers, subgraphPlugin } from '@ostiary/graph';
import { isUuid, type ServiceKit, type Transaction } from '@ostiary/service';
import type { FastifyPluginAsync } from 'fastify';
import {
  type ConnectorLoaders,
  type ConnectorServices,
  connectorLoaders,
  connectorLogResolvers,
  connectorResolvers,
  existingConnector,
  provisioningConferring,
} from '../connectors/graph/index.ts';
import type { ConnectorLogQueries } from '../connectors/index.ts';
import { type LinkLoaders, linkLoaders, provisioningResolvers } from '../events/graph/index.ts';
import type { ResourceLinks } from '../events/index.ts';
import { type LogLoaders, logLoaders, provisioningLogResolvers } from '../provisioning-log/graph/index.ts';
import type { ProvisioningLogQueries } from '../provisioning-log/index.ts';
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
