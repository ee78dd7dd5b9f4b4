export {
  ApiTokenReader,
  apiTokenClaims,
  liveApiToken,
} from './domain/api-token-reader.ts';
export type { ApiTokenStore } from './domain/api-token-store.ts';
export {
  type ApiTokens,
  IssuedApiTokens,
  OwnerGone,
  personalScopes,
  type TokenBasis,
  TooManyApiTokens,
} from './domain/api-tokens.ts';
export { LastUses } from './domain/last-uses.ts';
export type { ServiceAccountStore } from './domain/service-account-store.ts';
export { RegisteredServiceAccounts, type ServiceAccounts } from './domain/service-accounts.ts';
export type { ApiTokenSummary } from './domain/token-list.ts';
