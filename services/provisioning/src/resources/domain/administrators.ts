/** The administrators of a tenant. */
export interface Administrators {
  /** Returns the current ids. @throws ServiceUnavailable */
  of(tenant: string): Promise<AdministratorIds>;
  /** Returns the ids of the last response to any process; empty without one. */
  lastKnown(tenant: string): Promise<AdministratorIds>;
}

/** The ids of all users with a role, and of the groups whose members all have one. */
export interface AdministratorIds {
  users: readonly string[];
  groups: readonly string[];
}
