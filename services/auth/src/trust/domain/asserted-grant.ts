/** What an assertion of a trusted issuer becomes. */
export interface AssertedGrant {
  id: string;
  subjectId: string;
  subjectEpoch: number;
  clientId: string;
  clientEpoch: number;
  trustedIssuerId: string;
  /** What the issuer calls the person: `sub`. */
  issuerSubject: string;
  scopes: readonly string[];
  resources: readonly string[];
  lifetimeSeconds: number;
}
