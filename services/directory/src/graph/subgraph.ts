import { readFileSync } from 'node:fs';
import type { TokenVerifier } from '@ostiary/access';
import { type ReferenceResolver, type Resolvers, subgraphPlugin } from '@ostiary/graph';
import type { ServiceKit } from '@ostiary/service';
import type { FastifyPluginAsync } from 'fastify';
import type { Directory } from '../domain/directory.ts';
import { actorResolvers, directoryConferring } from './actor.ts';
import { auditEntryResolvers } from './audit.ts';
import { graphErrors } from './errors.ts';
import { groupMemberResolvers, groupResolvers } from './group.ts';
import { type DirectoryLoaders, directoryLoaders } from './loaders.ts';
import { mutationResolvers } from './mutations.ts';
import { queryResolvers } from './queries.ts';
import { deletedResourceResolvers } from './recycling.ts';
import { schemaAttributeResolvers, schemaResolvers } from './schemas.ts';
import { growthResolvers, statisticsResolvers } from './statistics.ts';
import { tenantResolvers } from './tenants.ts';
import { userGroupResolvers, userResolvers } from './user.ts';

export const typeDefs = readFileSync(new URL('./schema.graphql', import.meta.url), 'utf8');

/** All references of a request in one statement. */
const entity =
  (loader: 'users' | 'groups'): ReferenceResolver<DirectoryLoaders> =>
  ({ id }: { id: string }, { loaders }) =>
    loaders[loader].load(id);

export const resolvers = (directory: Directory): Resolvers<DirectoryLoaders> => ({
  Query: queryResolvers(directory),
  Mutation: mutationResolvers(directory),
  User: { ...userResolvers, __resolveReference: entity('users') },
  UserGroup: userGroupResolvers,
  Group: { ...groupResolvers, __resolveReference: entity('groups') },
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
  verifier: TokenVerifier;
  publicOrigin: string;
  kit: ServiceKit;
  introspection: boolean;
}

/** The directory's part of the graph, at POST /graphql. */
export const directorySubgraph = ({ directory, ...parts }: SubgraphParts): FastifyPluginAsync =>
  subgraphPlugin<DirectoryLoaders>({
    name: 'directory',
    typeDefs,
    resolvers: resolvers(directory),
    loaders: directoryLoaders(directory),
    conferring: directoryConferring,
    errors: graphErrors,
    ...parts,
  });
