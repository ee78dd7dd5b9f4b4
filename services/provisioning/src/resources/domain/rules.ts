import { coreRegistry, ScimError } from '@ostiary/scim';
import { ServiceUnavailable } from '@ostiary/service';
import type { Caller } from '../../access/index.ts';
import { directSource } from '../../connectors/index.ts';
import type { ResourceType } from '../../protocol/index.ts';
import type { AdministratorIds, Administrators } from './administrators.ts';
import type { Authority } from './directory.ts';

/** @throws ScimError 403 when the caller is not permitted to use resources of this type */
export function requireType({ rules }: Caller, type: ResourceType): void {
  if (rules.resourceTypes.includes(type)) return;
  const own = rules.resourceTypes.map((name) => `${name}s`).join(' and ');
  throw ScimError.forbidden(`This identity source can access only ${own}.`);
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
    // The directory also has the role holders of which this service has no response.
    return { ...(await administrators.lastKnown(tenant)), roleHolders: true };
  }
}

/**
 * Returns the scopes that the caller may confer with a change that gives a role or requires the same rights: adding
 * to a group that has one, setting the password of a role holder, or changing identifiers of one. None for a user:
 * assigning a role requires a recent sign-in, which only the graph checks. None for a connector, with or without a
 * client.
 */
export const roleScopesOf = (caller: Caller): readonly string[] | undefined =>
  caller.source === directSource && caller.actor.kind === 'client' && caller.userId === undefined
    ? [...caller.scopes]
    : undefined;

/** Returns the authority of a read. */
export const readerOf = ({ tenant, actor, source }: Caller): Authority => ({ tenant, actor, source });

/**
 * Returns the authority of a write, with the restrictions that the directory enforces in the transaction of the
 * change. Role holders are requested for each change, so that a user who got a role before the change was sent is
 * protected.
 * @param endsAccess whether it is a deactivation or a deletion, which waits for no other service. While the
 * authorization server is unavailable, the role holders of its last response and of the directory are protected
 * @throws ServiceUnavailable when the role holders cannot be determined
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
