/** Who administers a tenant. */
export interface Administrators {
  /** As of now. @throws ServiceUnavailable */
  of(tenant: string): Promise<AdministratorIds>;
  /** As of the last answer that any process got; empty if there was none. */
  lastKnown(tenant: string): Promise<AdministratorIds>;
}

/** The ids of all users with a role, and of the groups whose members all have one. */
export interface AdministratorIds {
  users: readonly string[];
  groups: readonly string[];
}
