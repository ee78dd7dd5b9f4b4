import { isDeepStrictEqual } from 'node:util';
import type { Connector, ConnectorRules } from './connector.ts';

const kinds = { User: 'users', Group: 'groups' } as const;

/**
 * What a connector can do is what any holder of its token can do: read and write users (their passwords too) and groups. Said in
 * scopes, both over SCIM and in the graph, because it would do for either.
 */
export function scopesOfConnector({ access, resourceTypes }: ConnectorRules): string[] {
  const verbs = access === 'write' ? ['read', 'write'] : ['read'];
  return ['scim', ...resourceTypes.map((type) => kinds[type])].flatMap((kind) =>
    verbs.map((verb) => `${kind}:${verb}`),
  );
}

/** Whether a connector adds to groups, and so gives what groups give that identity sources may manage. */
export const mayManageRoles = ({ access, resourceTypes, protectedAccounts }: ConnectorRules): boolean =>
  access === 'write' && resourceTypes.includes('Group') && !protectedAccounts.administrators;

/** The directory, which knows the groups that identity sources may manage. */
export interface ManagedPrivileges {
  /** What identity sources confer by adding to groups that they may manage, in scopes. @throws ServiceUnavailable */
  givenBySources(tenant: string): Promise<readonly string[]>;
}

type Reach = Pick<Connector, 'clientId' | 'rules'>;

/** Whether a connector can do anything after a change that it couldn't before, or for a client for which it didn't. */
export function widens(before: Reach, after: Reach): boolean {
  const [was, is] = [before.rules, after.rules];
  const [kept, keeps] = [was.protectedAccounts, is.protectedAccounts];
  return (
    (was.access === 'read' && is.access === 'write') ||
    is.resourceTypes.some((type) => !was.resourceTypes.includes(type)) ||
    // A rule instead of none narrows; which of two rules is wider isn't worth finding out.
    (was.attributes !== null && !isDeepStrictEqual(was.attributes, is.attributes)) ||
    (!was.vouchesForEmails && is.vouchesForEmails) ||
    (kept.administrators && !keeps.administrators) ||
    kept.users.some((id) => !keeps.users.includes(id)) ||
    kept.groups.some((id) => !keeps.groups.includes(id)) ||
    (after.clientId !== null && after.clientId !== before.clientId)
  );
}
