/** Credentials of a user, without secrets. */
export interface CredentialSummary {
  subjectId: string;
  passwordSince: Date | null;
  totpSince: Date | null;
  recoveryCodesLeft: number;
  passkeys: { id: string; name: string; synced: boolean; createdAt: string; lastUsedAt: string | null }[];
}

export interface CredentialSummaries {
  /** Returns the credentials of many users. */
  of(tenant: string, subjectIds: readonly string[]): Promise<CredentialSummary[]>;
}
