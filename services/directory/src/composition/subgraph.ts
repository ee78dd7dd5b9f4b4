import { readFileSync } from 'node:fs';
import type { TokenVerifier } from '@ostiary/access';
import { type ReferenceResolver, type Resolvers, requirePrincipal, subgraphPlugin } from '@ostiary/graph';
import type { ServiceKit } from '@ostiary/service';
import type { FastifyPluginAsync } from 'fastify';
import { actorResolvers, directoryConferring } from '../audit/graph/actor.ts';
import { auditEntryResolvers } from '../audit/graph/audit.ts';
import { graphErrors } from '../errors/graph/errors.ts';
import { groupMemberResolvers, groupResolvers } from '../groups/graph/group.ts';
import type { NodeKeeper } from '../nodes/domain/node-keepers.ts';
import { deletedResourceResolvers } from '../recycling/graph/recycling.ts';
import { schemaAttributeResolvers, schemaResolvers } from '../schemas/graph/schemas.ts';
import { growthResolvers, statisticsResolvers } from '../statistics/graph/statistics.ts';
import { tenantResolvers } from '../tenants/graph/tenants.ts';
import { userResolvers } from '../users/graph/user.ts';
import type { Directory } from './directory.ts';
import { type DirectoryLoaders, directoryLoaders } from './loaders.ts';
import { mutationResolvers } from './mutations.ts';
import { queryResolvers } from './queries.ts';

export const typeDefs = readFileSync(new URL('../graph/schema.graphql', import.meta.url), 'utf8');

const userReference: ReferenceResolver<DirectoryLoaders> = ({ id }: { id: string }, { loaders }) =>
  loaders.users.load(id);

/** Nobody learns here which groups there are who may not see what any is called: of their own they know by themselves. */
const groupReference: ReferenceResolver<DirectoryLoaders> = ({ id }: { id: string }, context) => {
  const { scopes } = requirePrincipal(context);
  return scopes.has('groups:read') || scopes.has('users:read') ? context.loaders.groups.load(id) : null;
};

export const resolvers = (directory: Directory): Resolvers<DirectoryLoaders> => ({
  Query: queryResolvers(directory),
  Mutation: mutationResolvers(directory),
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
  /** Who is asked what an id is of that the directory doesn't keep. */
  keepers: readonly NodeKeeper[];
  verifier: TokenVerifier;
  publicOrigin: string;
  kit: ServiceKit;
  introspection: boolean;
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
