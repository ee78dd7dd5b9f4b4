export {
  type ApiTokenSummary,
  pruneApiTokens,
  revokeApiTokensOfClient,
  revokeApiTokensOfGrants,
  touchApiTokens,
} from './api-tokens.ts';
export { touchServiceAccountKeys } from './service-accounts.ts';
export { TokenStatus } from './token-status.ts';
