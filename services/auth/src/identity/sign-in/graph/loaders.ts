import { batchOne, type DataLoader, type LoaderScope } from '@ostiary/graph';
import type { CredentialSummaries, CredentialSummary } from '../domain/credential-summaries.ts';

export interface CredentialLoaders {
  /** By subject id. */
  credentials: DataLoader<string, CredentialSummary | null>;
}

export const credentialLoaders =
  ({ credentialSummaries }: { credentialSummaries: CredentialSummaries }) =>
  ({ tenant }: LoaderScope): CredentialLoaders => ({
    credentials: batchOne(
      (ids) => credentialSummaries(tenant, ids),
      (credentials) => credentials.subjectId,
    ),
  });
