export type { ApiTokenSummary } from '../domain/token-list.ts';
export { pruneApiTokens, revokeApiTokensOfClient, revokeApiTokensOfGrants, touchApiTokens } from './api-tokens.ts';
export { touchServiceAccountKeys } from './service-accounts.ts';
export { TokenStatus } from './token-status.ts';
