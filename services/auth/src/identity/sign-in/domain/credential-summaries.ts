/** Credentials of a user, without secrets. */
export interface CredentialSummary {
  subjectId: string;
  passwordSince: Date | null;
  totpSince: Date | null;
  recoveryCodesLeft: number;
  passkeys: { id: string; name: string; synced: boolean; createdAt: string; lastUsedAt: string | null }[];
}

/** Returns the credentials of many users. */
export type CredentialSummaries = (
  tenant: string,
  subjectIds: readonly string[],
) => Promise<CredentialSummary[]>;
