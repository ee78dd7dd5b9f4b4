/**
 * The id of the one person of a tenant with this e-mail address; undefined when there is none, or more than one.
 * @throws ServiceUnavailable when the directory doesn't say
 */
export type AddressOwners = (tenant: string, email: string) => Promise<string | undefined>;
