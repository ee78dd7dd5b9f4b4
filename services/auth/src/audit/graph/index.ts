export { securityLogResolvers } from './security-log.ts';
