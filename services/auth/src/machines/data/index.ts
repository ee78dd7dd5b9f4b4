export {
  postgresApiTokens,
  pruneApiTokens,
  revokeApiTokensBy,
  revokeApiTokensOfClient,
  revokeApiTokensOfGrants,
  touchApiTokens,
} from './api-tokens.ts';
export { postgresServiceAccounts, touchServiceAccountKeys } from './service-accounts.ts';
export { PostgresTokenList } from './token-list.ts';
