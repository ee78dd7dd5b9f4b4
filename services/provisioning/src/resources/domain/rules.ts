import { coreRegistry, ScimError } from '@ostiary/scim';
import { ServiceUnavailable } from '@ostiary/service';
import type { Caller } from '../../access/index.ts';
import { directSource } from '../../connectors/index.ts';
import type { ResourceType } from '../../protocol/index.ts';
import type { AdministratorIds, Administrators } from './administrators.ts';
import type { Authority } from './directory.ts';

/** @throws ScimError 403 when the caller has nothing to do with resources of this type */
export function requireType({ rules }: Caller, type: ResourceType): void {
  if (rules.resourceTypes.includes(type)) return;
  const own = rules.resourceTypes.map((name) => `${name}s`).join(' and ');
  throw ScimError.forbidden(`This identity source is for ${own} only.`);
}

/** Passwords never reach the directory, which enforces the rule for all other attributes. */
export const mayWritePassword = ({ rules: { attributes } }: Caller): boolean =>
  attributes === null || !coreRegistry().restrictedTo(attributes).attribute('User', 'password')?.withheld;

const nobody: AdministratorIds & { roleHolders?: true } = { users: [], groups: [] };

async function administratorsFor(
  tenant: string,
  administrators: Administrators,
  endsAccess: boolean,
): Promise<AdministratorIds & { roleHolders?: true }> {
  try {
    return await administrators.of(tenant);
  } catch (error) {
    if (!endsAccess || !(error instanceof ServiceUnavailable)) throw error;
    // The directory knows of roles by itself, also where they were never asked for from here.
    return { ...(await administrators.lastKnown(tenant)), roleHolders: true };
  }
}

/**
 * What the caller may give where a change gives a role, or takes what giving it takes: adding to a group that has one, setting the
 * password of a user who has one, changing by what they are recognised. Nothing for a user: giving a role takes a sign-in of
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
 * @param endsAccess of a deactivation or a deletion, which waits for no other service: while the authorization server is away, those are
 * spared who had a role when it was last asked, or have one as the directory knows
 * @throws ServiceUnavailable when that can't be found out
 */
export async function writerOf(
  caller: Caller,
  administrators: Administrators,
  endsAccess = false,
): Promise<Authority> {
  const { attributes, protectedAccounts, vouchesForEmails } = caller.rules;
  const { users, groups } = protectedAccounts;
  const withRole = protectedAccounts.administrators
    ? await administratorsFor(caller.tenant, administrators, endsAccess)
    : nobody;
  const roleScopes = roleScopesOf(caller);
  const protects = {
    users: [...new Set([...users, ...withRole.users])],
    groups: [...new Set([...groups, ...withRole.groups])],
    ...(withRole.roleHolders && { roleHolders: true as const }),
  };
  return {
    ...readerOf(caller),
    ...(attributes ? { writable: attributes } : {}),
    ...(vouchesForEmails ? { vouchesForEmails } : {}),
    ...(protects.roleHolders || protects.users.length + protects.groups.length > 0 ? { protects } : {}),
    ...(roleScopes ? { roleScopes } : {}),
    ...(caller.principal ? { clientId: caller.principal.clientId } : {}),
  };
}
