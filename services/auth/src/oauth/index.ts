export { AccessTokens, type KeyRing } from './domain/access-token.ts';
export type { DeviceAuthorizations } from './domain/device-authorization.ts';
export { createDeviceRequestLimit, type DeviceRequestLimit } from './domain/device-request-limit.ts';
export { FeedLiveness } from './domain/feed-liveness.ts';
export { IdTokenIssuer } from './domain/id-token.ts';
export { Introspection } from './domain/introspection.ts';
export { PersonClaims } from './domain/person-claims.ts';
export {
  type PresentedToken,
  PresentedTokens,
} from './domain/presented-token.ts';
export type { PushedRequests } from './domain/pushed-request.ts';
export { createPushedRequestLimit, type PushedRequestLimit } from './domain/pushed-request-limit.ts';
export { createRequestDocumentLimit } from './domain/request-document-limit.ts';
export { RequestObjects } from './domain/request-objects.ts';
export {
  type GrantHandler,
  required,
  type TokenRequest,
  type TokenResponse,
} from './domain/token-request.ts';
