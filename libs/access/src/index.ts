export { bearerToken } from './bearer.ts';
export { accessEnv } from './env.ts';
export {
  AccessError,
  type AccessErrorCode,
  insufficientScope,
  invalidRequest,
  invalidToken,
  missingToken,
} from './errors.ts';
export { type FollowerOptions, RevocationFollower } from './follower.ts';
export { type AccessRule, requireAccess, requireScope, requireService } from './guard.ts';
export { type KeySource, RemoteKeys } from './jwks.ts';
export {
  issuerOf,
  isTenantId,
  type Principal,
  platformTenant,
  serviceAudience,
  tenantOfIssuer,
} from './principal.ts';
export { type RemoteAccess, type RemoteAccessOptions, remoteAccess } from './remote.ts';
export {
  type Revocation,
  type RevocationKind,
  RevocationList,
  type RevocationPage,
  revocationStream,
} from './revocations.ts';
export { type ApiScope, apiScopes, describeScope, type OidcScope, oidcScopes } from './scopes.ts';
export { type ServiceTokenOptions, serviceTokens } from './service-tokens.ts';
export {
  createTokenVerifier,
  type Expectation,
  type TokenVerifier,
  type VerifierOptions,
} from './verifier.ts';
