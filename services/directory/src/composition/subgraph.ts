import type { TokenVerifier } from '@ostiary/access';
import { type Resolver, type Resolvers, subgraphPlugin } from '@ostiary/graph';
import type { ServiceKit } from '@ostiary/service';
import type { FastifyPluginAsync } from 'fastify';
import { actorResolvers } from '../audit/graph/actor.ts';
import { auditEntryResolvers, auditQueries } from '../audit/graph/audit-log.ts';
import { graphErrors } from '../errors/graph/errors.ts';
import { groupMemberResolvers, groupResolvers } from '../groups/graph/group.ts';
import { groupMutations } from '../groups/graph/mutations.ts';
import { groupQueries, groupReference } from '../groups/graph/queries.ts';
import { idempotentMutations } from '../idempotency/idempotent-mutations.graph.ts';
import { nodeQueries } from '../nodes/graph/nodes.ts';
import type { OwningService } from '../nodes/graph/owning-services.ts';
import {
  deletedResourceResolvers,
  recyclingMutations,
  recyclingQueries,
} from '../recycling/graph/recycling.ts';
import { directoryConferring } from '../resources/graph/conferring.ts';
import {
  schemaAttributeResolvers,
  schemaMutations,
  schemaQueries,
  schemaResolvers,
} from '../schemas/graph/schemas.ts';
import { growthResolvers, statisticsQueries, statisticsResolvers } from '../statistics/graph/statistics.ts';
import { policyMutations, policyQueries } from '../tenants/graph/tenant-policy.ts';
import { tenantMutations, tenantQueries, tenantResolvers } from '../tenants/graph/tenants.ts';
import { userMutations } from '../users/graph/mutations.ts';
import { ownProfileMutations } from '../users/graph/own-profile.ts';
import { userQueries, userReference } from '../users/graph/queries.ts';
import { userResolvers } from '../users/graph/user.ts';
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
  owningServices: readonly OwningService[];
  verifier: TokenVerifier;
  publicOrigin: string;
  kit: ServiceKit;
  introspection: boolean;
  /** Notified of mutations, where a replica serves some reads. */
  writing: ((tenant: string) => () => void) | undefined;
}

/** The directory's part of the graph, at POST /graphql. */
export const directorySubgraph = ({
  directory,
  owningServices,
  ...parts
}: SubgraphParts): FastifyPluginAsync =>
  subgraphPlugin<DirectoryLoaders>({
    name: 'directory',
    typeDefs,
    resolvers: resolvers(directory),
    loaders: directoryLoaders(directory, owningServices),
    conferring: directoryConferring,
    errors: graphErrors,
    ...parts,
  });
