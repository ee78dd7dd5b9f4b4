import { batchMany, type DataLoader, type LoaderScope } from '@ostiary/graph';
import { byId } from '../../../platform/subgraph/graph/references.ts';
import type { ApiTokens } from '../domain/api-tokens.ts';
import type { ServiceAccountKey } from '../domain/service-account-store.ts';
import type { ServiceAccounts } from '../domain/service-accounts.ts';
import type { ApiTokenSummary, TokenList } from '../domain/token-list.ts';

export interface MachineLoaders {
  /** Tokens by subject id. */
  personalAccessTokens: DataLoader<string, ApiTokenSummary[]>;
  personalAccessTokensById: DataLoader<string, ApiTokenSummary | null>;
  /** API keys by service account id. */
  apiKeys: DataLoader<string, ApiTokenSummary[]>;
  apiKeysById: DataLoader<string, ApiTokenSummary | null>;
  /** Public keys by service account id. */
  serviceAccountKeys: DataLoader<string, ServiceAccountKey[]>;
}

export const machineLoaders =
  (deps: { apiTokens: ApiTokens; serviceAccounts: ServiceAccounts; tokenList: TokenList }) =>
  ({ tenant }: LoaderScope): MachineLoaders => ({
    personalAccessTokens: batchMany(
      (ids) => deps.apiTokens.listPersonal(tenant, ids),
      (token) => token.ownerId,
    ),
    personalAccessTokensById: byId((ids) => deps.tokenList.byIds(tenant, 'subject_id', ids)),
    apiKeys: batchMany(
      (ids) => deps.apiTokens.listKeys(tenant, ids),
      (token) => token.ownerId,
    ),
    apiKeysById: byId((ids) => deps.tokenList.byIds(tenant, 'service_account_id', ids)),
    serviceAccountKeys: batchMany(
      (ids) => deps.serviceAccounts.listKeys(tenant, ids),
      (key) => key.serviceAccountId,
    ),
  });
