/**
 * Returns the id of the only user of a tenant with this e-mail address; undefined if there is none, or more than one.
 * @throws ServiceUnavailable when the directory does not answer
 */
export type AddressOwners = (tenant: string, email: string) => Promise<string | undefined>;
