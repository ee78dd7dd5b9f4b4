import { isDeepStrictEqual } from 'node:util';
import type { Connector, ConnectorRules } from './connector.ts';

const kinds = { User: 'users', Group: 'groups' } as const;

/**
 * Returns the rights of any holder of the connector's token, as scopes: reading and writing users, including their
 * passwords, and groups. The scopes are those of SCIM and of the graph, because the rights apply to both.
 */
export function scopesOfConnector({ access, resourceTypes }: ConnectorRules): string[] {
  const verbs = access === 'write' ? ['read', 'write'] : ['read'];
  return ['scim', ...resourceTypes.map((type) => kinds[type])].flatMap((kind) =>
    verbs.map((verb) => `${kind}:${verb}`),
  );
}

/**
 * Reports whether a connector can add members to groups, and so confer the rights of groups that identity sources may
 * manage.
 */
export const mayManageRoles = ({ access, resourceTypes, protectedAccounts }: ConnectorRules): boolean =>
  access === 'write' && resourceTypes.includes('Group') && !protectedAccounts.administrators;

/** The directory, which stores the groups that identity sources may manage. */
export interface ManagedPrivileges {
  /**
   * Returns the scopes that identity sources confer through the groups that they may manage. @throws
   * ServiceUnavailable
   */
  givenBySources(tenant: string): Promise<readonly string[]>;
}

type Reach = Pick<Connector, 'clientId' | 'rules'>;

/** Reports whether a change gives a connector more rights, or gives them to another client. */
export function widens(before: Reach, after: Reach): boolean {
  const [was, is] = [before.rules, after.rules];
  const [kept, keeps] = [was.protectedAccounts, is.protectedAccounts];
  return (
    (was.access === 'read' && is.access === 'write') ||
    is.resourceTypes.some((type) => !was.resourceTypes.includes(type)) ||
    // Adding a rule narrows. Of two different rules, the change counts as wider.
    (was.attributes !== null && !isDeepStrictEqual(was.attributes, is.attributes)) ||
    (!was.vouchesForEmails && is.vouchesForEmails) ||
    (kept.administrators && !keeps.administrators) ||
    kept.users.some((id) => !keeps.users.includes(id)) ||
    kept.groups.some((id) => !keeps.groups.includes(id)) ||
    (after.clientId !== null && after.clientId !== before.clientId)
  );
}
