import type { Actor } from '@ostiary/events';

/** Where passwords go: the authorization server hashes them and hands out a ticket. */
export interface Credentials {
  /**
   * Hashes a password and keeps it, not yet valid, for an hour.
   * @param roleScopes what the caller may give, if roles at all: the passwords of people with roles within that may be set, too
   * @throws ScimError invalidValue when it isn't acceptable, 403 for an administrator's; ServiceUnavailable
   */
  stage(
    tenant: string,
    subject: string,
    password: string,
    roleScopes: readonly string[] | undefined,
    names: readonly string[],
  ): Promise<string>;
  /**
   * Makes a staged password valid. The event of the change does the same a little later, so failing is no harm.
   * @param actor whose change it is, as the event says
   */
  activate(tenant: string, ticket: string, actor: Actor): Promise<void>;
}
