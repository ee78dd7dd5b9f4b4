import type { TokenVerifier } from '@ostiary/access';
import { type Resolver, type Resolvers, subgraphPlugin } from '@ostiary/graph';
import type { ServiceKit } from '@ostiary/service';
import type { FastifyPluginAsync } from 'fastify';
import { actorResolvers, auditEntryResolvers, auditQueries } from '../audit/graph/index.ts';
import { graphErrors } from '../errors/graph/index.ts';
import {
  groupMemberResolvers,
  groupMutations,
  groupQueries,
  groupReference,
  groupResolvers,
} from '../groups/graph/index.ts';
import { idempotentMutations } from '../idempotency/graph/index.ts';
import { nodeQueries } from '../nodes/graph/index.ts';
import type { NodeKeeper } from '../nodes/index.ts';
import { deletedResourceResolvers, recyclingMutations, recyclingQueries } from '../recycling/graph/index.ts';
import { directoryConferring } from '../resources/graph/index.ts';
import {
  schemaAttributeResolvers,
  schemaMutations,
  schemaQueries,
  schemaResolvers,
} from '../schemas/graph/index.ts';
import { growthResolvers, statisticsQueries, statisticsResolvers } from '../statistics/graph/index.ts';
import {
  policyMutations,
  policyQueries,
  tenantMutations,
  tenantQueries,
  tenantResolvers,
} from '../tenants/graph/index.ts';
import {
  ownProfileMutations,
  userMutations,
  userQueries,
  userReference,
  userResolvers,
} from '../users/graph/index.ts';
import type { Directory } from './directory.ts';
import { type DirectoryLoaders, directoryLoaders } from './loaders.ts';
import { typeDefs } from './schema.ts';

const queries = (directory: Directory): Record<string, Resolver<DirectoryLoaders>> => ({
  ...schemaQueries,
  ...recyclingQueries,
  ...statisticsQueries,
  ...tenantQueries(directory),
  ...policyQueries(directory),
  ...nodeQueries(directory.tenants),
  ...userQueries,
  ...groupQueries,
  ...auditQueries,
});

const mutations = (directory: Directory): Record<string, Resolver<DirectoryLoaders>> =>
  idempotentMutations<DirectoryLoaders>(directory.idempotency, {
    ...schemaMutations,
    ...recyclingMutations,
    ...tenantMutations(directory),
    ...policyMutations(directory),
    ...userMutations,
    ...groupMutations,
    ...ownProfileMutations,
  });

const resolvers = (directory: Directory): Resolvers<DirectoryLoaders> => ({
  Query: queries(directory),
  Mutation: mutations(directory),
  User: { ...userResolvers, __resolveReference: userReference },
  Group: { ...groupResolvers, __resolveReference: groupReference },
  GroupMember: groupMemberResolvers,
  AuditEntry: auditEntryResolvers,
  Schema: schemaResolvers,
  SchemaAttribute: schemaAttributeResolvers,
  DeletedResource: deletedResourceResolvers,
  Tenant: tenantResolvers(directory),
  Statistics: statisticsResolvers,
  GrowthDay: growthResolvers,
  ...actorResolvers,
});

export interface SubgraphParts {
  directory: Directory;
  /** Services that resolve ids which the directory does not store. */
  keepers: readonly NodeKeeper[];
  verifier: TokenVerifier;
  publicOrigin: string;
  kit: ServiceKit;
  introspection: boolean;
  /** Notified of mutations, where a replica serves some reads. */
  writing: ((tenant: string) => () => void) | undefined;
}

/** The directory's part of the graph, at POST /graphql. */
export const directorySubgraph = ({ directory, keepers, ...parts }: SubgraphParts): FastifyPluginAsync =>
  subgraphPlugin<DirectoryLoaders>({
    name: 'directory',
    typeDefs,
    resolvers: resolvers(directory),
    loaders: directoryLoaders(directory, keepers),
    conferring: directoryConferring,
    errors: graphErrors,
    ...parts,
  });
