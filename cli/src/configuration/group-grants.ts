import { ApiRolesOfGroup, type ApiRolesOfGroupQuery } from '../graph/generated/api-configuration.ts';
import { GroupRoles } from '../graph/generated/parties.ts';
import type { Graph } from '../graph/graph.ts';
import type { Raw } from './portable.ts';

/** Roles of groups, by group name. */
export interface GroupGrants {
  groupRoles: Raw[];
  groupApiRoles: Raw[];
}

export const noGrants: GroupGrants = { groupRoles: [], groupApiRoles: [] };

type Grants = NonNullable<NonNullable<ApiRolesOfGroupQuery['group']>['apiRoleGrants']>;
type Grant = NonNullable<Grants['edges'][number]['node']>;

/** Returns every role of every group, also of APIs. */
export async function grantsOfGroups(graph: Graph): Promise<GroupGrants> {
  const groupRoles: Raw[] = [];
  const groupApiRoles: Raw[] = [];
  for await (const each of graph.all(GroupRoles, {}, ({ groups }) => groups)) {
    const { id, displayName: group, roleGrants, apiRoleGrants: first } = each;
    for (const grant of roleGrants ?? []) groupRoles.push({ ...grant, id, group, version: 0 });
    // The page in the list of groups is short, because it adds to the cost of every group.
    const grants = first?.pageInfo.hasNextPage
      ? await allOf(graph, id)
      : (first?.edges ?? []).flatMap(({ node }) => node ?? []);
    for (const { role, managedBySources, api } of grants)
      if (api)
        groupApiRoles.push({
          id,
          version: 0,
          group,
          api: api.identifier,
          apiId: api.id,
          role,
          managedBySources,
        });
  }
  return { groupRoles: groupRoles.sort(inOrder), groupApiRoles: groupApiRoles.sort(inOrder) };
}

async function allOf(graph: Graph, id: string): Promise<Grant[]> {
  const all: Grant[] = [];
  for await (const grant of graph.all(ApiRolesOfGroup, { id }, ({ group }) => group?.apiRoleGrants))
    all.push(grant);
  return all;
}

const orderOf = ({ group, api, role, id }: Raw): string => JSON.stringify([group, api, role, id]);

const inOrder = (a: Raw, b: Raw): number => (orderOf(a) < orderOf(b) ? -1 : 1);
