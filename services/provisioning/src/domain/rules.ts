import { coreRegistry, ScimError } from '@ostiary/scim';
import type { Caller } from './caller.ts';
import { directSource } from './connector.ts';
import type { Administrators, Authority, ResourceType } from './ports.ts';

/** @throws ScimError 403 when the caller has nothing to do with resources of this type */
export function requireType({ rules }: Caller, type: ResourceType): void {
  if (rules.resourceTypes.includes(type)) return;
  const own = rules.resourceTypes.map((name) => `${name}s`).join(' and ');
  throw ScimError.forbidden(`This identity source is for ${own} only.`);
}

/** Passwords never reach the directory, which enforces the rule for all other attributes. */
export const mayWritePassword = ({ rules: { attributes } }: Caller): boolean =>
  attributes === null || !coreRegistry().restrictedTo(attributes).attribute('User', 'password')?.withheld;

const nobody = { users: [], groups: [] };

/**
 * What the caller may give where a change gives a role, or takes what giving it takes: adding to a group that has one, setting the
 * password of somebody who has one, changing by what they are recognised. Nothing for a person: giving a role takes a sign-in of
 * just now, which is asked for in the graph. Nothing for a connector, whatever app it belongs to.
 */
export const roleScopesOf = (caller: Caller): readonly string[] | undefined =>
  caller.source === directSource && caller.actor.kind === 'client' && caller.userId === undefined
    ? [...caller.scopes]
    : undefined;

/** For reading. */
export const readerOf = ({ tenant, actor, source }: Caller): Authority => ({ tenant, actor, source });

/**
 * For writing: with what the directory has to enforce in the transaction of the change. Who has a role is asked for each
 * change, so that nobody is touched who got one before the change was sent.
 * @throws ServiceUnavailable when that can't be found out
 */
export async function writerOf(caller: Caller, administrators: Administrators): Promise<Authority> {
  const { attributes, protectedAccounts } = caller.rules;
  const { users, groups } = protectedAccounts;
  const roleScopes = roleScopesOf(caller);
  const withRole = protectedAccounts.administrators ? await administrators.of(caller.tenant) : nobody;
  const protects = {
    users: [...new Set([...users, ...withRole.users])],
    groups: [...new Set([...groups, ...withRole.groups])],
  };
  return {
    ...readerOf(caller),
    ...(attributes ? { writable: attributes } : {}),
    ...(protects.users.length + protects.groups.length > 0 ? { protects } : {}),
    ...(roleScopes ? { roleScopes } : {}),
    ...(caller.principal ? { clientId: caller.principal.clientId } : {}),
  };
}
