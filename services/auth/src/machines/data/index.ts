export {
  type ApiTokenSummary,
  pruneApiTokens,
  revokeApiTokensBy,
  revokeApiTokensOfClient,
  revokeApiTokensOfGrants,
  touchApiTokens,
} from './api-tokens.ts';
export { touchServiceAccountKeys } from './service-accounts.ts';
export { TokenStatus } from './token-status.ts';
