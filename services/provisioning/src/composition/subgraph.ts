import type { SignInPolicy, TokenVerifier } from '@ostiary/access';
import { actorResolvers, readSchema, subgraphPlugin } from '@ostiary/graph';
import { isUuid, type ServiceKit } from '@ostiary/service';
import type { FastifyPluginAsync } from 'fastify';
import { provisioningConferring } from '../connectors/graph/conferring.ts';
import { connectorLogResolvers } from '../connectors/graph/connector-log.ts';
import { type ConnectorServices, connectorResolvers } from '../connectors/graph/connectors.ts';
import { createLoaders, existingConnector, type Loaders } from '../connectors/graph/loaders.ts';
import type { Database } from '../database/data/database.ts';
import { provisioningResolvers } from '../provisioning-log/graph/provisioning-log.ts';

export interface SubgraphDependencies extends ConnectorServices {
  database: Database;
  verifier: TokenVerifier;
  /** What a tenant asks of administrators' sign-ins. */
  signInPolicy: (tenant: string) => Promise<SignInPolicy>;
  publicOrigin: string;
  kit: ServiceKit;
  introspection: boolean;
}

/** Who changed a connector; people and apps are other subgraphs'. */
const ofActors = actorResolvers<Loaders>({
  user: (id) => (isUuid(id) ? { id } : null),
  client: (id) => ({ id }),
  connector: (id, { loaders }) => existingConnector(loaders, id),
});

/** The provisioning subgraph at POST /graphql. */
export function provisioningSubgraph(options: SubgraphDependencies): FastifyPluginAsync {
  const { database, connectors, verifier, publicOrigin, kit, introspection } = options;
  const ofConnectors = connectorResolvers(options);
  const ofConnectorLog = connectorLogResolvers(database.sql);
  const ofProvisioning = provisioningResolvers(database.sql);
  return subgraphPlugin<Loaders>({
    name: 'provisioning',
    typeDefs: readSchema(new URL('..', import.meta.url)),
    resolvers: {
      ...ofConnectors,
      ...ofConnectorLog,
      ...ofProvisioning,
      ...ofActors,
      Query: { ...ofConnectors.Query, ...ofConnectorLog.Query, ...ofProvisioning.Query },
    },
    loaders: createLoaders(database.sql, connectors),
    conferring: provisioningConferring(options),
    verifier,
    publicOrigin,
    kit,
    introspection,
  });
}
