/** Service accounts that present assertions signed with their own keys (RFC 7523 §2.1). */
export interface AssertingAccounts {
  find(
    tenant: string,
    id: string,
  ): Promise<
    | {
        id: string;
        name: string;
        scopes: readonly string[];
        epoch: number;
        disabled: boolean;
        createdAt: Date;
      }
    | undefined
  >;
  /** Returns the key that an assertion of this account names, when account and key are valid. */
  assertionKey(
    tenant: string,
    id: string,
    kid: string,
  ): Promise<{ alg: string; publicJwk: Record<string, unknown>; epoch: number } | undefined>;
}
