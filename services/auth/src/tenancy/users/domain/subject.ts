/** Profile of a user in the directory, from which claims are made. */
export interface SubjectProfile {
  userName: string;
  displayName?: string;
  name?: { formatted?: string; givenName?: string; familyName?: string };
  /** `verified` is only for claims: an address does not identify a user, verified or not. */
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
  /** Roles of the tenant, without those of APIs. */
  roles: readonly string[];
  /** Consent revocation counters by client id. */
  withdrawals: Readonly<Record<string, number>>;
}

export interface Subjects {
  /** Returns a user, asking the directory if the user is not stored; null if there is none or it is deleted. */
  find(tenant: string, id: string): Promise<Subject | null>;
}
