export {
  badRequest,
  internalTenant,
  missing,
  objectOf,
  type TenantDependencies,
  uuidOf,
} from './internal.ts';
export { parseJson } from './json-body.ts';
export {
  answerError,
  formOf,
  neverCached,
  refuseOtherMethods,
  serveOAuth,
  type TenantRoute,
  tenantOf,
} from './oauth-endpoint.ts';
