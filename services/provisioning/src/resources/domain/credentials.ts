import type { Actor } from '@ostiary/events';

/** The authorization server, which hashes passwords and returns tickets. */
export interface Credentials {
  /**
   * Hashes a password and stores it for an hour, not yet valid.
   * @param roleScopes scopes that the caller may assign, if any: it may also set the passwords of users whose roles
   * are within them
   * @throws ScimError invalidValue for an unacceptable password, 403 for an administrator's; ServiceUnavailable
   */
  stage(
    tenant: string,
    subject: string,
    password: string,
    roleScopes: readonly string[] | undefined,
    names: readonly string[],
  ): Promise<string>;
  /**
   * Makes a staged password valid. The event of the change does the same a little later, so a failure is harmless.
   * @param actor of the change, as in the event
   */
  activate(tenant: string, ticket: string, actor: Actor): Promise<void>;
}
