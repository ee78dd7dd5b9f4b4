export { type AdmissionOptions, admit } from './admit.ts';
export { Authenticator } from './authentication.ts';
export { readBodies } from './body.ts';
export { routeConferrals } from './conferring.ts';
export {
  type BaseOf,
  baseOf,
  callerOf,
  type ResourceParams,
  type TenantParams,
  tenantOf,
} from './context.ts';
export { answerError, answerMalformedUrl } from './errors.ts';
export { countRequests, type RateRule, scimRates } from './rate-limit.ts';
export { readResourceMetadata } from './resource-metadata.ts';
export { maySetPasswords, routeChecks } from './route-assurance.ts';
