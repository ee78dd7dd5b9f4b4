export { groupMemberResolvers, groupOf, groupResolvers } from './group.ts';
export { type GroupLoaders, type GroupTenant, groupLoaders } from './loaders.ts';
export { groupMutations } from './mutations.ts';
export { groupQueries, groupReference } from './queries.ts';
