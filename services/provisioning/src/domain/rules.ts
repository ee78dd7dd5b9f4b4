import { coreRegistry, ScimError } from '@ostiary/scim';
import type { Caller } from './caller.ts';
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
  const withRole = protectedAccounts.administrators ? await administrators.of(caller.tenant) : [];
  const protects = { users: [...new Set([...users, ...withRole])], groups };
  return {
    ...readerOf(caller),
    ...(attributes ? { writable: attributes } : {}),
    ...(protects.users.length + protects.groups.length > 0 ? { protects } : {}),
  };
}
