/** Who administers a tenant. */
export interface Administrators {
  /** As of now. @throws ServiceUnavailable */
  of(tenant: string): Promise<AdministratorIds>;
  /** As of the last time that somebody here was told; nobody if never. */
  lastKnown(tenant: string): Promise<AdministratorIds>;
}

/** The ids of everybody with a role, and of the groups in which everybody has one. */
export interface AdministratorIds {
  users: readonly string[];
  groups: readonly string[];
}
