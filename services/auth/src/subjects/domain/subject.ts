/** What the directory told about a person; `profile` is the part claims are made from. */
export interface SubjectProfile {
  userName: string;
  displayName?: string;
  name?: { formatted?: string; givenName?: string; familyName?: string };
  /** `verified` only for what is told to apps: an address is nobody's identity, verified or not. */
  emails: readonly { value: string; type?: string; primary?: boolean; verified?: true }[];
  locale?: string;
  zoneinfo?: string;
  /** ISO 8601. */
  changedAt?: string;
}

export interface Subject {
  tenant: string;
  id: string;
  active: boolean;
  epoch: number;
  version: bigint;
  profile: SubjectProfile;
  roles: readonly string[];
  /** How often they took back what they allowed a client, by its id. */
  withdrawals: Readonly<Record<string, number>>;
}

export interface Subjects {
  /** With read-through to the directory; null when there is no such person (deleted ones included). */
  find(tenant: string, id: string): Promise<Subject | null>;
}
