export { groupMemberResolvers, groupOf, groupResolvers } from './group.ts';
export { type GroupLoaders, groupLoaders } from './loaders.ts';
export { groupMutations } from './mutations.ts';
export { groupQueries, groupReference } from './queries.ts';
