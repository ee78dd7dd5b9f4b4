/** Ways to sign in, without anything that is secret. */
export interface CredentialSummary {
  subjectId: string;
  passwordSince: Date | null;
  totpSince: Date | null;
  recoveryCodesLeft: number;
  passkeys: { id: string; name: string; synced: boolean; createdAt: string; lastUsedAt: string | null }[];
}

export interface CredentialSummaries {
  /** The ways to sign in of many people. */
  of(tenant: string, subjectIds: readonly string[]): Promise<CredentialSummary[]>;
}
