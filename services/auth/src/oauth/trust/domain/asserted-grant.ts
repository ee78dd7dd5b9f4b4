/** Grant issued on an assertion of a trusted issuer. */
export interface AssertedGrant {
  id: string;
  subjectId: string;
  subjectEpoch: number;
  clientId: string;
  clientEpoch: number;
  trustedIssuerId: string;
  /** Subject at the issuer (`sub`). */
  issuerSubject: string;
  scopes: readonly string[];
  resources: readonly string[];
  lifetimeSeconds: number;
}
