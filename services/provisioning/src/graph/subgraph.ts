import { readFileSync } from 'node:fs';
import type { TokenVerifier } from '@ostiary/access';
import { subgraphPlugin } from '@ostiary/graph';
import type { ServiceKit } from '@ostiary/service';
import type { FastifyPluginAsync } from 'fastify';
import type { Connectors } from '../data/connectors.ts';
import type { Database } from '../data/database.ts';
import { connectorResolvers, type SchemasOf } from './connectors.ts';
import { createLoaders } from './loaders.ts';
import { provisioningResolvers } from './provisioning.ts';

export interface SubgraphDependencies {
  database: Database;
  connectors: Connectors;
  schemasOf: SchemasOf;
  verifier: TokenVerifier;
  publicOrigin: string;
  kit: ServiceKit;
  introspection: boolean;
}

/** The provisioning subgraph at POST /graphql. */
export function provisioningSubgraph(options: SubgraphDependencies): FastifyPluginAsync {
  const { database, connectors, schemasOf, verifier, publicOrigin, kit, introspection } = options;
  const ofConnectors = connectorResolvers(connectors, schemasOf);
  const ofProvisioning = provisioningResolvers(database.sql);
  return subgraphPlugin({
    name: 'provisioning',
    typeDefs: readFileSync(new URL('./schema.graphql', import.meta.url), 'utf8'),
    resolvers: {
      ...ofConnectors,
      ...ofProvisioning,
      Query: { ...ofConnectors.Query, ...ofProvisioning.Query },
    },
    loaders: createLoaders(database.sql, connectors),
    verifier,
    publicOrigin,
    kit,
    introspection,
  });
}
