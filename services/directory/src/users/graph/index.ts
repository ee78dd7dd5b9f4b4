export { type UserLoaders, userLoaders } from './loaders.ts';
export { userMutations } from './mutations.ts';
export { ownProfileMutations } from './own-profile.ts';
export { userQueries, userReference } from './queries.ts';
export { userResolvers } from './user.ts';
