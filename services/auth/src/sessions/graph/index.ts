export { sessionResolvers } from './sessions.ts';
