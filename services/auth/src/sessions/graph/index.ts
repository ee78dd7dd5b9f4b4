export { type SessionLoaders, sessionLoaders } from './loaders.ts';
export { sessionResolvers } from './sessions.ts';
